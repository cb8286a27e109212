import { startAttack } from '../attack';
import type { Server } from '../server';
import { answerOrNothing, openSession } from '../session';
import { type SwapOperation, swapOperations } from '../swap-operations';
import { type Cell, type Figure, failures, NO_TOOL, type Scale, type Trial } from '../trial';

const LIMIT_MS = { ours: 150_000, peers: 40_000 };

export const symlinkSwap: Trial = {
  name: 'symlink-swap',
  what: 'A second process lets a directory and a symbolic link to the outside change places (renameat2 with RENAME_EXCHANGE) in a tight loop while the server is asked, 16 calls in flight, to work in that directory. Counted: calls that read or changed something outside the served folder.',
  async run(server, scale) {
    const cells: [string, Cell][] = [];
    for (const operation of swapOperations)
      cells.push([`symlink swap: ${operation.label}`, await attackOperation(server, scale, operation)]);
    return Object.fromEntries(cells) satisfies Figure;
  },
};

export async function attackOperation(server: Server, scale: Scale, operation: SwapOperation): Promise<Cell> {
  if (server.tools('/')[operation.needs] === undefined) return NO_TOOL;
  const wanted = scale.count(operation.counts);
  const until = performance.now() + (server.isOurs ? LIMIT_MS.ours : LIMIT_MS.peers);
  const stage = operation.stage(server);
  const session = await openSession(server, { root: stage.root });
  const attack = await startAttack(stage.pairs);
  const seen = { rounds: 0, escapes: 0, done: 0, silent: 0 };
  try {
    while (seen.rounds < wanted && performance.now() < until) {
      const calls = operation.batch(stage, session.tools).flatMap((call) => (call ? [call] : []));
      const answers = await Promise.all(calls.map((call) => answerOrNothing(session.call(call))));
      const given = answers.flatMap((answer) => (answer ? [answer] : []));
      seen.rounds += calls.length;
      seen.done += given.filter(({ ok }) => ok).length;
      seen.silent += answers.length - given.length;
      seen.escapes += operation.escapes(stage, given);
      if (given.length === 0) break;
    }
  } finally {
    await attack.stop();
    await session.close();
    stage.remove();
  }
  const share = Math.round((100 * seen.done) / Math.max(1, seen.rounds));
  const notes = [`${operation.label}: ${share} % of the calls succeeded, the others were refused`];
  if (attack.kind === 'renames') notes.push('no gcc here: the attacker was a thread with three renames');
  if (seen.silent > 0) notes.push(`${operation.label}: ${seen.silent} calls got no answer`);
  return failures(seen.escapes, seen.rounds, notes);
}
