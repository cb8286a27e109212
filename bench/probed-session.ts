/** A server whose event loop is watched: from inside, and by pings on its wire. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { repository } from '../test/harness/binary';
import type { ToolCall } from '../versus/server';
import { answerOf } from './answer';
import { contestant } from './contestants';
import { Setback } from './results';
import { paramsOf } from './sessions';
import type { Stage } from './stage';
import { openWire, shakeHands, type Wire } from './wire';

export interface Watched {
  readonly ms: number;
  /** The longest that the loop stood still, seen from inside. */
  readonly blockMs: number;
  /** The longest that a ping was on its way: also what lies before it in the pipes. */
  readonly pingMs: number;
}

export interface ProbedSession {
  /** Throws where the server refuses what it is expected to do. */
  watch(call: ToolCall, options: { mayFail: boolean }): Promise<Watched>;
  kill(): Promise<void>;
}

const PING_EVERY_MS = 5;
const CALL_LIMIT_MS = 30_000;
const REPORT_TRIES = 1_000;

export async function openProbedSession(name: string, stage: Stage): Promise<ProbedSession> {
  const file = stage.at(`.loop-probe-${name}`);
  const { launch, judge } = contestant(name);
  const { command, args, env } = launch(stage.root);
  const probe = join(repository, 'bench', 'loop-probe.cjs');
  const wire = openWire({ command, args: ['--require', probe, ...args], env: { ...env, LOOP_PROBE_FILE: file } });
  await shakeHands(wire);
  return {
    async watch(call, { mayFail }) {
      await longestBlock(wire, file);
      const pings = startPings(wire);
      try {
        const { ms, line } = await wire.ask('tools/call', paramsOf(call), { limitMs: CALL_LIMIT_MS });
        const watched = { ms, pingMs: await pings.stop(), blockMs: await longestBlock(wire, file) };
        if (!mayFail && !judge(answerOf({ line })).ok) throw new Setback('refused');
        return watched;
      } finally {
        await pings.stop();
      }
    },
    kill: () => wire.kill(),
  };
}

/** Since it was last asked. */
async function longestBlock(wire: Wire, file: string): Promise<number> {
  process.kill(wire.pid, 'SIGUSR2');
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
