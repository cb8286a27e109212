import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { NoAnswer } from '../mcp-client';
import { makeFolder } from '../places';
import type { RunOutcome, RunRequest, Server, Session } from '../server';
import { withSession } from '../session';
import { type Cell, NO_TOOL, type Scale, type Trial } from '../trial';

const MEGABYTE = 1_048_576;
const MAX_GROWTH_BYTES = 50 * MEGABYTE;
const MAX_EXTRA_MS = 1_000;
const SETTLE_MS = 300;
const ROWS = {
  flood: '10 GB of output: memory of the server grows by',
  stubborn: 'a tree that ignores SIGTERM: time beyond the time-out, left alive',
  escapee: 'programs in a session of their own: left alive',
  stranger: 'the same, without their environment and their parent: left alive',
  holder: 'a background program holds the pipe: answer after, left alive',
} as const;

export const processes: Trial = {
  name: 'processes',
  what: 'The server runs a Node.js script that floods its output; that starts a tree whose programs ignore SIGTERM, with a time-out of one second; that starts programs in sessions of their own, as children or orphaned and without environment, and ends; that leaves a program behind which holds the output pipe. Where the time-out of a server does not end the program, its tool for that is called at once. Counted: growth of the server’s memory (peak of its resident set), time until the end, programs alive after it.',
  async run(server, scale) {
    const { run } = server;
    if (!run) return Object.fromEntries(Object.values(ROWS).map((row) => [row, NO_TOOL]));
    return {
      [ROWS.flood]: await inSession(server, (session) => flood(server, session, scale)),
      [ROWS.stubborn]: await inSession(server, (session) =>
        watch(server, session, { start: STUBBORN, timeoutMs: 1_000, isTimed: true }),
      ),
      [ROWS.escapee]: await inSession(server, (session) =>
        watch(server, session, { start: ESCAPEE, timeoutMs: 5_000 }),
      ),
      [ROWS.stranger]: await inSession(server, (session) =>
        watch(server, session, { start: STRANGER, timeoutMs: 5_000 }),
      ),
      [ROWS.holder]: await inSession(server, (session) => watch(server, session, { start: HOLDER, timeoutMs: 10_000 })),
    };
  },
};

async function inSession(server: Server, work: (session: Session) => Promise<Cell>): Promise<Cell> {
  const folder = makeFolder({ inMemory: false });
  try {
    return await withSession(server, { root: folder.path }, work);
  } finally {
    folder.remove();
  }
}

function node(script: string, timeoutMs: number): RunRequest {
  return { command: 'node', args: ['-e', script], timeoutMs };
}

/** Undefined where the server did not answer. */
async function runIn(server: Server, session: Session, request: RunRequest): Promise<RunOutcome | undefined> {
  try {
    return await server.run?.(session, request);
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

const WAIT = 'setTimeout(()=>{},120000)';
const start = (options: string, source = WAIT) =>
  `require('child_process').spawn(process.execPath,['-e',${JSON.stringify(source)},TOKEN],${options})`;

const STUBBORN = (token: string) =>
  script(
    token,
    `process.on('SIGTERM',()=>{});for(let i=0;i<3;i++)${start("{stdio:'inherit'}", `process.on('SIGTERM',()=>{});${WAIT}`)};${WAIT}`,
  );
const ESCAPEE = (token: string) =>
  script(
    token,
    `for(let i=0;i<4;i++)${start("{detached:true,stdio:'ignore'}")}.unref();setTimeout(()=>process.exit(),300)`,
  );
const STRANGER = (token: string) =>
  script(
    token,
    `for(let i=0;i<4;i++)${start("{detached:true,stdio:'ignore',env:{}}")}.unref();setTimeout(()=>process.exit(),300)`,
  );
const HOLDER = (token: string) =>
  script(token, `${start("{stdio:'inherit'}")}.unref();setTimeout(()=>process.exit(),300)`);

function script(token: string, source: string): string {
  return `const TOKEN='${token}';${source}`;
}

async function flood(server: Server, session: Session, { isQuick }: Scale): Promise<Cell> {
  const gigabytes = isQuick ? 1 : 10;
  const timeoutMs = isQuick ? 5_000 : 60_000;
  // The first run loads what all others use too.
  await runIn(server, session, node('0', timeoutMs));
  const before = residentBytes(session.pid, 'VmRSS');
  writeFileSync(`/proc/${session.pid}/clear_refs`, '5'); // The peak starts anew.
  const source = `require('child_process').spawnSync('sh',['-c','yes | head -c ${gigabytes}G'],{stdio:'inherit'})`;
  const outcome = await runIn(server, session, node(source, timeoutMs));
  const growth = residentBytes(session.pid, 'VmHWM') - before;
  const grown = `${Math.max(0, Math.round(growth / MEGABYTE))} MB`;
  if (!outcome) return { text: `${grown}, no answer`, holds: false };
  const seconds = (outcome.elapsedMs / 1000).toFixed(1);
  return {
    text: grown,
    holds: growth < MAX_GROWTH_BYTES,
    notes: [
      `the call with ${gigabytes} GB of output took ${seconds} s; ${outcome.answeredBytes.toLocaleString('en')} bytes were answered`,
    ],
  };
}

async function watch(
  server: Server,
  session: Session,
  {
    start: scriptFor,
    timeoutMs,
    isTimed = false,
  }: { start: (token: string) => string; timeoutMs: number; isTimed?: boolean },
): Promise<Cell> {
  const token = `versus-${randomBytes(6).toString('hex')}`;
  const outcome = await runIn(server, session, node(scriptFor(token), timeoutMs));
  await sleep(SETTLE_MS);
  const alive = processesWith(token, session.pid);
  for (const pid of alive) endProcess(pid);
  if (!outcome) return { text: `no answer, ${alive.length} alive`, holds: false };
  const elapsed = outcome.elapsedMs;
  const extra = elapsed - timeoutMs;
  const isQuickEnough = isTimed ? extra < MAX_EXTRA_MS : elapsed < timeoutMs;
  const time = isTimed ? `${(extra / 1000).toFixed(1)} s, ` : `${(elapsed / 1000).toFixed(1)} s, `;
  return { text: `${time}${alive.length} alive`, holds: alive.length === 0 && isQuickEnough };
}

function processesWith(token: string, server: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(
      (pid) => Number.isInteger(pid) && pid !== process.pid && pid !== server && commandLine(pid).includes(token),
    );
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}

function residentBytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024;
}
