import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../places';
import type { Session } from '../server';
import { withSessions } from '../session';
import { failures, NO_TOOL, type Trial } from '../trial';

const PROCESSES = 8;
const IN_FLIGHT = 25;
const LIMIT_MS = { ours: 180_000, peers: 40_000 };
const rowOf = (processes: number) => `${processes} processes append to one file: lines lost or torn`;
const QUICK_PROCESSES = 3;

export const crowdAppends: Trial = {
  name: 'crowd-appends',
  what: `${PROCESSES} server processes append lines of different length to one file, ${IN_FLIGHT} calls in flight each. Counted: lines that were called done and are missing, and lines that nobody sent.`,
  async run(server, scale) {
    const processes = scale.isQuick ? QUICK_PROCESSES : PROCESSES;
    const row = rowOf(processes);
    if (server.tools('/').append === undefined) return { [row]: NO_TOOL };
    const each = scale.count({ ours: 2_000, peers: 200, quick: 100 });
    const folder = makeFolder({ inMemory: true });
    mkdirSync(folder.at(dirname(server.appendPath)), { recursive: true });
    writeFileSync(folder.at(server.appendPath), '');
    const sent = new Set<string>();
    const promised: string[] = [];
    try {
      await withSessions(server, { root: folder.path }, processes, async (sessions) => {
        const until = scale.deadline(LIMIT_MS);
        await Promise.all(sessions.map((session, seat) => appendAll(session, seat, { each, until, sent, promised })));
      });
      const found = readFileSync(folder.at(server.appendPath), 'utf8').split('\n').slice(0, -1);
      const isFound = new Set(found);
      const lost = promised.filter((line) => !isFound.has(line)).length;
      const torn = found.filter((line) => !sent.has(line)).length + (found.length - isFound.size);
      const refused = sent.size - promised.length;
      const cell = failures(lost + torn, promised.length, [
        `${lost} lost, ${torn} torn or doubled${refused > 0 ? `, ${refused} refused` : ''}`,
      ]);
      return { [row]: { ...cell, holds: cell.holds === true && (refused === 0 || !server.isOurs) } };
    } finally {
      folder.remove();
    }
  },
};

interface Log {
  readonly each: number;
  readonly until: number;
  readonly sent: Set<string>;
  readonly promised: string[];
}

async function appendAll(session: Session, seat: number, { each, until, sent, promised }: Log): Promise<void> {
  for (let at = 0; at < each && performance.now() < until; at += IN_FLIGHT) {
    const lines = Array.from({ length: IN_FLIGHT }, (_, lane) => lineOf(seat, at + lane));
    for (const line of lines) sent.add(line);
    const answers = await Promise.all(lines.map((line) => session.append(line)));
    promised.push(...lines.filter((_, lane) => answers[lane]?.ok));
  }
}

function lineOf(seat: number, at: number): string {
  return `entry ${seat}.${at} ${'x'.repeat((at * 37) % 400)}.`;
}
