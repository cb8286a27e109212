import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  append,
  type Change,
  create,
  edit,
  layTree,
  makeDirectory,
  move,
  OLD,
  overwrite,
  remove,
  removeTree,
  stateOf,
} from '../changes';
import { type FailingDisk, fillers, full, nameless, readOnly } from '../failing-disks';
import { canMount, type Mounted } from '../mounts';
import { wrongCode } from '../our-codes';
import type { Answer, Server, Session, ToolCall, Tools } from '../server';
import { answerOrNothing, withSession } from '../session';
import { type Cell, type Figure, failures, NO_TOOL, notRun, type Trial } from '../trial';

const LONG_LINE = 'x'.repeat(8_000);
const MAX_APPENDS = 20;

export const fullDisk: Trial = {
  name: 'full-disk',
  what: 'On a small file system of its own that is full, that has no free name left, or that is mounted read-only, the server is asked to overwrite, create, edit, append, move, delete and make a directory. Asked for: an error that is told and the old state whole, or the new state whole, and nothing left behind. For our server also the error codes of the contract, by the editor tools as well as by the workspace tools.',
  async run(server, { isQuick }) {
    if (!canMount()) return { 'full disk': notRun('mounting a file system needs root') };
    const rows: [string, Cell][] = [];
    const large = [overwrite({ isLarge: true }), create({ isLarge: true }), edit({ isLarge: true })];
    for (const change of isQuick ? large.slice(0, 1) : large)
      rows.push([`full disk, ${change.label}`, intact(await problemsOn(server, full, change))]);
    rows.push(['full disk, append', await appendUntilFull(server)]);
    const all = [overwrite(), move, create(), edit(), makeDirectory, remove, removeTree];
    const changes = isQuick ? all.slice(0, 2) : all;
    rows.push(['disk without a free name, any change: wrong outcomes', await count(server, nameless, changes)]);
    const more = server.appendPath === '' || isQuick ? [] : [append(server)];
    rows.push(['read-only disk, any change: wrong outcomes', await count(server, readOnly, [...changes, ...more])]);
    return Object.fromEntries(rows) satisfies Figure;
  },
};

async function count(server: Server, failing: FailingDisk, changes: readonly Change[]): Promise<Cell> {
  const seen: string[][] = [];
  for (const change of changes) {
    const problems = await problemsOn(server, failing, change);
    seen.push(...problems.map((problem) => (problem === '' ? [] : [`${change.label}: ${problem}`])));
  }
  const wrong = seen.flat();
  return failures(wrong.length, seen.length, wrong);
}

function intact(problems: readonly string[]): Cell {
  const wrong = problems.filter((problem) => problem !== '');
  if (problems.length === 0) return NO_TOOL;
  return wrong.length === 0 ? { text: 'intact', holds: true } : { text: wrong.join('; '), holds: false };
}

/** One for each set of tools that can make the change: what went wrong, or nothing. */
async function problemsOn(server: Server, failing: FailingDisk, change: Change): Promise<string[]> {
  const problems: string[] = [];
  for (const tools of [server.tools, ...(server.otherTools ? [server.otherTools] : [])])
    if (change.call(tools('/')) !== undefined) problems.push(await problemOn(server, failing, change, tools));
  return problems;
}

async function problemOn(
  server: Server,
  failing: FailingDisk,
  change: Change,
  tools: (root: string) => Tools,
): Promise<string> {
  const disk = failing.mount();
  try {
    layTree(disk.path, change.before);
    return await withSession(server, { root: disk.path }, async (session) => {
      failing.spoil(disk);
      const call = change.call(tools(disk.path));
      if (!call) return '';
      const answer = await answerOrNothing(session.call(call));
      return judge(server, disk, { failing, change, call, answer });
    });
  } finally {
    disk.remove();
  }
}

interface Tried {
  readonly failing: FailingDisk;
  readonly change: Change;
  readonly call: ToolCall;
  readonly answer: Answer | undefined;
}

function judge(server: Server, disk: Mounted, { failing, change, call, answer }: Tried): string {
  const state = stateOf(disk.path, change, fillers(disk.path));
  const wrong = [
    ...(answer === undefined ? ['no answer'] : []),
    ...(state.startsWith('wrong: ') ? [state.slice('wrong: '.length)] : []),
    ...(answer?.ok === true && state === 'before' ? ['called done'] : []),
    ...(answer?.ok === false && state === 'after' ? ['done, though an error was told'] : []),
    ...(server.isOurs && answer?.ok === false ? [wrongCode(call, answer, failing.fault) ?? ''] : []),
  ];
  return wrong.filter((problem) => problem !== '').join(', ');
}

/** Lines of 8 KB until one is refused; what was called done must be whole. */
async function appendUntilFull(server: Server): Promise<Cell> {
  if (server.tools('/').append === undefined) return NO_TOOL;
  const disk = full.mount();
  const change = append(server);
  try {
    layTree(disk.path, change.before);
    return await withSession(server, { root: disk.path }, async (session) => {
      full.spoil(disk);
      const { answer, done, call } = await repeat(session);
      const file = join(disk.path, server.appendPath);
      const after = { ...change.before, [server.appendPath]: OLD + `${LONG_LINE}\n`.repeat(done) };
      const isWhole = readFileSync(file, 'utf8') === after[server.appendPath];
      const problem = judge(server, disk, { failing: full, change: { ...change, before: after }, call, answer });
      return intact([isWhole ? problem : 'old content damaged']);
    });
  } finally {
    disk.remove();
  }
}

async function repeat(session: Session): Promise<{ call: ToolCall; answer: Answer | undefined; done: number }> {
  const call = session.tools.append?.(LONG_LINE);
  if (!call) throw new Error('the server has no tool to append');
  for (let done = 0; ; done++) {
    const answer = await answerOrNothing(session.call(call));
    if (answer?.ok !== true || done > MAX_APPENDS) return { call, answer, done };
  }
}
