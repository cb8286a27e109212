import type { Survey, Tables } from './survey.js';
import type { Votes } from './word-votes.js';

/** What every step of one search knows. */
export interface Search {
  readonly file: Survey;
  readonly tables: Tables;
  readonly votes: Votes;
  readonly replacement: string | undefined;
}
