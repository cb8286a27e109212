/**
 * How many failed edits the help for a failed match would fix, over the corpus in test/corpus/failed-edits.
 * Beside it, for comparison, an answer as common servers give it: the window of as many lines that is most alike as a
 * whole. Exits 1 when fewer than 95 % are fixed or any answer points to a wrong place. `--ids` names what failed.
 */
import { join } from 'node:path';
import { explainMismatch, type MatchHelp } from '../src/text/match-help/explain-mismatch.js';
import { loadFailedEdits, type Score, scoreAll } from '../test/corpus/failed-edits/score.js';

const HELD_OUT = 'held-out';
const TARGET = 0.95;

const edits = loadFailedEdits(join(process.cwd(), 'test/corpus/failed-edits'));
const scores = scoreAll(edits, explainMismatch);
const plain = scoreAll(edits, likestWindow);

console.log('family        edits  fixed     wrong  reason   bytes: mean  median  p95');
for (const family of new Set(scores.map((score) => score.family))) {
  row(
    family,
    scores.filter((score) => score.family === family),
  );
}
row(
  'tuned on',
  scores.filter((score) => score.family !== HELD_OUT),
);
row('all', scores);
row('likest window', plain);
if (process.argv.includes('--ids')) nameFailures(scores);
const fixed = scores.filter((score) => score.fixed).length;
process.exitCode = fixed < scores.length * TARGET || scores.some((score) => score.wrong) ? 1 : 0;

function row(name: string, part: readonly Score[]): void {
  const share = (count: number) => `${((100 * count) / part.length).toFixed(1)}%`.padStart(6);
  const bytes = part.map((score) => score.bytes).sort((a, b) => a - b);
  const at = (quantile: number) => bytes[Math.min(bytes.length - 1, Math.floor(bytes.length * quantile))] ?? 0;
  const mean = Math.round(bytes.reduce((sum, size) => sum + size, 0) / bytes.length);
  const count = (test: (score: Score) => boolean) => part.filter(test).length;
  const cells = [
    name.padEnd(13),
    String(part.length).padStart(5),
    share(count((score) => score.fixed)),
    String(count((score) => score.wrong)).padStart(8),
    share(count((score) => score.reasonRight)).padStart(8),
    String(mean).padStart(12),
    String(at(0.5)).padStart(7),
    String(at(0.95)).padStart(5),
  ];
  console.log(cells.join(' '));
}

function nameFailures(all: readonly Score[]): void {
  for (const { family, id, fixed: ok, wrong, reasonRight, help } of all) {
    if ((ok && !wrong && reasonRight) || family === HELD_OUT) continue;
    console.log(
      `${wrong ? 'WRONG ' : ok ? 'reason' : 'unfixed'} ${family}/${id}: ${JSON.stringify(help).slice(0, 400)}`,
    );
  }
}

/** The baseline: no reasons, no uniqueness, only overall likeness by shared pairs of characters. */
function likestWindow(content: string, wanted: string): MatchHelp {
  const lines = content.split('\n');
  const height = wanted.split('\n').length;
  const target = pairs(wanted);
  let best = { at: 0, likeness: -1 };
  for (let at = 0; at + height <= lines.length; at++) {
    const likeness = dice(target, pairs(lines.slice(at, at + height).join('\n')));
    if (likeness > best.likeness) best = { at, likeness };
  }
  if (best.likeness < 0.5) return { reason: 'not_there', hint: '' };
  const text = lines.slice(best.at, best.at + height).join('\n');
  return { reason: 'similar', start_line: best.at + 1, end_line: best.at + height, old_string: text, hint: '' };
}

function pairs(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (let at = 0; at + 1 < text.length; at++) {
    const pair = text.slice(at, at + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}

function dice(one: Map<string, number>, other: Map<string, number>): number {
  let shared = 0;
  let total = 0;
  for (const [pair, count] of one) {
    shared += Math.min(count, other.get(pair) ?? 0);
    total += count;
  }
  for (const count of other.values()) total += count;
  return total === 0 ? 0 : (2 * shared) / total;
}
