import { startAttack } from '../attack';
import { openOurStore } from '../our-store';
import type { Answer, Server, ToolCall } from '../server';
import { answerOrNothing, openSession } from '../session';
import { type SwapOperation, swapOperations } from '../swap-operations';
import { type Cell, type Figure, failures, NO_TOOL, type Scale, type Trial } from '../trial';

const LIMIT_MS = { ours: 120_000, peers: 12_000 };
/** What a quick run tries on the others. */
const TASTE = ['read', 'write', 'move'];
/** Rounds on the store for each round through the door. */
const STORE_FACTOR = 4;

export const symlinkSwap: Trial = {
  name: 'symlink-swap',
  what: 'A second process lets a directory and a symbolic link to the outside change places (renameat2 with RENAME_EXCHANGE) in a tight loop while the server is asked, 16 calls in flight, to work in that directory; for the recursive delete, inside the tree that is being deleted. Counted: calls that read or changed something outside the served folder. For our server the same is repeated on its file store without the door in between, which gives more and closer rounds.',
  async run(server, scale) {
    const cells: [string, Cell][] = [];
    const isTaste = scale.isQuick && !server.isOurs;
    for (const operation of swapOperations.filter(({ label }) => !isTaste || TASTE.includes(label)))
      cells.push([`symlink swap, ${operation.label}: escapes`, await attackServer(server, scale, operation)]);
    if (server.isOurs)
      cells.push(['symlink swap, all of these on the file store: escapes', await attackOurStore(server, scale)]);
    return Object.fromEntries(cells) satisfies Figure;
  },
};

async function attackServer(server: Server, scale: Scale, operation: SwapOperation): Promise<Cell> {
  if (server.tools('/')[operation.needs] === undefined) return NO_TOOL;
  const seen = await attackThroughDoor(server, operation, {
    rounds: scale.count(operation.counts),
    deadline: () => scale.deadline(LIMIT_MS),
    endsWithEscape: scale.isQuick,
  });
  const share = Math.round((100 * seen.done) / Math.max(1, seen.rounds));
  const notes = [`${operation.label}: ${share} % of the calls succeeded`];
  if (seen.kind === 'renames') notes.push('no gcc here: the attacker was a thread with three renames');
  if (seen.silent > 0) notes.push(`${operation.label}: ${seen.silent} calls got no answer`);
  return failures(seen.escapes, seen.rounds, notes);
}

export async function attackThroughDoor(server: Server, operation: SwapOperation, until: Until): Promise<Seen> {
  const stage = operation.stage(server);
  const session = await openSession(server, { root: stage.root });
  const call = (each: ToolCall) => answerOrNothing(session.call(each));
  try {
    return await attackOperation(operation, stage, { server, call }, until);
  } finally {
    await session.close();
    stage.remove();
  }
}

async function attackOurStore(server: Server, scale: Scale): Promise<Cell> {
  let rounds = 0;
  let escapes = 0;
  for (const operation of swapOperations) {
    const seen = await attackStoreOperation(
      server,
      operation,
      scale.count(operation.counts) * (scale.isQuick ? 1 : STORE_FACTOR),
    );
    rounds += seen.rounds;
    escapes += seen.escapes;
  }
  return failures(escapes, rounds);
}

export async function attackStoreOperation(server: Server, operation: SwapOperation, rounds: number): Promise<Seen> {
  const stage = operation.stage(server);
  const { call } = openOurStore(stage.root);
  try {
    return await attackOperation(
      operation,
      stage,
      { server, call },
      { rounds, deadline: () => performance.now() + LIMIT_MS.ours, endsWithSuccess: true },
    );
  } finally {
    stage.remove();
  }
}

interface Until {
  readonly rounds: number;
  /** Asked when the server has started. */
  readonly deadline: () => number;
  /** One is enough to know. */
  readonly endsWithEscape?: boolean;
  /** Not before one has succeeded: an attacker that rests leaves the link in place for hundreds of quick calls. */
  readonly endsWithSuccess?: boolean;
}

export interface Seen {
  rounds: number;
  escapes: number;
  done: number;
  silent: number;
  readonly kind: 'exchange' | 'renames';
}

async function attackOperation(
  operation: SwapOperation,
  stage: ReturnType<SwapOperation['stage']>,
  { server, call }: { server: Server; call: (call: ToolCall) => Promise<Answer | undefined> },
  { rounds, deadline, endsWithEscape = false, endsWithSuccess = false }: Until,
): Promise<Seen> {
  const tools = server.tools(stage.root);
  const attack = await startAttack(stage.pairs);
  const until = deadline();
  const seen: Seen = { rounds: 0, escapes: 0, done: 0, silent: 0, kind: attack.kind };
  try {
    while ((seen.rounds < rounds || (endsWithSuccess && seen.done === 0)) && performance.now() < until) {
      const calls = operation.batch(stage, tools).flatMap((each) => (each ? [each] : []));
      const answers = await Promise.all(calls.map(call));
      const given = answers.flatMap((answer) => (answer ? [answer] : []));
      seen.rounds += calls.length;
      seen.done += given.filter(({ ok }) => ok).length;
      seen.silent += answers.length - given.length;
      seen.escapes += operation.escapes(stage, given);
      if (given.length === 0 || (endsWithEscape && seen.escapes > 0)) break;
    }
  } finally {
    await attack.stop();
  }
  return seen;
}
