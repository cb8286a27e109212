import type { Survey } from './survey.js';

/** What every step of one search knows. */
export interface Search {
  readonly file: Survey;
  readonly replacement: string | undefined;
}
