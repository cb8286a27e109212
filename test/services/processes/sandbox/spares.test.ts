/** A sandbox that was made in advance: used where it shows what a new one would, and in no other case. */
import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JailedPath } from '../../../../src/contract/ports';
import { createAllowlist } from '../../../../src/services/processes/allowlist';
import { createCommands } from '../../../../src/services/processes/commands';
import { createSandbox } from '../../../../src/services/processes/sandbox/sandbox';
import { createSpares, lineFor, type Spares } from '../../../../src/services/processes/sandbox/spares';
import { makeWorkspace, type Workspace } from '../../../harness/workspace';
import { leftAlive } from '../../../long/sandbox-place';
import { hasBubblewrap } from './sandbox-bench';

/** Long enough for another to be made, and to tell its age from that of one made for the call. */
const WHILE_MS = 600;
/** So that nobody has to wait for a minute. */
const KEPT_MS = 3_000;
const TICKS_PER_SECOND = 100;
/** How long the first process inside has been there, in seconds. */
const AGE = `read up rest < /proc/uptime; set -- $(cat /proc/1/stat); echo "$up \${22}"`;

let workspace: Workspace;
let spares: Spares;
let run: (
  script: string,
  args?: readonly string[],
) => Promise<{ stdout: string; stderr: string; exitCode: number | null }>;

beforeEach(() => {
  workspace = makeWorkspace({ '.mcp.json': '{}', 'sub/file.txt': '' });
  const { root } = workspace;
  const allowlist = createAllowlist({ roots: [root], extra: ['sh'] });
  spares = createSpares({ keptMs: KEPT_MS });
  const sandbox = createSandbox({ mode: 'required', network: 'off', roots: [root], allowlist, spares });
  const withDirectory = <T>(path: JailedPath, use: (held: { enter: string; real: string }) => Promise<T>) =>
    use({ enter: root, real: join(root, path.shown) });
  const commands = createCommands({ allowlist, sandbox, withDirectory });
  run = (script, args = []) =>
    commands.run(
      {
        command: 'sh',
        args: ['-c', script, 'sh', ...args],
        cwd: { shown: 'sub' } as JailedPath,
        timeoutMs: 20_000,
        maxOutputBytes: 65_536,
      },
      { signal: new AbortController().signal, progress: () => {} },
    );
});
afterEach(async () => {
  spares.end();
  await expect.poll(() => leftAlive({ root: workspace.root })).toEqual([]);
  workspace.remove();
});

/** Whether the next command runs in a sandbox that was there before it. */
async function isReady(): Promise<boolean> {
  const { stdout } = await run(AGE);
  const [uptime = 0, started = 0] = stdout.split(' ').map(Number);
  return uptime - started / TICKS_PER_SECOND > WHILE_MS / 2000;
}

