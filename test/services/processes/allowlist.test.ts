import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AllowlistOptions, createAllowlist } from '../../../src/services/processes/allowlist';

let base: string;
let root: string;
let outside: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'allowlist-')));
  root = join(base, 'workspace');
  outside = join(base, 'bin');
  mkdirSync(root);
  mkdirSync(outside);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const DEFAULTS = ['node', 'npm', 'npx', 'pytest', 'python3', 'tsc'];

describe('which names', () => {
  it.each([
    'bash',
    './node',
    '/usr/bin/node',
    'sub/npm',
    'Node',
    'NODE',
    'node.exe',
    'node\n',
    ' node',
    'node ',
    'node\0',
    'node;id',
    '"node"',
    "'node'",
    '$(id)',
    'no\\de',
    'nod?',
    '',
    '__proto__',
    'constructor',
  ])('%j is not allowed', (command) => {
    program(outside, 'node');
    expect(faultOf(() => allow().resolve(command))).toEqual({
      kind: 'command_not_allowed',
      facts: { command, allowed: DEFAULTS },
    });
  });

  it('a long name is cut in the answer', () => {
    const fault = faultOf(() => allow().resolve('x'.repeat(5000)));
    expect(fault.facts.command).toBe(`${'x'.repeat(99)}…`);
  });

  it('the user adds names, and the answer lists them sorted', () => {
    const file = program(outside, 'git');
    const allowlist = allow({ extra: ['git'] });
    expect(allowlist.resolve('git')).toEqual({ file, prefixArgs: [] });
    expect(allowlist.names).toEqual(['git', ...DEFAULTS]);
  });

  it.each(['', '/usr/bin/git', './git', '..', 'git status', 'git\n', '"git"', 'C:git', 'a\\b'])(
    'the user cannot add %j',
    (name) => {
      expect(faultOf(() => allow({ extra: [name] }))).toMatchObject({
        kind: 'invalid_argument',
        facts: { parameter: 'allow-command' },
      });
    },
  );
});

describe('where the program is', () => {
  it('the first directory of PATH that has it wins', () => {
    const second = join(base, 'second');
    mkdirSync(second);
    program(second, 'node');
    const file = program(outside, 'node');
    expect(allow({ path: `${outside}:${second}` }).resolve('node')).toEqual({ file, prefixArgs: [] });
  });

  it('a program that is not on PATH is not installed', () => {
    expect(faultOf(() => allow().resolve('tsc'))).toEqual({
      kind: 'command_not_installed',
      facts: { command: 'tsc', allowed: DEFAULTS, problem: 'not on PATH' },
    });
  });

  it('a program inside a root is passed over for one outside', () => {
    const inside = join(root, 'node_modules', '.bin');
    program(inside, 'node');
    const file = program(outside, 'node');
    const allowlist = allow({ path: `${inside}:${outside}` });
    expect(allowlist.resolve('node').file).toBe(file);
    expect(allowlist.searchPath()).toBe(outside);
  });

  it('a program that only a root has is not installed', () => {
    program(join(root, 'bin'), 'node');
    expect(faultOf(() => allow({ path: join(root, 'bin') }).resolve('node')).facts.problem).toBe(
      'found only inside the roots',
    );
  });

  it('relative and empty entries of PATH are skipped', () => {
    program(process.cwd() === base ? base : outside, 'node');
    const allowlist = allow({ path: ['', '.', 'bin', '..', './node_modules/.bin', '~/bin'].join(':') });
    expect(faultOf(() => allowlist.resolve('node')).facts.problem).toBe('not on PATH');
    expect(allowlist.searchPath()).toBe('');
  });

  it('a directory of PATH that a link leads into a root is skipped', () => {
    program(join(root, 'bin'), 'node');
    symlinkSync(join(root, 'bin'), join(base, 'link'));
    expect(faultOf(() => allow({ path: join(base, 'link') }).resolve('node')).facts.problem).toBe(
      'found only inside the roots',
    );
  });

  it('a program that is a link into a root is passed over', () => {
    symlinkSync(program(join(root, 'bin'), 'node'), join(outside, 'node'));
    expect(faultOf(() => allow().resolve('node')).facts.problem).toBe('found only inside the roots');
  });

  it('a root that is given through a link is still the root', () => {
    program(join(root, 'bin'), 'node');
    symlinkSync(root, join(base, 'alias'));
    const allowlist = allow({ roots: [join(base, 'alias')], path: join(root, 'bin') });
    expect(faultOf(() => allowlist.resolve('node')).facts.problem).toBe('found only inside the roots');
  });

  it('a neighbour whose name begins like the root is outside', () => {
    const file = program(`${root}-tools`, 'node');
    expect(allow({ path: dirname(file) }).resolve('node').file).toBe(file);
  });

  it('neither a directory nor a file that is not executable is a program', () => {
    mkdirSync(join(outside, 'node'));
    chmodSync(program(outside, 'npm'), 0o644);
    expect(faultOf(() => allow().resolve('node')).facts.problem).toBe('not on PATH');
    expect(faultOf(() => allow().resolve('npm')).facts.problem).toBe('not on PATH');
  });

  it('what was found is kept', () => {
    const earlier = join(base, 'earlier');
    mkdirSync(earlier);
    const file = program(outside, 'node');
    const allowlist = allow({ path: `${earlier}:${outside}` });
    allowlist.resolve('node');
    program(earlier, 'node');
    expect(allowlist.resolve('node').file).toBe(file);
  });

  it('what was missing is looked for again', () => {
    const allowlist = allow();
    expect(faultOf(() => allowlist.resolve('node')).kind).toBe('command_not_installed');
    const file = program(outside, 'node');
    expect(allowlist.resolve('node').file).toBe(file);
  });
});

describe('Windows', () => {
  const windows = (options: Partial<AllowlistOptions> = {}) => allow({ platform: 'win32', ...options });

  it('only an .exe is a program; PATH is split at semicolons', () => {
    program(outside, 'python3.cmd');
    program(outside, 'python3.bat');
    program(outside, 'python3');
    const second = join(base, 'second');
    const file = program(second, 'python3.exe');
    const allowlist = windows({ path: `${outside};${second}` });
    expect(allowlist.resolve('python3')).toEqual({ file, prefixArgs: [] });
    expect(allowlist.searchPath()).toBe(`${outside};${second}`);
  });

  it.each(['npm', 'npx'])('%s is the script beside node, never the batch file', (command) => {
    program(outside, `${command}.cmd`);
    const execPath = program(outside, 'node.exe');
    const script = program(join(outside, 'node_modules', 'npm', 'bin'), `${command}-cli.js`);
    expect(windows({ execPath }).resolve(command)).toEqual({ file: execPath, prefixArgs: [script] });
  });

  it('npm that is not beside node is not installed', () => {
    program(outside, 'npm.cmd');
    const execPath = program(outside, 'node.exe');
    expect(faultOf(() => windows({ execPath }).resolve('npm')).facts.problem).toBe('not installed beside node');
  });
});

function allow(options: Partial<AllowlistOptions> = {}) {
  return createAllowlist({ roots: [root], path: outside, platform: 'linux', ...options });
}

function program(directory: string, name: string): string {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, name);
  writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 });
  return file;
}

function faultOf(action: () => unknown): { kind: string; facts: Record<string, unknown> } {
  try {
    action();
  } catch (error) {
    if (error instanceof Error && 'kind' in error && 'facts' in error) {
      return { kind: String(error.kind), facts: error.facts as Record<string, unknown> };
    }
    throw error;
  }
  throw new Error('expected a fault');
}
