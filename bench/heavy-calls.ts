/** The heaviest calls we know that a client can make, and bursts of smaller ones. */
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { ToolCall } from '../versus/server';
import type { Calls } from './adapters';
import { editsAtOnePlace, editsOfAlikeLines } from './hard-edits';
import { linesFor, linesOf, MB, makeFiles, type Stage } from './stage';
import { changesOf } from './workloads/edits';

export interface Heavy {
  readonly what: string;
  /** Sets the files as they must be before the call. */
  prepare(): void;
  /** Several are made at once. */
  call(calls: Calls): ToolCall | readonly ToolCall[] | undefined;
  /** For what has no common name among servers: ours alone. */
  readonly isOursAlone?: boolean;
  readonly mayFail?: boolean;
  /** For what takes long to prepare. */
  readonly rounds?: number;
}

const LEVELS = 100;
const FILES_PER_LEVEL = 1_000;
const GIGABYTE_LINES = 10_000_000;
const HUGE_LINES = 1_000_000;
const LARGE_LINES = 4_000_000;
const MOVED = 500;
const LEAVE_MANY = `for (let left = 300; left > 0; left--)
  require('child_process').spawn('sleep', ['30'], { stdio: 'ignore', detached: left % 2 === 0 }).unref();`;

const PRINT = `const lines = Buffer.alloc(65_536, '\\n');
  for (const end = Date.now() + 1_000; Date.now() < end; ) for (const to of [1, 2]) require('fs').writeSync(to, lines);`;
const COMPUTE = 'for (const end = Date.now() + 500; Date.now() < end; );';

