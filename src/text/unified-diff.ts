import type { TextChange } from './change-list';
import { type Block, findBlocks, lineStart, trimLines } from './diff-blocks';
import { countLineEnds, countLines, LineIndex, skipLines } from './lines';
import { runAtOnce, type Steps } from './steps';
import { cutNear } from './surrogates';

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
  return runAtOnce(diffParts(name, original, changes)).join('');
}

/** In parts that part no character. `lines` are those of the original. */
export function* diffParts(
  name: string,
  original: string,
  changes: readonly TextChange[],
  lines: LineIndex = new LineIndex(original),
): Steps<string[]> {
  const hunks = yield* gatherHunks(original, yield* findBlocks(original, changes));
  if (hunks.length === 0) return [];
  yield* lines.prepare(hunks.at(-1)?.start);
  const parts = [`--- ${headerName(name)}\n+++ ${headerName(name)}\n`];
  let shift = 0;
  for (const hunk of hunks) {
    const oldLine = lines.lineAt(hunk.start);
    const { oldCount, newCount } = countIn(original, hunk);
    parts.push(`@@ -${range(oldLine, oldCount)} +${range(oldLine + shift, newCount)} @@\n`);
    yield* printHunk(parts, original, hunk);
    shift += newCount - oldCount;
  }
  return parts;
}

/** The one change between two whole texts, without the lines that they share at the beginning and the end. */
export function wholeChange(original: string, final: string): TextChange[] {
  return original === final ? [] : [trimLines(original, { start: 0, end: original.length, text: final })];
}

const CONTEXT_LINES = 3;
const CHARACTERS_PER_STEP = 65_536;

interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly blocks: readonly Block[];
}

function* gatherHunks(original: string, blocks: readonly Block[]): Steps<Hunk[]> {
  const groups: Block[][] = [];
  for (const block of blocks) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const reach = last === undefined ? -1 : skipLines(original, last.end, 2 * CONTEXT_LINES);
    if (reach >= block.start) group?.push(block);
    else groups.push([block]);
    yield;
  }
  const hunks: Hunk[] = [];
  for (const group of groups) {
    const start = contextStart(original, group.at(0)?.start ?? 0);
    hunks.push({ start, end: skipLines(original, group.at(-1)?.end ?? 0, CONTEXT_LINES), blocks: group });
    yield;
  }
  return hunks;
}

function countIn(original: string, { start, end, blocks }: Hunk): { oldCount: number; newCount: number } {
  const oldCount = countLines(original.slice(start, end));
  const added = blocks.map((block) => countPieces(block.pieces) - countLines(original.slice(block.start, block.end)));
  return { oldCount, newCount: added.reduce((sum, lines) => sum + lines, oldCount) };
}

/** The lines of a text that comes in pieces. */
function countPieces(pieces: readonly string[]): number {
  const ends = pieces.reduce((sum, piece) => sum + countLineEnds(piece), 0);
  const last = pieces.findLast((piece) => piece !== '') ?? '\n';
  return last.endsWith('\n') ? ends : ends + 1;
}

function* printHunk(parts: string[], original: string, { start, end, blocks }: Hunk): Steps<void> {
  let done = start;
  for (const block of blocks) {
    yield* mark(parts, ' ', [original.slice(done, block.start)]);
    yield* mark(parts, '-', [original.slice(block.start, block.end)]);
    yield* mark(parts, '+', block.pieces);
    done = block.end;
  }
  yield* mark(parts, ' ', [original.slice(done, end)]);
}

/** Adds the lines that the pieces make together, each with its sign in front. */
function* mark(parts: string[], sign: string, pieces: readonly string[]): Steps<void> {
  let isInLine = false;
  for (const piece of pieces) {
    for (let at = 0, to = 0; at < piece.length; at = to) {
      to = cutNear(piece, at + CHARACTERS_PER_STEP);
      const some = piece.slice(at, to);
      if (!isInLine) parts.push(sign);
      isInLine = !some.endsWith('\n');
      const lines = isInLine ? some : some.slice(0, -1);
      parts.push(lines.includes('\n') ? lines.split('\n').join(`\n${sign}`) : lines);
      if (!isInLine) parts.push('\n');
      yield;
    }
  }
  if (isInLine) parts.push('\n\\ No newline at end of file\n');
}

/** An empty range stands after the line before it. */
function range(line: number, count: number): string {
  return `${count === 0 ? line - 1 : line},${count}`;
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
