/**
 * How long the edit engine takes, without any disk: staged edits on texts of several sizes, with the diff of each, and
 * the worst that a caller can ask of it. `node scripts/run.mjs bench/edit-engine.ts`
 */
import { findOccurrences } from '../src/text/find-replace';
import { applyEdits, type StagedEdit } from '../src/text/staged-file';
import { unifiedDiff, wholeChange } from '../src/text/unified-diff';
import { editsAtOnePlace, editsOfAlikeLines } from './hard-edits';
import { linesFor, MB } from './stage';

const KB = 1024;

for (const [name, bytes, count] of [
  ['100 edits, 20 KB', 20 * KB, 100],
  ['100 edits, 1 MB', MB, 100],
  ['100 edits, 5 MB', 5 * MB, 100],
  ['1,000 edits, 1 MB', MB, 1000],
] as const) {
  const text = source(bytes);
  const edits = editsOf(text, count);
  const crlf = text.replaceAll('\n', '\r\n');
  const chained = edits.map((edit, index) => (index % 2 === 0 ? edit : chain(edits[index - 1] ?? edit)));
  measure(`${name}: stage`, () => applyEdits(text, edits));
  measure(`${name}: stage, every other on the result of the one before`, () => applyEdits(text, chained));
  measure(`${name}: stage, \\n edits in a \\r\\n text`, () => applyEdits(crlf, edits));
  const staged = applyEdits(text, edits);
  if (!staged.ok) throw new Error(`The edits failed: ${JSON.stringify(staged.failure).slice(0, 200)}`);
  measure(`${name}: diff`, () => unifiedDiff('source.ts', text, staged.changes));
}

for (const [name, { text, changes }] of [
  ['1,000 edits at one place, 5 KB each', editsAtOnePlace(8_000, 1_000, 50)],
  ['1,000 edits of lines that are alike, 5 MB', editsOfAlikeLines(linesFor(5 * MB), 1_000)],
] as const) {
  const edits = changes.map(({ from, to }) => ({ old_string: from, new_string: to }));
  measure(`${name}: stage`, () => applyEdits(text, edits));
}

const before = source(500 * KB);
const after = before.replaceAll('const', 'let');
measure(`rewritten file of ${before.split('\n').length} lines: diff`, () => {
  return unifiedDiff('source.ts', before, wholeChange(before, after));
});
measure('"aaa…", 5 MB of it in 10 MB: count', () =>
  findOccurrences('a'.repeat(10 * MB), 'a'.repeat(5 * MB), { max: 1 }),
);
measure('"baaa…", 5 MB of it in 10 MB of a: count', () =>
  findOccurrences('a'.repeat(10 * MB), `b${'a'.repeat(5 * MB)}`),
);
measure('"aa" in 10 MB of a: count', () => findOccurrences('a'.repeat(10 * MB), 'aa', { max: 1 }));

/** Source code of many shapes, each line of it once. */
function source(bytes: number): string {
  const lines: string[] = [];
  for (let length = 0, line = 0; length < bytes; line++) {
    const text = [
      `export function handle${line}(request: Request, options: Options = {}): Response {`,
      `  const value${line} = await readFromStore(request.path, { limit: ${line * 7}, strict: true });`,
      `  if (value${line} === undefined) return notFound(request);`,
      `}`,
    ][line % 4] as string;
    lines.push(text);
    length += text.length + 1;
  }
  return `${lines.join('\n')}\n`;
}

/** Edits of two lines each, spread over the text in no order. */
function editsOf(text: string, count: number): StagedEdit[] {
  const lines = text.split('\n');
  const groups = Math.floor((lines.length - 4) / 4);
  if (groups < count) return editsOfOneLine(lines, count);
  return Array.from({ length: count }, (_, index) => {
    const line = 4 * Math.floor((((index * 7919) % count) * groups) / count);
    const old_string = lines.slice(line, line + 2).join('\n');
    return { old_string, new_string: old_string.replace('strict: true', 'strict: false').replace('Request', 'Req') };
  });
}

function editsOfOneLine(lines: readonly string[], count: number): StagedEdit[] {
  const wanted = lines.filter((line) => line.length > 1);
  return Array.from({ length: count }, (_, index) => {
    const old_string = wanted[Math.floor(((index * 37) % count) * (wanted.length / count))] ?? '';
    return { old_string, new_string: old_string.replace(/\(/, '[') };
  });
}

function chain({ new_string }: StagedEdit): StagedEdit {
  return { old_string: new_string, new_string: `${new_string} // again` };
}

/** The best of several runs after a warm one. */
function measure(name: string, run: () => unknown): void {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 6; round++) {
    const start = performance.now();
    run();
    best = Math.min(best, performance.now() - start);
  }
  console.log(`${best.toFixed(1).padStart(9)} ms  ${name}`);
}
