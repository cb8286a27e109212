/** A server whose event loop is watched: from inside, and by pings on its wire. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { repository } from '../test/harness/binary';
import type { ToolCall } from '../versus/server';
import { answerOf } from './answer';
import { contestant } from './contestants';
import { startOurs } from './http-server';
import { openHttpWire } from './http-wire';
import { Setback } from './results';
import { paramsOf } from './sessions';
import type { Stage } from './stage';
import { openWire, shakeHands, type Wire } from './wire';

export interface Watched {
  readonly ms: number;
  /** The longest that the loop stood still, seen from inside. */
  readonly blockMs: number;
  /** The same in the worst of several rounds. */
  readonly worstMs?: number;
  /** The longest that a ping was on its way: also what lies before it in the pipes. */
  readonly pingMs: number;
}

export interface ProbedSession {
  /** All at once. Throws where the server refuses what it is expected to do. */
  watch(calls: readonly ToolCall[], options: { mayFail: boolean }): Promise<Watched>;
  kill(): Promise<void>;
}

const PING_EVERY_MS = 5;
const CALL_LIMIT_MS = 30_000;
const REPORT_TRIES = 1_000;
/** What a call leaves to be cleared up is its own block. */
const AFTERMATH_MS = 500;
const probe = join(repository, 'bench', 'loop-probe.cjs');

export async function openProbedSession(name: string, stage: Stage): Promise<ProbedSession> {
  const file = stage.at(`.loop-probe-${name}`);
  const { launch, judge } = contestant(name);
  const { command, args, env } = launch(stage.root);
  const wire = openWire({ command, args: ['--require', probe, ...args], env: { ...env, LOOP_PROBE_FILE: file } });
  await shakeHands(wire);
  return {
    async watch(calls, { mayFail }) {
      await longestBlock(wire.pid, file);
      const pings = startPings(wire);
      try {
        const asked = calls.map((call) => wire.ask('tools/call', paramsOf(call), { limitMs: CALL_LIMIT_MS }));
        const replies = await Promise.all(asked);
        const pingMs = await pings.stop();
        await pause(AFTERMATH_MS);
        const blockMs = await longestBlock(wire.pid, file);
        if (!mayFail && !replies.every((reply) => judge(answerOf(reply)).ok)) throw new Setback('refused');
        return { ms: Math.max(...replies.map(({ ms }) => ms)), pingMs, blockMs };
      } finally {
        await pings.stop();
      }
    },
    kill: () => wire.kill(),
  };
}

/** The first requests that a fresh server gets over HTTP, which is what all else is built on. */
export async function watchFirstOverHttp(stage: Stage): Promise<Watched> {
  const file = stage.at('.loop-probe-http');
  const server = await startOurs(stage.root, { flags: ['--require', probe], env: { LOOP_PROBE_FILE: file } });
  try {
    await pause(AFTERMATH_MS);
    await longestBlock(server.pid, file);
    const began = performance.now();
    const wire = await openHttpWire(server.url, server.token);
    await wire.ask('tools/list', '{}');
    const ms = performance.now() - began;
    wire.close();
    return { ms, pingMs: Number.NaN, blockMs: await longestBlock(server.pid, file) };
  } finally {
    await server.stop();
  }
}

/** Since it was last asked. */
async function longestBlock(pid: number, file: string): Promise<number> {
  process.kill(pid, 'SIGUSR2');
  for (let left = REPORT_TRIES; left > 0 && !existsSync(file); left--) await pause(PING_EVERY_MS);
  const ms = Number(readFileSync(file, 'utf8'));
  rmSync(file);
  return ms;
}

function startPings(wire: Wire): { stop(): Promise<number> } {
  const pending: Promise<number>[] = [];
  const timer = setInterval(() => {
    const pinged = wire.ask('ping', '{}', { limitMs: CALL_LIMIT_MS });
    pending.push(pinged.then(({ ms }) => ms).catch(() => Number.NaN));
  }, PING_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      return Math.max(0, ...(await Promise.all(pending)).filter(Number.isFinite));
    },
  };
}
