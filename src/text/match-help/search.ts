import type { LineIndex } from '../lines.js';
import type { Survey } from './survey.js';

/** What every step of one search knows. */
export interface Search {
  readonly file: Survey;
  /** The lines of the file. */
  readonly lines: LineIndex;
  readonly replacement: string | undefined;
}
