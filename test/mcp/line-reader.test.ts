/** Lines that come together: handed over in order, and in turns. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LineReader } from '../../src/mcp/line-reader';
import { binary, repository } from '../harness/binary';
import { makeWorkspace } from '../harness/workspace';

const LINES = 40;
/** Together much more than one turn of the loop. */
const WORK_MS = 2;
const burst = Array.from({ length: LINES }, (_, at) => `line ${at}\n`).join('');

describe('lines that come together', () => {
  it('are handed over in order, and others have their turn in between', async () => {
    const { input, events, untilLines } = makeReader();
    let isWatched = true;
    const watching = (async () => {
      for (; isWatched; await turn()) if (events.at(-1) !== 'turn') events.push('turn');
    })();
    input.write(`${burst}the be`);
    input.write('ginning\n');
    await untilLines(LINES + 1);
    isWatched = false;
    await watching;
    const wanted = [...burst.trimEnd().split('\n'), 'the beginning'];
    expect(events.filter((event) => !MARKS.has(event))).toEqual(wanted);
    expect(events.filter((event) => event === 'turn').length).toBeGreaterThan(3);
    // What is said goes out before the others have their turn, and in the end.
    expect(events.join().match(/many,line \d+,turn/)).toBeNull();
    expect(events.lastIndexOf('pause')).toBeGreaterThan(events.lastIndexOf('many'));
  });

  it('are followed by nothing until they are all handed over', async () => {
    const { input, events, untilLines } = makeReader();
    input.write(burst);
    await turn();
    expect(events.includes(`line ${LINES - 1}`)).toBe(false);
    input.write('next\n');
    await untilLines(LINES + 1);
    expect(events.filter((event) => !MARKS.has(event)).at(-1)).toBe('next');
  });

  it('do not make it read on while whoever answers cannot keep up', async () => {
    const { input, reader, events, untilLines } = makeReader();
    input.write(burst);
    await turn();
    reader.stop();
    input.write('next\n');
    await untilLines(LINES);
    for (let turns = 0; turns < 10; turns++) await turn();
    expect(events).not.toContain('next');
    reader.goOn();
    await untilLines(LINES + 1);
    expect(events).toContain('next');
  });

  it('are dropped when nobody wants them any more', async () => {
    const { input, reader, events } = makeReader();
    input.write(burst);
    await turn();
    reader.end();
    const heard = events.length;
    for (let turns = 0; turns < 10; turns++) await turn();
    expect(events.slice(heard).filter((event) => !MARKS.has(event))).toEqual([]);
  });
});

it('a long line is handed over in turns', async () => {
  const { input, events, untilLines } = makeReader();
  let isWatched = true;
  const watching = (async () => {
    for (; isWatched; await turn()) if (events.at(-1) !== 'turn') events.push('turn');
  })();
  // Read in one go, as from a pipe.
  input.cork();
  for (let at = 0; at < LINES; at++) input.write('part ');
  input.write('end\nnext\n');
  input.uncork();
  await untilLines(2);
  isWatched = false;
  await watching;
  expect(events.filter((event) => !MARKS.has(event))).toEqual([`${'part '.repeat(LINES)}end`, 'next']);
  const parts = events.join().split(PART);
  expect(parts.length - 1).toBe(LINES);
  expect(parts.slice(1, -1).filter((between) => between.includes('turn')).length).toBeGreaterThan(3);
});

it('many small calls at once leave the loop to others in between [every.many-at-once]', async () => {
  const calls = 600;
  const workspace = makeWorkspace({ 'a.txt': 'x'.repeat(50_000) });
  const most = workspace.path('most');
  const child = spawn(
    process.execPath,
    [
      ...['--require', `${repository}/test/harness/opens-per-turn.cjs`],
      ...[binary, 'serve', '--root', workspace.root, '--toolsets', 'workspace'],
    ],
    { env: { ...process.env, MOST_OPENS_FILE: most }, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const message = (id: number, method: string, params: object) =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const opening = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'by-hand', version: '1' } };
  const reads = Array.from({ length: calls }, (_, at) =>
    message(at + 1, 'tools/call', { name: 'read_file', arguments: { file: 'a.txt' } }),
  );
  child.stdin.write(`${message(0, 'initialize', opening)}\n`);
  const ids: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, result } = JSON.parse(line) as { id: number; result: { isError?: boolean } };
    expect(result.isError).toBeUndefined();
    ids.push(id);
    if (id === 0) child.stdin.write(`${reads.join('\n')}\n`);
    if (id === calls) child.stdin.end();
  }
  expect(ids).toEqual(Array.from({ length: calls + 1 }, (_, at) => at));
  expect(Number(readFileSync(most, 'utf8'))).toBeLessThan(calls / 2);
  workspace.remove();
});

const PART = 'part of a line';
const MARKS = new Set(['many', 'pause', 'turn', PART]);

/** What it hands over is worked on for a while: a part at once, calls after promises that are settled. */
function makeReader() {
  const input = new PassThrough();
  const events: string[] = [];
  let part = '';
  let lines = 0;
  const reader = new LineReader(input, {
    onLine(line) {
      const whole = part + line;
      part = '';
      void work().then(() => {
        events.push(whole);
        lines++;
      });
    },
    onPart(begun) {
      part += begun;
      events.push(PART);
      keepBusy();
    },
    onMany: () => void events.push('many'),
    onPause: () => void events.push('pause'),
  });
  reader.start();
  const untilLines = async (count: number) => {
    while (lines < count) await turn();
  };
  return { input, reader, events, untilLines };
}

async function work(): Promise<void> {
  await undefined;
  await undefined;
  keepBusy();
}

function keepBusy(): void {
  const until = performance.now() + WORK_MS;
  while (performance.now() < until);
}
