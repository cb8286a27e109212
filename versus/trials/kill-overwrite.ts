import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../places';
import type { Server } from '../server';
import { answerOrNothing, openSession, withSession } from '../session';
import { type Figure, failures, type Trial } from '../trial';

const LANES = 3;
const LIMIT_MS = { ours: 240_000, peers: 60_000 };
const FILE = 'big.txt';

export const killOverwrite: Trial = {
  name: 'kill-overwrite',
  what: 'The server overwrites a file of 1 MB and is killed with SIGKILL at a random moment. Counted: files that are neither the old nor the new content; and files beside it that are still there after the next start and write.',
  async run(server, scale) {
    const rounds = scale.count({ ours: 500, peers: 60, quick: 3 });
    const seen: Seen = { rounds: 0, torn: 0, left: 0, swept: 0 };
    const until = scale.deadline(LIMIT_MS);
    await Promise.all(Array.from({ length: LANES }, () => overwriteAndKill(server, rounds, until, seen)));
    return {
      'kill -9 while overwriting: file torn or empty': failures(seen.torn, seen.rounds),
      'kill -9 while overwriting: leftovers after the next start': failures(seen.left, seen.rounds, [
        `${seen.swept} kills left a file behind at first`,
      ]),
    } satisfies Figure;
  },
};

interface Seen {
  rounds: number;
  torn: number;
  left: number;
  /** Kills that left something behind for the next start to clear away. */
  swept: number;
}

async function overwriteAndKill(server: Server, rounds: number, until: number, seen: Seen): Promise<void> {
  const folder = makeFolder({ inMemory: false });
  let leftBefore = 0;
  try {
    while (seen.rounds < rounds && performance.now() < until) {
      const round = ++seen.rounds;
      const session = await openSession(server, { root: folder.path });
      const started = performance.now();
      await session.write(FILE, content(2 * round));
      const usual = performance.now() - started;
      const pending = answerOrNothing(session.write(FILE, content(2 * round + 1)));
      await sleep(Math.random() * 1.2 * usual);
      await session.kill();
      await pending;
      const found = readFileSync(folder.at(FILE), 'utf8');
      if (found !== content(2 * round) && found !== content(2 * round + 1)) seen.torn++;
      const others = readdirSync(folder.path).length - 1;
      if (others > leftBefore) seen.swept++;
      leftBefore = others;
    }
    await withSession(server, { root: folder.path }, (session) => session.write(FILE, content(0)));
    seen.left += readdirSync(folder.path).length - 1;
  } finally {
    folder.remove();
  }
}

function content(version: number): string {
  return `version ${version} of the text\n`.repeat(36_000);
}
