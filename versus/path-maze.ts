/** A folder full of traps, and paths through it that nobody would write by hand. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { type Folder, makeFolder } from './places';

export interface Maze {
  readonly root: string;
  readonly folder: Folder;
}

export function makeMaze(): Maze {
  const folder = makeFolder({ inMemory: true });
  const root = folder.at('ws');
  for (const name of ['ws/a/b/c', 'ws/workspace/a', 'ws/é', 'ws/... ', 'ws/.git', 'out/a/b', 'ws-evil'])
    mkdirSync(folder.at(name), { recursive: true });
  for (const name of FILES) writeFileSync(folder.at(name), name);
  for (const [name, target] of Object.entries(LINKS))
    symlinkSync(target.replace('ROOT', root).replace('OUT', folder.at('out')), `${root}/${name}`);
  return { root, folder };
}

const FILES = [
  'ws/f',
  'ws/a/f',
  'ws/a/b/f',
  'ws/a/b/c/f',
  'ws/workspace/f',
  'ws/workspace/a/f',
  'ws/é/f',
  'ws/... /f',
  'ws/.git/config',
  'ws/%2e%2e',
  'ws/~',
  'ws/C:',
  'ws/a\\b',
  'ws/tab\there',
  'ws/--output=x',
  'out/f',
  'out/a/f',
  'out/a/b/f',
  'ws-evil/f',
];

const LINKS: Readonly<Record<string, string>> = {
  in: 'a',
  'in-deep': 'a/b/c',
  'in-file': 'a/f',
  'in-dots': 'a/../a/b',
  'a/up': '..',
  'a/b/up2': '../..',
  'a/b/up3': '../../..',
  'absolute-in': 'ROOT/a',
  'leave-and-return': '../ws/a',
  out: 'OUT',
  'out-file': 'OUT/f',
  'relative-out': '../out',
  'sibling-out': '../ws-evil',
  dangling: 'nowhere',
  'dangling-out': 'OUT/nowhere',
  loop: 'loop',
  'loop-a': 'loop-b',
  'loop-b': 'loop-a',
  chain: 'chain-2',
  'chain-2': 'in',
  'chain-out': 'relative-out',
  'magic-cwd': '/proc/self/cwd',
  'magic-root': '/proc/self/root',
  'magic-fd': '/proc/self/fd',
};

const SEGMENTS = [
  ...['f', 'a', 'b', 'c', 'f', 'a', 'b', 'up', 'up2', 'up3', 'workspace', 'é', 'e\u0301', '... ', '.git', 'config'],
  ...['..', '..', '.', '', '%2e%2e', '....', '~', 'C:', 'a\\b', '..\\', '\\', 'tab\there', 'nul\0x', '--output=x'],
  ...[
    'A',
    'F',
    'nowhere',
    'x'.repeat(255),
    'x'.repeat(256),
    '\u202ef',
    '\ud800',
    '\u{1f600}',
    ' ',
    '*',
    'etc',
    'passwd',
    'proc',
    'ws',
    'out',
  ],
  ...Object.keys(LINKS).filter((name) => !name.includes('/')),
];

/** Paths in an order that the seed decides, so that a surprise can be repeated. */
export function* mazePaths(seed: number, root: string): Generator<string> {
  const next = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  for (;;) {
    const segments = Array.from({ length: 1 + Math.floor(next() * next() * 9) }, () => pick(SEGMENTS));
    const start =
      next() < 0.93 ? '' : pick(['/', '//', './', '../', `${root}/`, 'workspace/', '/proc/self/cwd/', `${root}-evil/`]);
    const end = next() < 0.85 ? '' : pick(['/', '/.', '/..', '//', '/f']);
    yield start + segments.join(next() < 0.9 ? '/' : pick(['//', '/./'])) + end;
  }
}

/** Mulberry32: small, and the same everywhere. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
