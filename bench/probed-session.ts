/** A server whose event loop is watched: from inside, and by pings on its wire. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ToolCall } from '../versus/server';
import { answerOf } from './answer';
import { contestant } from './contestants';
import { startOurs } from './http-server';
import { openHttpWire } from './http-wire';
import { type Block, worstBlock } from './loop-block';
import { Setback } from './results';
import { paramsOf } from './sessions';
import type { Stage } from './stage';
import { probed, standstills, startBystanders } from './watched-loop';
import { openWire, shakeHands, type Wire } from './wire';

export interface Watched {
  readonly ms: number;
  /** The longest that the loop stood still, seen from inside. */
  readonly block: Block;
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
/** What a call leaves to be cleared up is its own block. */
const AFTERMATH_MS = 500;

export async function openProbedSession(name: string, stage: Stage): Promise<ProbedSession> {
  const file = stage.at(`.loop-probe-${name}`);
  const { launch, judge } = contestant(name);
  const { command, args, env } = launch(stage.root);
  const probe = probed(file);
  const wire = openWire({ command, args: [...probe.flags, ...args], env: { ...env, ...probe.env } });
  await shakeHands(wire);
  const bystanders = await startBystanders(file);
  return {
    async watch(calls, { mayFail }) {
      await standstills(wire.pid, file);
      await bystanders.standstills();
      const pings = startPings(wire);
      try {
        const asked = calls.map((call) => wire.ask('tools/call', paramsOf(call), { limitMs: CALL_LIMIT_MS }));
        const replies = await Promise.all(asked);
        const pingMs = await pings.stop();
        await pause(AFTERMATH_MS);
        const block = worstBlock(await standstills(wire.pid, file), await bystanders.standstills());
        if (!mayFail && !replies.every((reply) => judge(answerOf(reply)).ok)) throw new Setback('refused');
        const ms = Math.max(...replies.map((reply) => reply.ms));
        return { ms, pingMs, block };
      } finally {
        await pings.stop();
      }
    },
    async kill() {
      bystanders.stop();
      await wire.kill();
    },
  };
}

/** The first requests that a fresh server gets over HTTP, which is what all else is built on. */
export async function watchFirstOverHttp(stage: Stage): Promise<Watched> {
  const file = stage.at('.loop-probe-http');
  const server = await startOurs(stage.root, probed(file));
  const bystanders = await startBystanders(file);
  try {
    await pause(AFTERMATH_MS);
    await standstills(server.pid, file);
    await bystanders.standstills();
    const began = performance.now();
    const wire = await openHttpWire(server.url, server.token);
    await wire.ask('tools/list', '{}');
    const ms = performance.now() - began;
    wire.close();
    const block = worstBlock(await standstills(server.pid, file), await bystanders.standstills());
    return { ms, pingMs: Number.NaN, block };
  } finally {
    bystanders.stop();
    await server.stop();
  }
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
