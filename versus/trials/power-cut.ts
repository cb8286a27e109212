import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canMount, type Disk, mountImage } from '../mounts';
import { compile } from '../native';
import type { Server, Session } from '../server';
import { answerOrNothing, openSession } from '../session';
import { type Cell, failures, NO_TOOL, notRun, type Trial } from '../trial';

const IMAGE_MEGABYTES = 32;
const STOP_LIMIT_MS = 500;
const LIMIT_MS = { ours: 180_000, peers: 60_000 };

export const powerCut: Trial = {
  name: 'power-cut',
  what: 'On an ext4 file system of its own the server writes version after version of a file, or appends line after line, one call after the other. At a random moment it is stopped, the file system is shut down without flushing its journal (EXT4_IOC_SHUTDOWN), and mounted anew. Counted: cuts after which something is missing that had been called done.',
  async run(server, scale) {
    const helper = await compile('power-cut');
    if (helper === undefined || !canMount()) return { 'power cut': notRun('it needs root, gcc and ext4') };
    const cuts = scale.count({ ours: 40, peers: 10, quick: 2 });
    return {
      'power cut: a write that was called done is lost': await cutOften(
        server,
        { helper, cuts, until: scale.deadline(LIMIT_MS) },
        writing,
      ),
      'power cut: an append that was called done is lost':
        server.tools('/').append === undefined
          ? NO_TOOL
          : await cutOften(server, { helper, cuts, until: scale.deadline(LIMIT_MS) }, appending(server)),
    };
  },
};

interface Work {
  readonly file: string;
  start(session: Session, version: number): ReturnType<Session['write']>;
  /** Whether everything up to that version is in the text. */
  isKept(text: string, version: number): boolean;
}

const writing: Work = {
  file: 'd/f.txt',
  start: (session, version) => session.write('d/f.txt', `version ${version}\n`.repeat(200)),
  isKept(text, version) {
    const found = Number(/^version (\d+)\n/.exec(text)?.[1] ?? -1);
    return found >= version && text === `version ${found}\n`.repeat(200);
  },
};

function appending({ appendPath }: Server): Work {
  return {
    file: appendPath,
    start: (session, version) => session.append(`line ${version}`),
    isKept: (text, version) => text.startsWith(Array.from({ length: version }, (_, at) => `line ${at + 1}\n`).join('')),
  };
}

interface Cutting {
  readonly helper: string;
  readonly cuts: number;
  readonly until: number;
}

async function cutOften(server: Server, { helper, cuts, until }: Cutting, work: Work): Promise<Cell> {
  const disk = mountImage(IMAGE_MEGABYTES);
  let done = 0;
  let lost = 0;
  let worst = 0;
  try {
    while (done < cuts && performance.now() < until) {
      for (const name of readdirSync(disk.path))
        if (name !== 'lost+found') rmSync(join(disk.path, name), { recursive: true, force: true });
      mkdirSync(join(disk.path, dirname(work.file)), { recursive: true });
      const promised = await cutOnce(server, helper, disk, work);
      done++;
      const text = textOf(join(disk.path, work.file));
      if (work.isKept(text, promised)) continue;
      lost++;
      worst = Math.max(worst, promised - lastKept(text, promised, work));
    }
  } finally {
    disk.remove();
  }
  return failures(lost, done, lost > 0 ? [`up to ${worst} of the last answers were lost`] : []);
}

/** The last version that the server had called done when the power went. */
async function cutOnce(server: Server, helper: string, disk: Disk, work: Work): Promise<number> {
  const session = await openSession(server, { root: disk.path });
  let promised = 0;
  let isCut = false;
  const writer = (async () => {
    for (let version = 1; !isCut; version++) {
      const answer = await answerOrNothing(work.start(session, version));
      if (!answer?.ok || isCut) return;
      promised = version;
    }
  })();
  await sleep(100 + Math.random() * 400);
  session.client.process.kill('SIGSTOP');
  await stopped(session.pid);
  await sleep(20); // What it had answered before is read now.
  isCut = true;
  const last = promised;
  disk.cutPower(helper);
  await session.kill();
  await writer;
  disk.reopen();
  return last;
}

/** No thread runs any more; one that hangs in a sync cannot answer either. */
async function stopped(pid: number): Promise<void> {
  const until = performance.now() + STOP_LIMIT_MS;
  while (performance.now() < until) {
    const states = readdirSync(`/proc/${pid}/task`).map((task) => {
      const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8');
      return stat.charAt(stat.lastIndexOf(')') + 2);
    });
    if (states.every((state) => 'TtDZX'.includes(state))) return;
    await sleep(2);
  }
}

function lastKept(text: string, promised: number, work: Work): number {
  for (let version = promised; version > 0; version--) if (work.isKept(text, version)) return version;
  return 0;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
