/**
 * The calls of our tools that are under way in one session. Codex tells of a call (`item/started`), and the call itself
 * arrives; either may come first. The first one opens it, the other joins it, and the editor hears of it once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FileDiff } from '../contract/call';
import type { Announcer } from './announcer';
import type { AnnouncedCall } from './seed-events';
import { toolCallIdOf } from './translate/tool-call-id';

/** One of our tools with its arguments, and the number that Codex gave the call, where it gave one. */
export interface Arrival {
  readonly turnId: string;
  readonly callId?: string | undefined;
  readonly tool: string;
  /** As the model wrote it: anything. */
  readonly input: unknown;
}

export interface OpenCall {
  readonly call: AnnouncedCall;
  /** What the call would change; the editor has been told of the call when it is known. */
  readonly announced: Promise<readonly FileDiff[]>;
  running(): void;
  completed(output: object, diffs: readonly FileDiff[]): void;
  failed(output: object): void;
}

export interface OpenCalls {
  /** Codex tells of a call that will come, or is there already. */
  foretold(arrival: Arrival): void;
  /** A call without a number waits a moment for Codex's notice, which has one: the editor should know it by that. */
  arrived(arrival: Arrival): Promise<OpenCall>;
  /** Codex says that it is over; one that never arrived was refused on its way. */
  settled(turnId: string, callId: string, output: object): void;
  /** Nothing more will come of them. */
  closeAll(reason: string): void;
}

export interface OpenCallsParts {
  readonly announcer: Announcer;
  readonly describe: (id: string, arrival: Arrival) => AnnouncedCall;
  readonly preview: (arrival: Arrival) => Promise<readonly FileDiff[]>;
}

const NOTICE_LIMIT_MS = 100;

interface Entry extends OpenCall {
  readonly key: string;
  readonly turnId: string;
  readonly callId: string | undefined;
  hasArrived: boolean;
  isForetold: boolean;
}

interface Waiter {
  readonly key: string;
  take(entry: Entry): void;
}

export function createOpenCalls({ announcer, describe, preview }: OpenCallsParts): OpenCalls {
  const open = new Set<Entry>();
  /** Calls that were over before Codex told of them: its notice is still to come, and opens no second call. */
  const ahead = new Set<Entry>();
  const waiters = new Set<Waiter>();
  let nameless = 0;

  return {
    foretold(arrival) {
      const overtaken = find(ahead, arrival, () => true);
      if (overtaken) return void ahead.delete(overtaken);
      const entry = find(open, arrival, ({ isForetold }) => !isForetold) ?? openCall(arrival);
      entry.isForetold = true;
      const waiter = [...waiters].find(({ key }) => key === entry.key);
      if (!waiter || entry.hasArrived) return;
      waiters.delete(waiter);
      waiter.take(join(entry));
    },
    async arrived(arrival) {
      const isWaiting = arrival.callId === undefined;
      const there = find(open, arrival, ({ hasArrived }) => !hasArrived);
      return there ? join(there) : (isWaiting && (await noticeOf(keyOf(arrival)))) || join(openCall(arrival));
    },
    settled(turnId, callId, output) {
      for (const entry of open)
        if (entry.turnId === turnId && entry.callId === callId && !entry.hasArrived) entry.failed(output);
    },
    closeAll(reason) {
      for (const entry of [...open]) entry.failed({ error: { message: reason } });
      ahead.clear();
    },
  };

  function join(entry: Entry): Entry {
    entry.hasArrived = true;
    return entry;
  }

  /** The call that Codex tells of in the next moment; undefined when none comes. */
  async function noticeOf(key: string): Promise<Entry | undefined> {
    let waiter: Waiter | undefined;
    const notice = new Promise<Entry>((take) => {
      waiter = { key, take };
      waiters.add(waiter);
    });
    const found = await Promise.race([notice, sleep(NOTICE_LIMIT_MS, undefined)]);
    if (waiter) waiters.delete(waiter);
    return found;
  }

  /** By its number where both sides know it; over MCP the number is not told, and the words must do. */
  function find(among: Set<Entry>, arrival: Arrival, isFree: (entry: Entry) => boolean): Entry | undefined {
    const key = keyOf(arrival);
    return [...among].find((entry) => {
      if (!isFree(entry) || entry.key !== key) return false;
      return arrival.callId === undefined || entry.callId === undefined || entry.callId === arrival.callId;
    });
  }

  function openCall(arrival: Arrival): Entry {
    nameless += 1;
    const call = describe(toolCallIdOf(arrival.turnId, arrival.callId ?? `call-${nameless}`), arrival);
    let isOver = false;
    let isTold = false;
    const tell = (diffs: readonly FileDiff[]) => {
      if (!isTold) announcer.began(call, diffs);
      isTold = true;
      return diffs;
    };
    const end = (say: () => void) => {
      open.delete(entry);
      if (isOver) return;
      if (!entry.isForetold) ahead.add(entry);
      isOver = true;
      tell([]);
      say();
    };
    const entry: Entry = {
      key: keyOf(arrival),
      turnId: arrival.turnId,
      callId: arrival.callId,
      hasArrived: false,
      isForetold: false,
      call,
      announced: preview(arrival)
        .catch(() => [])
        .then(tell),
      running: () => void (isOver || announcer.running(call)),
      completed: (output, diffs) => end(() => announcer.completed(call, output, diffs)),
      failed: (output) => end(() => announcer.failed(call, output)),
    };
    open.add(entry);
    return entry;
  }
}

function keyOf({ turnId, tool, input }: Arrival): string {
  return JSON.stringify([turnId, tool, sorted(input)]);
}

/** The same object, whatever the order in which its keys were written. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, sorted((value as Record<string, unknown>)[key])]);
}
