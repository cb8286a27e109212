/** Large files are read a piece at a time. */
import { closeSync, openSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readGently } from '../../../src/services/files/slices';
import { makeWorkspace, type Workspace } from '../../harness/workspace';

const MEGABYTE = 1_048_576;
/** No disk is slow by this measure, and every disk by the other. */
const NEVER = Number.POSITIVE_INFINITY;
const ALWAYS = -1;
/** Many turns of the loop, however quick the machine is. */
const LONG_MS = 100;

let workspace: Workspace;
let fd: number;
const bytes = Buffer.from(Array.from({ length: 400_000 }, (_, at) => `line ${at}\n`).join(''));
beforeAll(() => {
  workspace = makeWorkspace();
  fd = openSync(workspace.write('large.txt', bytes), 'r');
});
afterAll(() => {
  closeSync(fd);
  workspace.remove();
});

describe.each([
  ['in memory', NEVER],
  ['on a slow disk', ALWAYS],
])('a file %s', (_, slowMs) => {
  it.each([
    ['all of it', 0, bytes.length],
    ['the middle', 1_000_001, 3_000_000],
    ['what is there of more', 0, bytes.length + MEGABYTE],
    ['nothing beyond its end', bytes.length, MEGABYTE],
  ])('is read exactly: %s', async (_what, from, length) => {
    const read = await readGently(fd, Buffer.alloc(length), from, slowMs);
    expect(read.equals(bytes.subarray(from, from + length))).toBe(true);
  });
});

it('is read by no other thread where it is in memory, and others have their turn', async () => {
  let isReading = true;
  let turns = 0;
  const busy = new Set<string>();
  const watch = () => {
    for (const resource of process.getActiveResourcesInfo()) busy.add(resource);
    turns++;
    if (isReading) setImmediate(watch);
  };
  setImmediate(watch);
  const room = Buffer.alloc(bytes.length);
  const enough = performance.now() + LONG_MS;
  while (performance.now() < enough) await readGently(fd, room, 0, NEVER);
  isReading = false;
  expect(turns).toBeGreaterThan(1);
  expect(busy).not.toContain('FSReqCallback');
});
