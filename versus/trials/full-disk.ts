import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canMount, type Mounted, mountMemory } from '../mounts';
import type { Answer, Server, Session } from '../server';
import { answerOrNothing, withSession } from '../session';
import { type Cell, type Figure, NO_TOOL, notRun, type Trial } from '../trial';

const OLD = 'the old content\n'.repeat(1_000);
const LARGE = 'the new content\n'.repeat(40_000);
/** One page stays free, so that writing begins and then fails. */
const LEFT_BYTES = 8_192;

export const fullDisk: Trial = {
  name: 'full-disk',
  what: 'On a small file system of its own that is full, or mounted read-only, the server is asked to overwrite a file, to create one and to append to one. Asked for: an error that is told, the old content whole, no new files.',
  async run(server) {
    if (!canMount()) return { 'full disk': notRun('mounting a file system needs root') };
    const rows: Figure = {
      'full disk, overwrite': await onFullDisk(server, 'f.txt', (session) => session.write('f.txt', LARGE)),
      'full disk, create': await onFullDisk(server, 'f.txt', (session) => session.write('new.txt', LARGE)),
      'full disk, append': await onFullDisk(server, server.appendPath, appendUntilFull),
      'read-only disk, overwrite': await onReadOnlyDisk(server),
    };
    return rows;
  },
};

/** Lines of 8 KB until one is refused; what was called done must be whole. */
async function appendUntilFull(session: Session): Promise<Answer> {
  for (let at = 0; ; at++) {
    const answer = await session.append('x'.repeat(8_000));
    if (!answer.ok || at > 20) return answer;
  }
}

async function onFullDisk(server: Server, file: string, work: (session: Session) => Promise<Answer>): Promise<Cell> {
  if (file === '' || (work === appendUntilFull && server.tools('/').append === undefined)) return NO_TOOL;
  const disk = mountMemory('1m');
  try {
    place(disk, file);
    return await withSession(server, { root: disk.path }, async (session) => {
      fill(disk);
      return judge(disk, file, await answerOrNothing(work(session)));
    });
  } finally {
    disk.remove();
  }
}

async function onReadOnlyDisk(server: Server): Promise<Cell> {
  const disk = mountMemory('1m');
  try {
    place(disk, 'f.txt');
    return await withSession(server, { root: disk.path }, async (session) => {
      disk.remount('ro');
      return judge(disk, 'f.txt', await answerOrNothing(session.write('f.txt', 'new')));
    });
  } finally {
    disk.remove();
  }
}

function place(disk: Mounted, file: string): void {
  mkdirSync(join(disk.path, dirname(file)), { recursive: true });
  writeFileSync(join(disk.path, file), OLD);
}

function fill(disk: Mounted): void {
  const path = join(disk.path, 'filler');
  const chunk = Buffer.alloc(4_096);
  for (let size = 0; ; size += chunk.length) {
    try {
      writeFileSync(path, chunk, { flag: 'a' });
    } catch {
      writeFileSync(path, Buffer.alloc(Math.max(0, size - LEFT_BYTES)));
      return;
    }
  }
}

function judge(disk: Mounted, file: string, answer: Answer | undefined): Cell {
  const found = readFileSync(join(disk.path, file), 'utf8');
  const isWhole =
    found === OLD ||
    (found.startsWith(OLD) &&
      found.slice(OLD.length).split('\n').slice(0, -1).every(isWholeLine) &&
      found.endsWith('\n'));
  const known = new Set(['filler', file.split('/')[0], 'f.txt']);
  const debris = readdirSync(disk.path).filter((name) => !known.has(name));
  const beside = file.includes('/') ? readdirSync(join(disk.path, dirname(file))).length - 1 : 0;
  const problems = [
    ...(answer === undefined ? ['no answer'] : answer.ok ? ['called done'] : []),
    ...(isWhole ? [] : [found.length === 0 ? 'old content gone' : 'old content damaged']),
    ...(debris.length + beside > 0
      ? [`left behind: ${debris.map((name) => `${statSync(join(disk.path, name)).size} bytes`).join(', ')}`]
      : []),
  ];
  return problems.length === 0 ? { text: 'intact', holds: true } : { text: problems.join('; '), holds: false };
}

function isWholeLine(line: string): boolean {
  return line.length === 8_000;
}