describe.skipIf(!hasBubblewrap)('a sandbox made in advance', () => {
  beforeEach(async () => {
    await run('true');
    await sleep(WHILE_MS);
  });

  it('runs the next command, and another one the next but one', async () => {
    expect(await isReady()).toBe(true);
    await sleep(WHILE_MS);
    expect(await isReady()).toBe(true);
  });

  it('is one of several where several were of use, and all go at once where one would', async () => {
    for (let commands = 0; commands < 2; commands++) {
      await run('true');
      await sleep(2 * WHILE_MS);
    }
    expect(await Promise.all([isReady(), isReady(), isReady()])).toEqual([true, true, true]);
    await sleep(2 * WHILE_MS);
    writeFileSync(workspace.path('.npmrc'), '');
    expect(await Promise.all([isReady(), isReady(), isReady()])).toEqual([false, false, false]);
  });

  it('gives the command what a new one gives it', async () => {
    const look =
      'env | grep -v TENON_CALL | sort; tr "\\0" "\\n" < /proc/$$/environ | grep -v TENON_CALL | sort; pwd; readlink /proc/self/fd/0; ls /proc/self/fd; id; cat /proc/self/status | grep -E "Cap|Seccomp|NoNew"; cut -d" " -f2- /proc/self/mountinfo | sed "s/[0-9]*:[0-9]*//" | wc -l';
    const ready = await run(look);
    spares.end();
    expect(await run(look)).toEqual(ready);
    expect(ready.stdout).toContain(`PWD=${workspace.path('sub')}\n`);
  });

  it('hands over every argument as it is', async () => {
    const odd = ["it's", '', ' ', '$HOME `x` "y" \\', 'two\nlines', '-n', 'ä€😀', '*', '=', 'A=B'];
    const { stdout } = await run('for each; do printf "<%s>" "$each"; done', odd);
    expect(stdout).toBe(odd.map((each) => `<${each}>`).join(''));
  });

  it('tells exit codes, signals and both outputs', async () => {
    expect(await run('echo out; echo err >&2; exit 3')).toMatchObject({
      stdout: 'out\n',
      stderr: 'err\n',
      exitCode: 3,
    });
  });

  it.each<[string, () => void]>([
    ['has come', () => writeFileSync(workspace.path('.npmrc'), '')],
    ['has gone', () => rmSync(workspace.path('.mcp.json'))],
    ['has been changed', () => writeFileSync(workspace.path('.mcp.json'), '{ }')],
    ['has been replaced', () => replace(workspace, 'other')],
    ['has had another name meanwhile', () => renameTwice(workspace)],
    ['is a link now', () => linkInstead(workspace)],
  ])('is not used where a protected name %s', async (_, change) => {
    change();
    expect(await isReady()).toBe(false);
    await sleep(WHILE_MS);
    await run('for name in .mcp.json .npmrc real.json; do [ -e ../$name ] && echo bad > ../$name; done').catch(
      () => {},
    );
    for (const name of ['.mcp.json', '.npmrc', 'real.json'].filter((each) => existsSync(workspace.path(each))))
      expect(workspace.read(name)).not.toContain('bad');
  });

  it('is not used where the root is another', async () => {
    rmSync(workspace.root, { recursive: true });
    mkdirSync(workspace.path('sub'), { recursive: true });
    expect(await isReady()).toBe(false);
  });

  it('is not used for what is too long to be told in a line', async () => {
    const long = 'x'.repeat(70_000);
    expect((await run('printf %s "$1"', [long.slice(0, 65_536)])).stdout).toHaveLength(65_536);
    await sleep(WHILE_MS);
    expect(await isReady()).toBe(true);
  });

  it('goes when nobody has needed it for long', async () => {
    expect(leftAlive({ root: workspace.root })).not.toEqual([]);
    await expect.poll(() => leftAlive({ root: workspace.root }), { timeout: 4 * KEPT_MS }).toEqual([]);
    expect(await isReady()).toBe(false);
  });

  it('keeps out what is kept out of a new one', async () => {
    await run('echo bad > ../.mcp.json; echo bad > /usr/x; echo bad > /etc/x; ls /root /home').catch(() => {});
    expect(workspace.read('.mcp.json')).toBe('{}');
  });
});

function replace({ path }: Workspace, text: string): void {
  writeFileSync(path('new'), text);
  renameSync(path('new'), path('.mcp.json'));
}

/** The number of the file stays the same; a mount of it would be gone. */
function renameTwice({ path }: Workspace): void {
  linkSync(path('.mcp.json'), path('second'));
  rmSync(path('.mcp.json'));
  renameSync(path('second'), path('.mcp.json'));
}

function linkInstead({ path }: Workspace): void {
  renameSync(path('.mcp.json'), path('real.json'));
  symlinkSync('real.json', path('.mcp.json'));
}

it.each([
  ['that a shell knows as such', {}],
  ['that is none to a shell', { 'a.b': '1' }],
  ['that means something to a shell', { OPTIND: 'none' }],
])('the line for a spare hands on nothing but the variables, with a name %s', (_, odd) => {
  const env = { PATH: '/nowhere', QUOTED: `it's "$HOME" \\ \n`, EMPTY: '', ...odd };
  const line = lineFor({ file: '/usr/bin/env', args: ['-0'], directory: '/tmp', env }, 'mark');
  const { stdout } = spawnSync('/bin/sh', { cwd: '/', input: line, encoding: 'utf8', env: { TENON_CALL: 'before' } });
  const handed = stdout.split('\0').slice(0, -1).sort();
  const wanted = Object.entries({ ...env, TENON_CALL: 'mark' }).map(([name, value]) => `${name}=${value}`);
  expect(handed).toEqual(wanted.sort());
});
