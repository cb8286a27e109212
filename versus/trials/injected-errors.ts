import { setTimeout as sleep } from 'node:timers/promises';
import {
  append,
  type Change,
  edit,
  layTree,
  makeDirectory,
  move,
  overwrite,
  remove,
  removeTree,
  stateOf,
} from '../changes';
import { canInject, type Injection, withInjection } from '../inject';
import { wrongCode } from '../our-codes';
import { makeFolder } from '../places';
import type { Answer, Server, Session, ToolCall } from '../server';
import { answerOrNothing, openSession } from '../session';
import { type Cell, type Figure, NO_TOOL, notRun, type Trial } from '../trial';

/** Every call to the system that has a part in changing a file. */
const SYSTEM_CALLS = [
  'openat',
  'write',
  'pwrite64',
  'fsync',
  'fdatasync',
  'rename',
  'link',
  'unlink',
  'rmdir',
  'mkdir',
  'fchmod',
  'fchown',
  'close',
  'ftruncate',
  'getdents64',
];
const MAX_NTH = 8;
const ANSWER_LIMIT_MS = 4_000;
const MEND_LIMIT_MS = 6_000;
const MEND_PAUSE_MS = 50;
const END_PAUSE_MS = 100;
/** For each change. */
const LIMIT_MS = { ours: 90_000, peers: 20_000 };
const LOG = 'strace.log';

export const injectedErrors: Trial = {
  name: 'injected-errors',
  what: `strace lets the first, second, … up to the ${MAX_NTH}th ${SYSTEM_CALLS.join(', ')} of the server fail with EIO while it changes something. Counted: a file that is neither old nor new, files left behind, an error told while the new state stands and the answer does not say so, success told although a sync failed or the old state stands. Where the server itself ends of it, what it leaves is judged after its next start. A recursive delete may stop half-way if it says so. For our server also: another error code than that of the contract.`,
  async run(server, scale) {
    if (!canInject())
      return { 'EIO at the n-th system call': notRun('strace is not installed, or may not trace here') };
    const appending = server.appendPath === '' ? [] : [append(server)];
    const changes = [overwrite(), edit(), move, remove, removeTree, makeDirectory, ...appending];
    const rows: [string, Cell][] = [];
    for (const change of scale.isQuick && !server.isOurs ? changes.slice(0, 1) : changes) {
      const options = { maxNth: scale.isQuick ? 1 : MAX_NTH, until: scale.deadline(LIMIT_MS) };
      rows.push([rowOf(change), await sweep(server, options, change)]);
    }
    if (server.appendPath === '') rows.push([rowOf({ label: 'append' }), NO_TOOL]);
    return Object.fromEntries(rows) satisfies Figure;
  },
};

function rowOf({ label }: { label: string }): string {
  return `EIO at the n-th system call, ${label}: wrong outcomes`;
}

/** strace counts for each thread; the main thread is also tried alone, so that the others' calls come through. */
const POINTS = SYSTEM_CALLS.flatMap((systemCall) => [
  { systemCall, threads: 'all' as const },
  { systemCall, threads: 'main' as const },
]);

async function sweep(
  server: Server,
  { maxNth, until }: { maxNth: number; until: number },
  change: Change,
): Promise<Cell> {
  if (change.call(server.tools('/')) === undefined) return NO_TOOL;
  const folder = makeFolder({ inMemory: false });
  const root = folder.path;
  const wrong = new Set<string>();
  let tried = 0;
  let session: Session | undefined;
  try {
    for (const point of POINTS)
      for (let nth = 1; nth <= maxNth && performance.now() < until; nth++) {
        layTree(root, change.before);
        if (!session || hasEnded(session)) session = await openSession(server, { root });
        const { isInjected, answer, call } = await failAt(session, { ...point, nth, log: folder.at(LOG) }, change);
        if (!isInjected) break;
        tried++;
        if (answer === undefined) session = await startAgain(server, session, { root, change });
        const problem = judge(server, root, { change, call, answer, systemCall: point.systemCall });
        const thread = point.threads === 'all' ? 'a thread' : 'the main thread';
        if (problem !== undefined) wrong.add(`${change.label}, ${point.systemCall} ${nth} of ${thread}: ${problem}`);
      }
  } finally {
    await session?.kill();
    folder.remove();
  }
  return { text: `${wrong.size} of ${tried}`, holds: wrong.size === 0, notes: [...wrong] };
}

/**
 * Some of the calls that fail are the runtime's own, and end the server at once. What it leaves then is looked at when
 * it has been started again, as after a kill.
 */
async function startAgain(
  server: Server,
  dead: Session,
  { root, change }: { root: string; change: Change },
): Promise<Session> {
  await dead.kill();
  const session = await openSession(server, { root });
  const until = performance.now() + MEND_LIMIT_MS;
  while (stateOf(root, change, [LOG]).startsWith('wrong: ') && performance.now() < until) await sleep(MEND_PAUSE_MS);
  return session;
}

/** It may have answered, and ended after that. */
function hasEnded({ client: { process: server } }: Session): boolean {
  return server.exitCode !== null || server.signalCode !== null;
}

async function failAt(
  session: Session,
  injection: Injection,
  change: Change,
): Promise<{ isInjected: boolean; answer: Answer | undefined; call: ToolCall }> {
  const call = change.call(session.tools);
  if (!call) throw new Error('no such tool');
  const { isInjected, result } = await withInjection(session.pid, injection, () =>
    answerOrNothing(session.call(call, { limitMs: ANSWER_LIMIT_MS })),
  );
  // What it does after its answer may have ended it; then that is known in a moment.
  if (isInjected) await sleep(END_PAUSE_MS);
  return { isInjected, answer: result, call };
}

interface Tried {
  readonly change: Change;
  readonly call: ToolCall;
  readonly answer: Answer | undefined;
  readonly systemCall: string;
}

/** What was wrong, or undefined where everything was as it should be. */
function judge(server: Server, root: string, { change, call, answer, systemCall }: Tried): string | undefined {
  const state = stateOf(root, change, [LOG]);
  if (state.startsWith('wrong: ')) return state.slice('wrong: '.length);
  if (answer === undefined) return undefined;
  if (answer.ok && state !== 'after') return 'called done, but the old state stands';
  if (answer.ok && /sync/.test(systemCall)) return 'called done, though the sync failed';
  if (!answer.ok && state === 'after' && !/in place/.test(answer.text))
    return 'told an error, but the new state stands';
  if (/internal error/i.test(answer.text)) return 'told an internal error';
  return server.isOurs && !answer.ok ? wrongCode(call, answer, 'broken') : undefined;
}
