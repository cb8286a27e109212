/**
 * Scores an explainer on the failed edits of this folder. A failed edit counts as fixed only when a mechanical reader
 * of the answer alone could complete it: the given old_string occurs once and covers the true place without swallowing
 * its surroundings or, where the place is long, lies within it and holds the lines that the edit changes. Where
 * nothing is to be found, the answer must say so. An answer that points elsewhere than the true place is wrong.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MatchHelp } from '../../../src/text/match-help/explain-mismatch.js';

export interface FailedEdit {
  id: string;
  family: string;
  content: string;
  old: string;
  new: string;
  place: [number, number] | 'already_applied' | 'not_there';
  /** The true text, where it is not whole lines. */
  text?: string;
  /** Of a long place, the text that the edit changes. */
  core?: string;
  /** Reasons that are right. */
  reason: string[];
}

export interface Score {
  id: string;
  family: string;
  fixed: boolean;
  wrong: boolean;
  reasonRight: boolean;
  bytes: number;
  help: MatchHelp;
}

export type Explainer = (content: string, wanted: string, replacement: string | undefined) => MatchHelp;

const LONG_PLACE_CHARS = 1000;
/** How much more than the true place an answer may hold, in characters. */
const MAX_EXTRA_CHARS = 600;

export function scoreAll(edits: readonly FailedEdit[], explain: Explainer): Score[] {
  return edits.map((edit) => {
    const help = explain(edit.content, edit.old, edit.new);
    return {
      id: edit.id,
      family: edit.family,
      fixed: isFixed(edit, help),
      wrong: isWrong(edit, help),
      reasonRight: edit.reason.includes(help.reason),
      bytes: Buffer.byteLength(JSON.stringify(help)),
      help,
    };
  });
}

function isFixed(edit: FailedEdit, help: MatchHelp): boolean {
  if (typeof edit.place === 'string') return help.reason === edit.place;
  const given = help.old_string;
  if (given === undefined || given === '') return false;
  const at = edit.content.indexOf(given);
  if (at < 0 || edit.content.indexOf(given, at + 1) >= 0) return false;
  const truth = trueSpan(edit, edit.place);
  const covers = at <= truth.start && at + given.length >= truth.end;
  if (covers) return given.length <= truth.end - truth.start + MAX_EXTRA_CHARS;
  if (!edit.core || truth.end - truth.start < LONG_PLACE_CHARS) return false;
  const core = edit.content.indexOf(edit.core, truth.start);
  const within = at >= lineStartBefore(edit.content, truth.start) - 1 && at + given.length <= truth.end + 1;
  return within && at <= core && at + given.length >= core + edit.core.length;
}

function isWrong(edit: FailedEdit, help: MatchHelp): boolean {
  const claims = help.reason !== 'not_there' && help.reason !== 'already_applied' && help.start_line !== undefined;
  if (typeof edit.place === 'string') return claims;
  if (help.reason === 'already_applied') return true;
  if (!claims) return false;
  const [first, last] = edit.place;
  return (help.start_line ?? 0) > last || (help.end_line ?? 0) < first;
}

function trueSpan({ content, text }: FailedEdit, [first, last]: [number, number]): { start: number; end: number } {
  const lines = content.split('\n');
  const before = lines.slice(0, first - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const within = lines.slice(first - 1, last).join('\n');
  const wanted = (text ?? within).trim();
  const start = before + within.indexOf(wanted);
  return { start, end: start + wanted.length };
}

function lineStartBefore(content: string, at: number): number {
  return content.lastIndexOf('\n', at - 1) + 1;
}

interface StoredEdit extends Omit<FailedEdit, 'content' | 'family'> {
  file: string;
  /** Changes to the stored file, as pairs of old and new text. */
  edits?: [string, string][];
  eol?: 'crlf';
  bom?: boolean;
}

/** Reads all families; `folder` is this folder. */
export function loadFailedEdits(folder: string): FailedEdit[] {
  const families = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return families.flatMap((name) => {
    const stored = JSON.parse(readFileSync(join(folder, name), 'utf8')) as StoredEdit[];
    return stored.map((edit) => ({ ...edit, family: name.replace('.json', ''), content: contentOf(folder, edit) }));
  });
}

function contentOf(folder: string, { file, edits = [], eol, bom }: StoredEdit): string {
  let content = readFileSync(join(folder, 'files', file), 'utf8');
  for (const [from, to] of edits) content = content.replace(from, () => to);
  if (eol === 'crlf') content = content.replaceAll('\n', '\r\n');
  return bom ? `\ufeff${content}` : content;
}
