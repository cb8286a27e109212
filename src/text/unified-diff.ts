import type { TextChange } from './change-list';
import { countLines, LineIndex, skipLines } from './lines';
import { runAtOnce, type Steps } from './steps';
import { commonLead, commonTail } from './trim-common';

/**
 * A unified diff, made from the places that are known to have changed; the texts are never compared as a whole.
 *
 * Each change is widened to whole lines, changes that then share a line become one block, and the lines that a block
 * leaves alone at its beginning and end are taken off again. Blocks with at most six lines between them share a hunk;
 * three lines of context surround it. No net change gives the empty string.
 *
 * Line counts are always printed (`-5,1`). A name that would not survive on its header line is followed by a tab, or
 * quoted, as `git` does it.
 */
export function unifiedDiff(name: string, original: string, changes: readonly TextChange[]): string {
  return runAtOnce(diffSteps(name, original, changes));
}

/** `lines` are those of the original. */
export function* diffSteps(
  name: string,
  original: string,
  changes: readonly TextChange[],
  lines: LineIndex = new LineIndex(original),
): Steps<string> {
  const hunks = gatherHunks(original, yield* findBlocks(original, changes));
  if (hunks.length === 0) return '';
  yield* lines.prepare();
  const parts = [`--- ${headerName(name)}\n+++ ${headerName(name)}\n`];
  let shift = 0;
  for (const hunk of hunks) {
    const oldLine = lines.lineAt(hunk.start);
    const { body, oldCount, newCount } = yield* printHunk(original, hunk);
    parts.push(`@@ -${range(oldLine, oldCount)} +${range(oldLine + shift, newCount)} @@\n`, body.join(''));
    shift += newCount - oldCount;
  }
  return parts.join('');
}

/** The one change between two whole texts, without the lines that they share at the beginning and the end. */
export function wholeChange(original: string, final: string): TextChange[] {
  const block = trimLines(original, { start: 0, end: original.length, text: final });
  return block === undefined ? [] : [block];
}

const CONTEXT_LINES = 3;
const CHARACTERS_PER_STEP = 65_536;

interface PrintedHunk {
  readonly body: readonly string[];
  readonly oldCount: number;
  readonly newCount: number;
}

interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly blocks: readonly TextChange[];
}

/** The changes as whole lines, ascending, no two of them sharing a line. */
function* findBlocks(original: string, changes: readonly TextChange[]): Steps<TextChange[]> {
  const blocks: { start: number; end: number; parts: string[] }[] = [];
  for (const change of changes) {
    const last = blocks.at(-1);
    // Where the line is known already it is not searched again: all the changes may be in one very long line.
    const start = last !== undefined && change.start < last.end ? last.start : lineStart(original, change.start);
    const end = last !== undefined && change.end < last.end ? last.end : lineEnd(original, change.end);
    if (last !== undefined && start < last.end) {
      // The last part is what stood between the last change and the end of its line.
      const kept = last.parts.pop() ?? '';
      last.parts.push(kept.slice(0, kept.length - (last.end - change.start)), change.text);
      last.parts.push(original.slice(change.end, end));
      last.end = end;
    } else {
      blocks.push({
        start,
        end,
        parts: [original.slice(start, change.start), change.text, original.slice(change.end, end)],
      });
    }
    yield;
  }
  const trimmed: TextChange[] = [];
  for (const { start, end, parts } of blocks) {
    const block = trimLines(original, { start, end, text: parts.join('') });
    if (block !== undefined) trimmed.push(block);
    yield;
  }
  return trimmed;
}

/** The block without the whole lines that it leaves as they were, or undefined if it changes nothing. */
function trimLines(original: string, { start, end, text }: TextChange): TextChange | undefined {
  const old = original.slice(start, end);
  if (old === text) return undefined;
  const lead = lineStart(old, commonLead(old, text));
  const shared = commonTail(old, text, Math.min(old.length, text.length) - lead);
  const atLineStart = [old, text].every((side) => lineStart(side, side.length - shared) === side.length - shared);
  const tail = atLineStart ? shared : old.length - lineEnd(old, old.length - shared);
  return { start: start + lead, end: end - tail, text: text.slice(lead, text.length - tail) };
}

function gatherHunks(original: string, blocks: readonly TextChange[]): Hunk[] {
  const groups: TextChange[][] = [];
  for (const block of blocks) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const reach = last === undefined ? -1 : skipLines(original, last.end, 2 * CONTEXT_LINES);
    if (reach >= block.start) group?.push(block);
    else groups.push([block]);
  }
  return groups.map((group) => ({
    start: contextStart(original, group.at(0)?.start ?? 0),
    end: skipLines(original, group.at(-1)?.end ?? 0, CONTEXT_LINES),
    blocks: group,
  }));
}

function* printHunk(original: string, { start, end, blocks }: Hunk): Steps<PrintedHunk> {
  const body: string[] = [];
  const oldCount = countLines(original.slice(start, end));
  let newCount = oldCount;
  let done = start;
  for (const block of blocks) {
    const old = original.slice(block.start, block.end);
    yield* mark(body, ' ', original.slice(done, block.start));
    yield* mark(body, '-', old);
    yield* mark(body, '+', block.text);
    newCount += countLines(block.text) - countLines(old);
    done = block.end;
  }
  yield* mark(body, ' ', original.slice(done, end));
  return { body, oldCount, newCount };
}

/** Adds each line with its sign in front. */
function* mark(body: string[], sign: string, lines: string): Steps<void> {
  for (let at = 0, next = 0; at < lines.length; at = next) {
    // Many lines at a time, but whole ones.
    next = lineEnd(lines, Math.min(at + CHARACTERS_PER_STEP, lines.length));
    const isEnded = lines[next - 1] === '\n';
    const some = lines.slice(at, isEnded ? next - 1 : next);
    body.push(sign, some.includes('\n') ? some.split('\n').join(`\n${sign}`) : some, '\n');
    if (!isEnded) body.push('\\ No newline at end of file\n');
    yield;
  }
}

/** An empty range stands after the line before it. */
function range(line: number, count: number): string {
  return `${count === 0 ? line - 1 : line},${count}`;
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}

function contextStart(original: string, offset: number): number {
  let start = offset;
  for (let line = 0; line < CONTEXT_LINES && start > 0; line++) start = lineStart(original, start - 1);
  return start;
}

/**
 * A name that `git` and `patch` read back as it was. With a blank in it, a tab has to follow; where that is not enough
 * (control characters, quotes, backslashes, blanks at the ends, what looks like a time) it is quoted as C would.
 */
function headerName(name: string): string {
  if (!/[\p{Cc}"\\]|^\s|\s$|\s.*\d:\d/u.test(name)) return /\s/.test(name) ? `${name}\t` : name;
  const quoted = name.replace(/[\p{Cc}"\\]/gu, (character) => {
    if (character === '"' || character === '\\') return `\\${character}`;
    return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  });
  return `"${quoted}"`;
}