export function heavyCalls(stage: Stage): Heavy[] {
  const path = stage.at('heavy.ts');
  const within = (name: string) => relative(stage.root, stage.at(name));
  const fill = (text: string) => () => writeFileSync(path, text);
  const fiveMb = linesFor(5 * MB);
  const atOnePlace = editsAtOnePlace(8_000, 1_000, 50);
  const alike = editsOfAlikeLines(fiveMb, 1_000);
  const whole = linesOf(8_000);
  const longLine = `start ${'x'.repeat(10 * MB)} end\n`;
  const longText = linesOf(linesFor(60 * MB));
  const blanks = ' '.repeat(7 * MB);
  const hugeText = linesOf(HUGE_LINES);
  const deep = stage.at('deep');
  return [
    {
      what: '1,000 edits in 5 MB',
      prepare: fill(linesOf(fiveMb)),
      call: (calls) => calls.edit(path, changesOf(fiveMb, 1_000))[0],
    },
    {
      what: '1,000 edits at one place, 5 KB each',
      isOursAlone: true,
      prepare: fill(atOnePlace.text),
      call: (calls) => calls.edit(path, atOnePlace.changes)[0],
    },
    {
      what: '1,000 edits of lines that are alike, in 5 MB',
      isOursAlone: true,
      prepare: fill(alike.text),
      call: (calls) => calls.edit(path, alike.changes)[0],
    },
    {
      what: 'one edit that rewrites all of 8,000 lines',
      prepare: fill(whole),
      call: (calls) => calls.edit(path, [{ from: whole, to: whole.replaceAll('const', 'let') }])[0],
    },
    { what: 'read one line of 10 MB', prepare: fill(longLine), call: (calls) => calls.read(path) },
    {
      what: 'one edit in a line of 10 MB',
      prepare: fill(longLine),
      call: (calls) => calls.edit(path, [{ from: 'start', to: 'begin' }])[0],
    },
    {
      what: 'replace all of 1,000,000 matches in 1 MB',
      isOursAlone: true,
      prepare: fill('a'.repeat(1_000_000)),
      call: () => ({
        tool: 'edit_file',
        args: { file: within('heavy.ts'), find: 'a', replace: 'b', replaceAll: true },
      }),
    },
    {
      what: 'an edit that matches nothing in 10 MB',
      mayFail: true,
      prepare: fill(linesOf(linesFor(10 * MB))),
      call: (calls) => calls.edit(path, [{ from: linesOf(20, 50_000).replaceAll('strict', 'lenient'), to: 'x' }])[0],
    },
    {
      what: 'an edit that matches nothing in a line of 60 MB',
      isOursAlone: true,
      mayFail: true,
      prepare: fill('ab '.repeat(20 * MB)),
      call: (calls) => calls.edit(path, [{ from: 'ab ab  ab c', to: 'x' }])[0],
    },
    {
      what: '1,000,000 edits that are none',
      mayFail: true,
      prepare: fill(whole),
      call: (calls) => withWrongEdits(calls.edit(path, changesOf(8_000, 2))[0]),
    },
    {
      what: 'write 10 MB',
      prepare: fill(whole),
      call: (calls) => calls.write(path, linesOf(linesFor(10 * MB))),
    },
    { what: 'write 60 MB', isOursAlone: true, prepare: fill(whole), call: (calls) => calls.write(path, longText) },
    { what: 'read 60 MB', isOursAlone: true, prepare: fill(longText), call: (calls) => calls.read(path) },
    {
      what: 'read 60 MB, three bytes to a character',
      isOursAlone: true,
      prepare: fill('\u6f22\u5b57\u3092\u8aad\u3080\n'.repeat(4 * MB)),
      call: (calls) => calls.read(path),
    },
    {
      what: 'two edits in 100 MB',
      isOursAlone: true,
      prepare: fill(hugeText),
      call: (calls) => calls.edit(path, changesOf(HUGE_LINES, 2))[0],
    },
    {
      what: 'an edit that matches nothing in 100 MB',
      isOursAlone: true,
      mayFail: true,
      prepare: fill(hugeText),
      call: (calls) => calls.edit(path, [{ from: linesOf(20, 50_000).replaceAll('strict', 'lenient'), to: 'x' }])[0],
    },
    {
      what: 'one edit in a line of 100 MB',
      isOursAlone: true,
      prepare: fill(`start ${'x'.repeat(100 * MB)} end\n`),
      call: (calls) => calls.edit(path, [{ from: 'start', to: 'begin' }])[0],
    },
    {
      what: 'one edit that puts 60 MB in the place of a word',
      isOursAlone: true,
      prepare: fill('a word\n'),
      call: (calls) => calls.edit(path, [{ from: 'word', to: longText }])[0],
    },
    {
      what: 'an edit that matches but for 7 MB of blanks',
      isOursAlone: true,
      mayFail: true,
      prepare: fill(`alpha {${blanks}} omega\n`),
      call: (calls) => calls.edit(path, [{ from: 'alpha { }\tomega', to: 'x' }])[0],
    },
    {
      what: 'make 250 directories, one in the other',
      isOursAlone: true,
      prepare: () => rmSync(stage.at('nested'), { recursive: true, force: true }),
      call: () => ({ tool: 'mkdir', args: { dir: `${within('nested')}${'/d'.repeat(250)}` } }),
    },
    {
      what: 'one edit in 400 MB',
      isOursAlone: true,
      prepare: () => copyFileSync(stage.fileOfLines(LARGE_LINES), path),
      call: (calls) => calls.edit(path, changesOf(LARGE_LINES, 1))[0],
    },
    {
      what: 'two edits in 400 MB',
      isOursAlone: true,
      prepare: () => copyFileSync(stage.fileOfLines(LARGE_LINES), path),
      call: (calls) => calls.edit(path, changesOf(LARGE_LINES, 2))[0],
    },
    {
      what: 'an edit that matches nothing in 400 MB',
      isOursAlone: true,
      mayFail: true,
      prepare: () => copyFileSync(stage.fileOfLines(LARGE_LINES), path),
      call: (calls) => calls.edit(path, [{ from: linesOf(20, 50_000).replaceAll('strict', 'lenient'), to: 'x' }])[0],
    },
    {
      what: 'delete a file of 400 MB',
      isOursAlone: true,
      prepare: () => copyFileSync(stage.fileOfLines(LARGE_LINES), path),
      call: () => ({ tool: 'delete_file', args: { path: within('heavy.ts') } }),
    },
    {
      what: 'find 60 MB in a small file',
      isOursAlone: true,
      mayFail: true,
      prepare: fill(whole),
      call: () => ({ tool: 'edit_file', args: { file: within('heavy.ts'), find: longText, replace: 'x' } }),
    },
    {
      what: 'replace 1,000,000 letters by 1 KB each',
      isOursAlone: true,
      mayFail: true,
      prepare: fill('a'.repeat(1_000_000)),
      call: () => ({
        tool: 'edit_file',
        args: { file: within('heavy.ts'), find: 'a', replace: 'b'.repeat(1_024), replaceAll: true },
      }),
    },
    {
      what: 'read a path of 60 MB',
      isOursAlone: true,
      mayFail: true,
      prepare: () => {},
      call: () => ({ tool: 'read_text_file', args: { path: `/${longText}` } }),
    },
    {
      what: '10 lines in the middle of 120 MB of UTF-16',
      isOursAlone: true,
      prepare: () => writeFileSync(path, Buffer.from(`\ufeff${longText}`, 'utf16le')),
      call: (calls) => calls.window?.(path, { first: 300_000, count: 10 }),
    },
    {
      what: '20 reads of 10 MB at once',
      prepare: fill(linesOf(linesFor(10 * MB))),
      call: (calls) => Array.from({ length: 20 }, () => calls.read(path)),
    },
    {
      what: '20 edits at once that match nothing in 5 MB',
      mayFail: true,
      prepare: fill(linesOf(fiveMb)),
      call: (calls) =>
        Array.from({ length: 20 }, () =>
          calls.edit(path, [{ from: linesOf(20, 5_000).replaceAll('strict', 'lenient'), to: 'x' }]),
        ).flat(),
    },
    {
      what: '64 listings of 10,000 entries at once',
      prepare: () => stage.directoryOf(10_000),
      call: (calls) => Array.from({ length: 64 }, () => calls.list(stage.directoryOf(10_000))),
    },
    {
      what: '5,000 reads of 1 KB at once',
      prepare: fill(linesOf(linesFor(1_000))),
      call: (calls) => Array.from({ length: 5_000 }, () => calls.read(path)),
    },
    {
      what: '500 writes of 1 KB at once',
      prepare: () => {},
      call: (calls) =>
        Array.from({ length: 500 }, (_, at) => calls.write(stage.at(`at-once-${at}`), linesOf(linesFor(1_000)))),
    },
    {
      what: '500 directories moved at once',
      isOursAlone: true,
      prepare: () => makeDirectories(stage.at('moved')),
      call: () =>
        Array.from({ length: MOVED }, (_, at) => ({
          tool: 'move_file',
          args: { from: within(`moved/from-${at}`), to: within(`moved/to-${at}`) },
        })),
    },
    {
      what: '64 commands at once',
      isOursAlone: true,
      prepare: () => {},
      call: () => Array.from({ length: 64 }, () => commandOf('0')),
    },
    {
      what: '16 commands at once that compute for half a second',
      isOursAlone: true,
      prepare: () => {},
      call: () => Array.from({ length: 16 }, () => commandOf(COMPUTE)),
    },
    {
      what: '8 commands at once that print all the time',
      isOursAlone: true,
      prepare: () => {},
      call: () => Array.from({ length: 8 }, () => commandOf(PRINT)),
    },
    {
      what: 'the first call that is left to the SDK',
      isOursAlone: true,
      mayFail: true,
      prepare: () => {},
      call: () => ({
        tool: 'write_memory_entry',
        args: { file: 'best_practices.md', entry: 'Nobody approves of it.' },
      }),
    },
    {
      what: 'a command that leaves 300 processes',
      isOursAlone: true,
      prepare: () => {},
      call: () => commandOf(LEAVE_MANY),
    },
    {
      what: '100 lines in the middle of 1 GB, first time',
      isOursAlone: true,
      prepare: () => stage.fileOfLines(GIGABYTE_LINES),
      call: (calls) => calls.window?.(stage.fileOfLines(GIGABYTE_LINES), { first: GIGABYTE_LINES / 2, count: 100 }),
    },
    {
      what: 'list a tree of 100,000 files, 100 deep',
      prepare: () => makeDeepTree(deep),
      call: (calls) => calls.tree(deep),
    },
    {
      what: 'delete a tree of 100,000 files, 100 deep',
      isOursAlone: true,
      prepare: () => {},
      call: () => ({ tool: 'delete_file', args: { path: within('deep'), recursive: true } }),
      rounds: 1,
    },
  ];
}

function commandOf(code: string): ToolCall {
  return {
    tool: 'run_command',
    args: { command: 'node', args: ['-e', code], timeoutMs: 30_000, maxOutputBytes: 262_144 },
  };
}

function withWrongEdits(call: ToolCall | undefined): ToolCall | undefined {
  return call && { ...call, args: { ...call.args, edits: Array(1_000_000).fill(1) } };
}

function makeDirectories(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (let at = 0; at < MOVED; at++) mkdirSync(join(folder, `from-${at}`), { recursive: true });
}

function makeDeepTree(root: string): void {
  if (existsSync(root)) return;
  for (let level = 0, directory = root; level < LEVELS; level++, directory = join(directory, 'd'))
    makeFiles(directory, FILES_PER_LEVEL);
}
