/** Edits that are hard to make one after the other: all at one place, and of lines that are hardly told apart. */
import type { Change } from './adapters';
import { LINE_BYTES, lineOf, linesOf } from './stage';

export interface HardEdits {
  readonly text: string;
  readonly changes: Change[];
}

/** Each puts so many lines before the same one, where the others put theirs. */
export function editsAtOnePlace(lines: number, count: number, linesEach = 1): HardEdits {
  const mark = lineOf(Math.ceil(lines / 2));
  const changes = Array.from({ length: count }, (_, at) => ({
    from: mark,
    to: linesOf(linesEach, lines + 1 + at * linesEach) + mark,
  }));
  return { text: linesOf(lines), changes };
}

/** The lines differ in their first characters alone. */
export function editsOfAlikeLines(lines: number, count: number): HardEdits {
  const all = Array.from({ length: lines }, (_, at) => `${at}`.padEnd(LINE_BYTES - 1, '-'));
  const step = lines / count;
  const changes = Array.from({ length: count }, (_, at) => {
    const from = `\n${all[Math.floor((((at * 37) % count) + 0.5) * step)]}\n`;
    return { from, to: from.replace('-', '+') };
  });
  return { text: `\n${all.join('\n')}\n`, changes };
}
