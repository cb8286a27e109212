/** How the time of this server grows with the size of what it is asked about: series of points for the plot. */
import { closeSync, copyFileSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import type { ToolCall } from '../versus/server';
import { MAX_ENTRIES } from './adapters';
import { OURS } from './contestants';
import { editsAtOnePlace, editsOfAlikeLines, type HardEdits } from './hard-edits';
import { Setback } from './results';
import { openSession, type Session } from './sessions';
import { LINE_BYTES, linesFor, MB, renew, type Stage } from './stage';
import { median } from './stats';
import { NoAnswer } from './wire';
import { changesOf } from './workloads/edits';

export interface Point {
  readonly x: number;
  readonly ms: number;
}

export interface Series {
  readonly panel: string;
  readonly name: string;
  /** What `x` counts. */
  readonly unit: 'bytes' | 'lines' | 'edits' | 'entries';
  readonly points: readonly Point[];
  /** Sizes that got no time, each with a word. */
  readonly missing: readonly string[];
}

export const WINDOW_PANEL = 'Read 100 lines in the middle of a file';
export const LINES_PANEL = 'One edit in a file';
export const EDITS_PANEL = 'Many edits in one call, file of 1 MB';
export const LIST_PANEL = `List a directory, cut at ${MAX_ENTRIES.toLocaleString('en')} entries`;

const CALL_LIMIT_MS = 30_000;
const WINDOW = 100;
const SIZES = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
const LINES = [10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];
const EDITS = [1, 3, 10, 30, 100, 300, 1_000];
const ENTRIES = [10, 100, 1_000, 10_000, 100_000];
const TREES = [100, 1_000, 10_000, 100_000];
/** Points above this take up to a second or a gigabyte each; three tries are enough there. */
const MANY_TRIES = 15;
const FEW_TRIES = 3;
const LARGE = 2 * MB;

export async function measureGrowth(stage: Stage): Promise<Series[]> {
  const session = await openSession(OURS, stage.root);
  try {
    return [
      await windowSeries(session, stage, { name: 'first time', isFirst: true }),
      await windowSeries(session, stage, { name: 'again', isFirst: false }),
      await series({ panel: LINES_PANEL, name: 'one edit', unit: 'lines' }, LINES, (lines) =>
        editTimes(session, stage, lines, 1),
      ),
      await series({ panel: EDITS_PANEL, name: 'spread evenly', unit: 'edits' }, EDITS, (count) =>
        editTimes(session, stage, linesFor(MB), count),
      ),
      await series({ panel: EDITS_PANEL, name: 'all at one place', unit: 'edits' }, EDITS, (count) =>
        hardEditTimes(session, stage, editsAtOnePlace(linesFor(MB), count)),
      ),
      await series({ panel: EDITS_PANEL, name: 'of lines that are alike', unit: 'edits' }, EDITS, (count) =>
        hardEditTimes(session, stage, editsOfAlikeLines(linesFor(MB), count)),
      ),
      await series({ panel: LIST_PANEL, name: 'one directory', unit: 'entries' }, ENTRIES, (entries) => {
        const directory = stage.directoryOf(entries);
        return times(session, session.calls.list(directory), MANY_TRIES, () => renew(directory));
      }),
      await series({ panel: LIST_PANEL, name: 'a tree', unit: 'entries' }, TREES, (files) => {
        const tree = stage.treeOf(files);
        return times(session, session.calls.tree(tree), MANY_TRIES);
      }),
    ];
  } finally {
    await session.wire.kill();
  }
}

function windowSeries(session: Session, stage: Stage, { name, isFirst }: { name: string; isFirst: boolean }) {
  return series({ panel: WINDOW_PANEL, name, unit: 'bytes' }, SIZES, async (bytes) => {
    const lines = bytes / LINE_BYTES;
    const path = stage.fileOfLines(lines);
    const call = session.calls.window?.(path, { first: Math.max(1, lines / 2 - WINDOW / 2), count: WINDOW });
    if (!call) throw new Setback('no tool');
    if (!isFirst) await times(session, call, 1);
    const before = () => isFirst && renew(path);
    return times(session, call, bytes > LARGE && isFirst ? FEW_TRIES : MANY_TRIES, before);
  });
}

function editTimes(session: Session, stage: Stage, lines: number, count: number): Promise<number[]> {
  const path = stage.at('growing.ts');
  const source = stage.fileOfLines(lines);
  const [call] = session.calls.edit(path, changesOf(lines, count));
  if (!call) throw new Setback('no tool');
  const tries = lines * LINE_BYTES > LARGE ? FEW_TRIES : MANY_TRIES;
  return times(session, call, tries, () => renewFrom(source, path));
}

function hardEditTimes(session: Session, stage: Stage, { text, changes }: HardEdits): Promise<number[]> {
  const [path, source] = [stage.at('growing.ts'), stage.at('hard.ts')];
  const [call] = session.calls.edit(path, changes);
  if (!call) throw new Setback('no tool');
  writeFileSync(source, text);
  return times(session, call, MANY_TRIES, () => renewFrom(source, path));
}

/** On disk: what is still on its way there is none of the server's business. */
function renewFrom(source: string, path: string): void {
  copyFileSync(source, path);
  const fd = openSync(path, 'r+');
  fsyncSync(fd);
  closeSync(fd);
}

async function times(session: Session, call: ToolCall, tries: number, before = (): unknown => undefined) {
  const all: number[] = [];
  for (let at = 0; at < tries; at++) {
    before();
    all.push((await session.call(call, { limitMs: CALL_LIMIT_MS })).ms);
  }
  return all;
}

async function series(
  about: Pick<Series, 'panel' | 'name' | 'unit'>,
  sizes: readonly number[],
  measure: (size: number) => Promise<readonly number[]>,
): Promise<Series> {
  const points: Point[] = [];
  const missing: string[] = [];
  for (const x of sizes) {
    try {
      points.push({ x, ms: median(await measure(x)) });
    } catch (error) {
      if (!(error instanceof Setback || error instanceof NoAnswer)) throw error;
      missing.push(`${x.toLocaleString('en')} ${about.unit}: ${error.message}`);
      if (error instanceof NoAnswer) break;
    }
  }
  return { ...about, points, missing };
}
