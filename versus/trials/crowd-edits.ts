import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Folder, makeFolder } from '../places';
import type { Server, Session } from '../server';
import { answerOrNothing, openSession } from '../session';
import type { Trial } from '../trial';

const PROCESSES = 8;
const rowOf = (processes: number) => `${processes} processes edit one file under kill -9: lost though called done`;
const QUICK_PROCESSES = 3;
const MAX_REFUSALS = 3;
const LIMIT_MS = { ours: 180_000, peers: 60_000 };

export const crowdEdits: Trial = {
  name: 'crowd-edits',
  what: `${PROCESSES} server processes edit different lines of one file, each one edit after the other, while one of them at random is killed with SIGKILL every now and then and started anew. Counted: edits that were called done and are missing at the end.`,
  async run(server, scale) {
    const processes = scale.isQuick ? QUICK_PROCESSES : PROCESSES;
    const row = rowOf(processes);
    const each = scale.count({ ours: 250, peers: 30, quick: 15 });
    const folder = makeFolder({ inMemory: true });
    const lines = Array.from({ length: processes }, (_, seat) =>
      Array.from({ length: each }, (_unused, at) => `line ${seat}.${at} is old;\n`).join(''),
    );
    writeFileSync(folder.at('lines.txt'), lines.join(''));
    const crowd: Crowd = {
      server,
      folder,
      each,
      running: new Map(),
      promised: [],
      refused: 0,
    };
    const over = new AbortController();
    try {
      const started = performance.now();
      const sessions = await Promise.all(Array.from({ length: processes }, (_, seat) => sit(crowd, seat)));
      const until = scale.deadline(LIMIT_MS);
      // On the average two kills in the time of a start: more would leave nobody at work.
      const kills = killAtRandom(crowd, performance.now() - started, over.signal);
      await Promise.all(sessions.map((session, seat) => editAll(crowd, seat, session, until)));
      over.abort();
      const text = readFileSync(folder.at('lines.txt'), 'utf8');
      const lost = crowd.promised.filter((line) => !text.includes(`line ${line} is new;`)).length;
      const done = crowd.promised.length;
      if (done === 0) return { [row]: { text: 'none done', holds: undefined } };
      const notes = [
        `killed ${await kills} times`,
        ...(crowd.refused > 0 ? [`${crowd.refused} edits were refused`] : []),
      ];
      return {
        [row]: {
          text: `${lost} of ${done.toLocaleString('en')}`,
          holds: lost === 0 && (crowd.refused === 0 || !server.isOurs),
          notes,
        },
      };
    } finally {
      over.abort();
      await Promise.all([...crowd.running.values()].map((session) => session.kill()));
      folder.remove();
    }
  },
};

interface Crowd {
  readonly server: Server;
  readonly folder: Folder;
  readonly each: number;
  readonly running: Map<number, Session>;
  readonly promised: string[];
  refused: number;
}

async function editAll(crowd: Crowd, seat: number, first: Session, until: number): Promise<void> {
  let session = first;
  for (let at = 0, refusals = 0; at < crowd.each && performance.now() < until; ) {
    const line = `${seat}.${at}`;
    const answer = await answerOrNothing(
      session.edit('lines.txt', { from: `line ${line} is old;`, to: `line ${line} is new;` }),
    );
    if (!answer) {
      session = await sit(crowd, seat);
      // Killed before it could answer: it may have done it.
      if (readFileSync(crowd.folder.at('lines.txt'), 'utf8').includes(`line ${line} is new;`))
        crowd.promised.push(`${seat}.${at++}`);
    } else if (answer.ok || ++refusals > MAX_REFUSALS) {
      if (answer.ok) crowd.promised.push(line);
      else crowd.refused++;
      refusals = 0;
      at++;
    }
  }
  crowd.running.delete(seat);
  await session.close();
}

async function sit(crowd: Crowd, seat: number): Promise<Session> {
  crowd.running.delete(seat);
  const session = await openSession(crowd.server, { root: crowd.folder.path });
  crowd.running.set(seat, session);
  return session;
}

async function killAtRandom(crowd: Crowd, everyMs: number, signal: AbortSignal): Promise<number> {
  let kills = 0;
  while (!signal.aborted) {
    await sleep(Math.random() * everyMs, undefined, { signal }).catch(() => {});
    const victims = [...crowd.running.values()];
    const victim = victims[Math.floor(Math.random() * victims.length)];
    if (signal.aborted || victim === undefined) continue;
    kills++;
    await victim.kill();
  }
  return kills;
}
