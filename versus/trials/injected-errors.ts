import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Folder, makeFolder } from '../places';
import type { Answer, Server, Session } from '../server';
import { answerOrNothing, openSession } from '../session';
import { type Cell, type Figure, NO_TOOL, notRun, type Trial } from '../trial';

/** Every call to the system that has a part in writing a file. */
const SYSTEM_CALLS = [
  'openat',
  'write',
  'pwrite64',
  'fsync',
  'fdatasync',
  'rename',
  'fchmod',
  'fchown',
  'close',
  'ftruncate',
  'getdents64',
  'mkdir',
];
const MAX_NTH = 8;
const ANSWER_LIMIT_MS = 4_000;
const LIMIT_MS = { ours: 90_000, peers: 60_000 };
const OLD = 'the old content\n'.repeat(500);
const NEW = 'the new content\n'.repeat(600);

export const injectedErrors: Trial = {
  name: 'injected-errors',
  what: `strace lets the first, second, … up to the ${MAX_NTH}th ${SYSTEM_CALLS.join(', ')} of the server fail with EIO while it overwrites or appends to a file. Counted: a file that is neither old nor new, files left behind, an error told while the new content stands and the answer does not say so, success told although a sync failed or the old content stands.`,
  async run(server, scale) {
    if (!hasStrace())
      return { 'EIO at the n-th system call': notRun('strace is not installed, or may not trace here') };
    const nth = scale.isQuick ? 2 : MAX_NTH;
    const rows: Figure = {
      'EIO at the n-th system call, overwrite: wrong outcomes': await sweep(
        server,
        { maxNth: nth, until: scale.deadline(LIMIT_MS) },
        overwriting(),
      ),
      'EIO at the n-th system call, append: wrong outcomes':
        server.tools('/').append === undefined
          ? NO_TOOL
          : await sweep(server, { maxNth: nth, until: scale.deadline(LIMIT_MS) }, appending(server)),
    };
    return rows;
  },
};

interface Work {
  readonly file: string;
  readonly after: string;
  start(session: Session): Promise<Answer>;
}

function overwriting(): Work {
  return {
    file: 'd/f.txt',
    after: NEW,
    start: (session) => session.call(required(session.tools.write?.('d/f.txt', NEW)), LIMIT),
  };
}

function appending({ appendPath }: Server): Work {
  return {
    file: appendPath,
    after: `${OLD}entry\n`,
    start: (session) => session.call(required(session.tools.append?.('entry')), LIMIT),
  };
}

const LIMIT = { limitMs: ANSWER_LIMIT_MS };

/** strace counts for each thread; the main thread is also tried alone, so that the others' calls come through. */
const POINTS = SYSTEM_CALLS.flatMap((systemCall) => [
  { systemCall, threads: 'all' as const },
  { systemCall, threads: 'main' as const },
]);

async function sweep(server: Server, { maxNth, until }: { maxNth: number; until: number }, work: Work): Promise<Cell> {
  const folder = makeFolder({ inMemory: false });
  const wrong = new Set<string>();
  let tried = 0;
  let session: Session | undefined;
  try {
    for (const { systemCall, threads } of POINTS) {
      for (let nth = 1; nth <= maxNth && performance.now() < until; nth++) {
        reset(folder, work.file);
        session ??= await openSession(server, { root: folder.path });
        const outcome = await failAt(session, { systemCall, threads, nth, log: folder.at('strace.log') }, work);
        if (!outcome.isInjected) break;
        tried++;
        const problem = judge(folder, work, outcome.answer, systemCall);
        if (problem !== undefined)
          wrong.add(`${systemCall} ${nth} of ${threads === 'all' ? 'a' : 'the main'} thread: ${problem}`);
        if (outcome.answer === undefined) {
          await session.kill();
          session = undefined;
        }
      }
    }
  } finally {
    await session?.kill();
    folder.remove();
  }
  return { text: `${wrong.size} of ${tried}`, holds: wrong.size === 0, notes: [...wrong] };
}

async function failAt(
  session: Session,
  { systemCall, threads, nth, log }: { systemCall: string; threads: 'all' | 'main'; nth: number; log: string },
  work: Work,
): Promise<{ isInjected: boolean; answer: Answer | undefined }> {
  const inject = `inject=${systemCall}:error=EIO:when=${nth}`;
  const args = [
    ...(threads === 'all' ? ['-f'] : []),
    '-p',
    String(session.pid),
    '-e',
    `trace=${systemCall}`,
    '-e',
    inject,
    '-o',
    log,
  ];
  const tracer = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  await attached(tracer);
  const answer = await answerOrNothing(work.start(session));
  tracer.kill('SIGINT');
  await new Promise<void>((resolve) => (tracer.exitCode === null ? tracer.once('exit', () => resolve()) : resolve()));
  const isInjected = readFileSync(log, 'utf8').includes('(INJECTED)');
  rmSync(log);
  return { isInjected, answer };
}

function attached(tracer: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    tracer.stderr?.on('data', (chunk) => {
      said += chunk;
      if (said.includes('attached')) setTimeout(resolve, 20);
    });
    tracer.once('exit', () => reject(new Error(`strace ended: ${said}`)));
  });
}

function reset(folder: Folder, file: string): void {
  for (const name of readdirSync(folder.path)) rmSync(folder.at(name), { recursive: true, force: true });
  mkdirSync(folder.at(dirname(file)), { recursive: true });
  writeFileSync(folder.at(file), OLD);
}

/** What was wrong, or undefined where everything was as it should be. */
function judge(
  folder: Folder,
  { file, after }: Work,
  answer: Answer | undefined,
  systemCall: string,
): string | undefined {
  const found = readFileSync(folder.at(file), 'utf8');
  const left = readdirSync(folder.at(dirname(file))).length - 1;
  if (found !== OLD && found !== after) return found.length === 0 ? 'the file is empty' : 'the file is torn';
  if (left > 0) return `${left} left behind`;
  if (answer === undefined) return undefined;
  if (answer.ok && found !== after) return 'called done, but the old content stands';
  if (answer.ok && /sync/.test(systemCall)) return 'called done, though the sync failed';
  if (!answer.ok && found === after && !/in place/.test(answer.text))
    return 'told an error, but the new content stands';
  if (/internal error/i.test(answer.text)) return 'told an internal error';
  return undefined;
}

function hasStrace(): boolean {
  try {
    execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('no such tool');
  return value;
}
