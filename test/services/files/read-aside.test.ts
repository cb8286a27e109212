/** The other thread, as it is built, says what a directory has now, whatever was there when it was last read. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Anchor, anchorAt, canPin } from '../../../src/services/files/anchor';
import { type FirstEntries, firstEntries } from '../../../src/services/files/first-entries';
import { createReadAside, type ReadAside } from '../../../src/services/files/read-aside';
import { binary } from '../../harness/binary';
import { makeWorkspace, type Workspace } from '../../harness/workspace';

const threadFile = join(dirname(binary), 'reading-thread.cjs');
const COUNT = 300;
const NAMES = Array.from({ length: 600 }, (_, at) => `n${String(at).padStart(4, '0')}`);
const LIKELY = NAMES.slice(0, COUNT);

let workspace: Workspace;
let directory: Anchor;
let readAside: ReadAside;
const at = (name: string) => workspace.path(`many/${name}`);
const add = (...names: string[]) => {
  for (const name of names) writeFileSync(at(name), '');
};
const remove = (...names: string[]) => {
  for (const name of names) rmSync(at(name), { recursive: true, force: true });
};
const ask = (likely: readonly string[], count = COUNT) => readAside({ path: directory.at(), count, likely });

beforeEach(() => {
  workspace = makeWorkspace();
  mkdirSync(workspace.path('many'));
  add(...NAMES);
  directory = anchorAt(workspace.path('many'), { pinned: canPin() });
  readAside = createReadAside(threadFile);
});
afterEach(() => {
  directory.close();
  workspace.remove();
});

/** The second to ask starts the thread, and nobody waits for it. */
async function answerOf(likely: readonly string[], count = COUNT): Promise<FirstEntries> {
  for (let asked = 0; asked < 200; asked++) {
    const answer = await ask(likely, count);
    if (answer) return answer;
    await wait(25);
  }
  throw new Error('the thread does not come up');
}

it('nobody waits for the thread to start', async () => {
  for (let asked = 0; asked < 2; asked++) expect(await ask(LIKELY)).toBeUndefined();
  expect(await answerOf(LIKELY)).toEqual({ names: LIKELY, kinds: new Map(), isCut: true });
});

it('names that stayed the same are not handed over again', async () => {
  for (let round = 0; round < 3; round++) expect((await answerOf(LIKELY)).names).toBe(LIKELY);
});

const CHANGES: Record<string, () => void> = {
  nothing: () => {},
  'a name before all others': () => add('a'),
  'a name in between': () => add('n0100a'),
  'a name behind what is wanted': () => add('z'),
  'a name that is gone': () => remove('n0100'),
  'a hundred that are gone': () => remove(...NAMES.slice(50, 150)),
  'most of them gone': () => remove(...NAMES.slice(10, 500)),
  'so few left that nothing is cut': () => remove(...NAMES.slice(200)),
  'other kinds': () => {
    remove('n0100', 'n0200');
    mkdirSync(at('n0100'));
    symlinkSync('n0001', at('n0200'));
  },
  'what is being written': () => add('.tenon-0123456789ab.tmp', '.hidden'),
};

it('whatever has changed is told, one change after the other', async () => {
  let likely: readonly string[] = LIKELY;
  for (const [what, change] of Object.entries(CHANGES)) {
    change();
    const now = await answerOf(likely);
    expect(now, what).toEqual(await firstEntries(directory, COUNT));
    likely = now.names;
  }
});

it('those who ask at once each get their own answer', async () => {
  await answerOf(LIKELY);
  const counts = [1, 2, 299, 300, 500, 599, 600, 2000, 300, 300];
  const answers = await Promise.all(counts.map((count) => ask(LIKELY.slice(0, count), count)));
  for (const [index, count] of counts.entries())
    expect(answers[index], `${count}`).toEqual(await firstEntries(directory, count));
});

it('a directory that cannot be read has no answer, and the next one has', async () => {
  await answerOf(LIKELY);
  const gone = { path: workspace.path('gone'), count: COUNT, likely: LIKELY };
  expect(await Promise.all([readAside(gone), readAside(gone)])).toEqual([undefined, undefined]);
  expect((await answerOf(LIKELY)).names).toBe(LIKELY);
});

it('a thread that nobody wants any more ends, and another one is started when it is wanted', async () => {
  readAside = createReadAside(threadFile, { idleMs: 300 });
  await answerOf(LIKELY);
  await wait(1000);
  expect(await ask(LIKELY)).toBeUndefined();
  expect((await answerOf(LIKELY)).names).toBe(LIKELY);
});

it.each(['relative.cjs', '/nowhere/at-all.cjs'])('where no thread can be had, there is no answer: %s', async (file) => {
  readAside = createReadAside(file);
  for (let asked = 0; asked < 20; asked++) {
    expect(await ask(LIKELY)).toBeUndefined();
    await wait(25);
  }
});
