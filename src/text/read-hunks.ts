/**
 * The hunks of a unified diff of one file, each with its text before and after. The counts in a hunk's head say where it
 * ends, so neither headers before it nor remarks after it are taken for lines of the file. A hunk that ends too early
 * is left out: half of it would show a change that nobody makes.
 */
export interface ReadHunk {
  /** 1-based, in the new text. */
  readonly line: number;
  readonly oldText: string;
  readonly newText: string;
}

export function readHunks(diff: string): ReadHunk[] {
  const lines = diff.split('\n');
  const hunks: ReadHunk[] = [];
  for (let at = 0; at < lines.length; at++) {
    const head = HEAD.exec(lines[at] ?? '');
    const hunk = head && readHunk(lines, at + 1, head);
    if (hunk) hunks.push(hunk);
  }
  return hunks;
}

const HEAD = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const NO_NEWLINE = '\\';

function readHunk(lines: readonly string[], start: number, head: RegExpExecArray): ReadHunk | undefined {
  const [, oldCount = '1', line, newCount = '1'] = head;
  const sides = { old: [] as string[], new: [] as string[] };
  const left = { old: Number(oldCount), new: Number(newCount) };
  for (let at = start; left.old > 0 || left.new > 0 || lines[at]?.startsWith(NO_NEWLINE); at++) {
    const text = lines[at];
    if (text === undefined) return undefined;
    if (text.startsWith(NO_NEWLINE)) dropNewline(sides, lines[at - 1] ?? '');
    else if (!takeLine(text, sides, left)) return undefined;
  }
  return { line: Math.max(1, Number(line)), oldText: sides.old.join(''), newText: sides.new.join('') };
}

interface Sides<T> {
  old: T;
  new: T;
}

/** False for what is no line of a hunk, or one more than its head counts. */
function takeLine(line: string, sides: Sides<string[]>, left: Sides<number>): boolean {
  const of = sidesOf(line);
  if (of.length === 0) return false;
  for (const side of of) {
    sides[side].push(`${line.slice(1)}\n`);
    left[side] -= 1;
  }
  return left.old >= 0 && left.new >= 0;
}

function dropNewline(sides: Sides<string[]>, line: string): void {
  for (const side of sidesOf(line)) sides[side].push((sides[side].pop() ?? '').replace(/\n$/, ''));
}

/** Some programs write an empty line of context without its blank. */
function sidesOf(line: string): (keyof Sides<unknown>)[] {
  if (line.startsWith('-')) return ['old'];
  if (line.startsWith('+')) return ['new'];
  return line === '' || line.startsWith(' ') ? ['old', 'new'] : [];
}
