/** The folder that the servers serve, and the texts in it: source code with quotes, every line once. */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const LINE_BYTES = 100;
export const FILES_PER_DIRECTORY = 100;
const LINES_PER_WRITE = 50_000;
const KB = 1024;
export const MB = KB * KB;

export interface Stage {
  readonly root: string;
  at(...names: string[]): string;
  /** A file of so many lines; made once. */
  fileOfLines(lines: number): string;
  /** A directory of so many empty files; made once. */
  directoryOf(entries: number): string;
  /** Directories of 100 empty files each; made once. */
  treeOf(files: number): string;
  remove(): void;
}

/** On a disk, not in memory: syncing must cost what it costs. */
export function makeStage(): Stage {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-bench-')));
  const root = onFreshGround(parent);
  const made = new Set<string>();
  const once = (path: string, make: (path: string) => void) => {
    if (!made.has(path)) make(path);
    made.add(path);
    return path;
  };
  return {
    root,
    at: (...names) => join(root, ...names),
    fileOfLines: (lines) => once(join(root, `${lines}-lines.ts`), (path) => writeLines(path, lines)),
    directoryOf: (entries) => once(join(root, `${entries}-entries`), (path) => makeFiles(path, entries)),
    treeOf: (files) => once(join(root, `tree-of-${files}`), (path) => makeTree(path, files)),
    remove: () => rmSync(parent, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/**
 * A directory for which ext4 takes a part of the disk where little was made so far, as it does at the top of a disk.
 * Without a journal it passes by each file that was deleted in the same part in the last minutes, whoever did it, when
 * it makes a new one: after the tests, that was 0.9 ms of each write. Where it begins to look for such a part follows
 * from the name; with one name, each run would come to the ground of the last. Other file systems know no such mark.
 */
function onFreshGround(parent: string): string {
  spawnSync('chattr', ['+T', parent], { stdio: 'ignore' });
  return mkdtempSync(join(parent, 'stage-'));
}

/** A new time makes a file or directory another one to whoever remembers what is in it. */
export function renew(path: string): void {
  utimesSync(path, new Date(), new Date(Date.now() - Math.random() * 1e6));
}

/** A line of exactly 100 bytes, its newline included. */
export function lineOf(number: number): string {
  const text = `  const ${nameIn(number)} = await readFromStore("key-${number}", { limit: ${number * 7}, strict: true });`;
  return `${text.padEnd(LINE_BYTES - 1, '.')}\n`;
}

/** What stands in line `number` alone, and needs no escape in JSON. */
export function nameIn(number: number): string {
  return `value${String(number).padStart(9, '0')}`;
}

export function linesOf(count: number, first = 1): string {
  return Array.from({ length: count }, (_, index) => lineOf(first + index)).join('');
}

export function linesFor(bytes: number): number {
  return Math.max(1, Math.round(bytes / LINE_BYTES));
}

function writeLines(path: string, lines: number): void {
  const fd = openSync(path, 'w');
  for (let first = 1; first <= lines; first += LINES_PER_WRITE)
    writeSync(fd, linesOf(Math.min(LINES_PER_WRITE, lines - first + 1), first));
  closeSync(fd);
}

export function entryName(number: number): string {
  return `entry-${String(number).padStart(7, '0')}.txt`;
}

export function makeFiles(directory: string, count: number): void {
  mkdirSync(directory, { recursive: true });
  for (let number = 1; number <= count; number++) writeFileSync(join(directory, entryName(number)), '');
}

function makeTree(root: string, files: number): void {
  for (let number = 1; number <= files / FILES_PER_DIRECTORY; number++)
    makeFiles(join(root, `d${String(number).padStart(4, '0')}`), FILES_PER_DIRECTORY);
}
