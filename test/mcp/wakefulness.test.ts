/** The moment after an answer: awake for a client that goes on at once, asleep for all others. */
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../bench/process-stats';
import { createWakefulness } from '../../src/mcp/wakefulness';
import { makeWorkspace } from '../harness/workspace';
import { openLines } from './line-client';

/** A clock, and a loop that comes round when it is told to. */
function makeLoop(processors = 2) {
  const waiting: (() => void)[] = [];
  let time = 0;
  const parts = { now: () => time, soon: (work: () => void) => waiting.push(work), processors };
  return {
    ...createWakefulness(parts),
    pass(ms: number) {
      time += ms;
    },
    /** Whether something kept the loop from sleeping. */
    comesRound: () => {
      const [work] = waiting.splice(0, 1);
      work?.();
      return work !== undefined;
    },
    waiting,
  };
}

describe('after an answer', () => {
  it('the loop sleeps where the message before came on its own', () => {
    const loop = makeLoop();
    loop.heard();
    loop.said();
    expect(loop.waiting).toEqual([]);
  });

  it('the loop is awake for a moment where the client has gone on at once', () => {
    const loop = makeLoop();
    loop.said();
    loop.pass(0.1);
    loop.heard();
    loop.said();
    loop.pass(0.05);
    expect(loop.comesRound()).toBe(true);
    expect(loop.comesRound()).toBe(true);
    loop.pass(0.1);
    expect(loop.comesRound()).toBe(true);
    expect(loop.comesRound()).toBe(false);
  });

  it('the loop comes round once at a time, however many answers go out', () => {
    const loop = makeLoop();
    loop.said();
    loop.heard();
    for (let answers = 0; answers < 5; answers++) loop.said();
    expect(loop.waiting).toHaveLength(1);
  });

  it('the loop sleeps where the client took its time', () => {
    const loop = makeLoop();
    loop.said();
    loop.pass(2);
    loop.heard();
    loop.said();
    expect(loop.waiting).toEqual([]);
  });

  it('the loop sleeps where the client needs the only processor', () => {
    const loop = makeLoop(1);
    loop.said();
    loop.heard();
    loop.said();
    expect(loop.waiting).toEqual([]);
  });
});

it.skipIf(process.platform !== 'linux')(
  'a busy server rests when nobody calls any more [every.stdio.idle]',
  async () => {
    const workspace = makeWorkspace({ 'a.txt': 'hello\n' });
    const client = openLines(['serve', '--root', workspace.root]);
    await client.initialize();
    for (let calls = 0; calls < 300; calls++)
      await client.request('tools/call', { name: 'read_file', arguments: { file: 'a.txt' } });
    const restFor = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    await restFor(500);
    const before = cpuMs(client.pid);
    await restFor(1000);
    expect(cpuMs(client.pid) - before).toBeLessThan(100);
    await client.end();
    workspace.remove();
  },
);
