/** How the sandbox answers where bubblewrap is missing, old or denied. A script stands in for bubblewrap. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createAllowlist } from '../../../../src/services/processes/allowlist';
import type { Program } from '../../../../src/services/processes/runner';
import { createSandbox, type SandboxOptions } from '../../../../src/services/processes/sandbox/sandbox';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-probe-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.skipIf(process.platform !== 'linux')('a sandbox that cannot be made', () => {
  it.each([
    ['Unknown option --json-status-fd', /too old/, /0\.8 or newer/],
    ['setting up uid map: Permission denied', /AppArmor/, /profile for \/usr\/bin\/bwrap/],
    ['loopback: Failed RTM_NEWADDR: Operation not permitted', /AppArmor/, /"userns,"/],
    ['Creating new namespace failed: No space left on device', /make namespaces/, /user namespaces/],
    ['No permissions to create a new namespace', /container already/, /outside the container/],
    ["Can't mount proc on /newroot/proc: Operation not permitted", /\/proc/, /masked paths/],
    ['prctl(PR_SET_SECCOMP): Invalid argument', /filter of system calls/, /CONFIG_SECCOMP_FILTER/],
    ['the moon is full', /failed: the moon is full/, /by hand/],
  ])('%s', async (says, reason, remedy) => {
    const bwrap = fake(`echo "bwrap: ${says}" >&2; exit 1`);
    expect(await open({ bwrap }).describe()).toEqual({
      state: 'none',
      reason: expect.stringMatching(reason),
      remedy: expect.stringMatching(remedy),
    });
  });

  it('is said to be missing when it is', async () => {
    expect(await open({ bwrap: join(root, 'gone') }).describe()).toMatchObject({ reason: /not installed/ });
    expect(await open({ server: { PATH: root } }, '/nowhere').describe()).toBeDefined();
  });

  it('is not taken from inside a root', async () => {
    fake('exit 0', 'bwrap');
    const state = await createSandbox({ ...plain(), server: { PATH: root } }).describe();
    // The system's own may be there.
    expect(JSON.stringify(state)).not.toContain(root);
  });

  it.each([
    [{ arch: 'riscv64' }, /riscv64/],
    [{ platform: 'win32' }, /no sandbox for this system/],
    [{ roots: ['/'] }, /whole file system/],
    [{ mode: 'off' }, /switched off/],
  ] as const)('%j', async (options, reason) => {
    expect(await open(options).describe()).toMatchObject({ state: 'none', reason: expect.stringMatching(reason) });
  });
});

describe.skipIf(process.platform !== 'linux')('what follows', () => {
  const broken = () => fake('echo "bwrap: no" >&2; exit 1');

  it('auto runs the program as it is', async () => {
    const wrapped = await open({ bwrap: broken() }).wrap(program, root);
    expect(wrapped).toBe(program);
  });

  it('required refuses', async () => {
    const run = open({ mode: 'required', bwrap: broken() }).wrap(program, root);
    await expect(run).rejects.toMatchObject({
      kind: 'sandbox_unavailable',
      facts: { problem: 'bubblewrap failed: no', remedy: expect.stringContaining('by hand') },
    });
  });

  it('an old version does without the options that are not vital', async () => {
    const bwrap = fake(
      'for a in "$@"; do case $a in --size|--perms|--disable-userns) echo "bwrap: Unknown option $a" >&2; exit 1;; esac; done',
    );
    const sandbox = open({ bwrap });
    expect(await sandbox.describe()).toEqual({ state: 'bubblewrap' });
    const { args } = await sandbox.wrap(program, root);
    expect(args.filter((arg) => ['--size', '--perms', '--disable-userns', '--seccomp'].includes(arg))).toEqual([
      '--seccomp',
    ]);
  });

  it('it is tried once', async () => {
    const log = join(root, 'tries');
    const sandbox = open({ bwrap: fake(`echo >> ${log}`) });
    await Promise.all([sandbox.describe(), sandbox.describe(), sandbox.wrap(program, root)]);
    await expect(import('node:fs').then(({ readFileSync }) => readFileSync(log, 'utf8'))).resolves.toBe('\n');
  });
});

describe.skipIf(process.platform !== 'linux')('the plan', () => {
  it.each(['on', 'off'] as const)('stands in the order that matters, network %s', async (network) => {
    const sandbox = open({ network, bwrap: fake('exit 0') });
    const wrapped = await sandbox.wrap(program, join(root, 'sub'));
    const { args } = wrapped;
    const at = (...words: string[]) => args.findIndex((_, index) => words.every((word, i) => args[index + i] === word));
    const order = [
      at('--unshare-all'),
      ...(network === 'on' ? [at('--share-net')] : []),
      at('--unshare-user', '--disable-userns', '--die-with-parent', '--new-session'),
      at('--seccomp', '3'),
      at('--ro-bind', '/usr', '/usr'),
      at('--proc', '/proc'),
      at('--tmpfs', '/tmp'),
      at('--tmpfs', '/sandbox-home'),
      at('--ro-bind-data', '4', '/sandbox-home/.npmrc'),
      at('--bind', root, root),
      at('--remount-ro', '/'),
      at('--cap-drop', 'ALL', '--chdir', join(root, 'sub'), '--json-status-fd'),
      at('--', '/usr/bin/node', '-e', '0'),
    ];
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBe(0);
    expect(args.includes('--share-net')).toBe(network === 'on');
  });

  it('the environment goes by itself, never on the command line, where others can read it', async () => {
    const wrapped = await open({ bwrap: fake('exit 0') }).wrap(program, root);
    expect(wrapped.args).not.toContain('--setenv');
    expect(wrapped.env).toMatchObject({ HOME: '/sandbox-home', KEPT: 'yes' });
  });
});

const program: Program = {
  file: '/usr/bin/node',
  command: 'node',
  allowed: ['node'],
  args: ['-e', '0'],
  cwd: root,
  env: { HOME: '/root', PATH: '/usr/bin', KEPT: 'yes' },
  marker: 'none',
  timeoutMs: 1000,
  maxOutputBytes: 1024,
  signal: new AbortController().signal,
  onProgress: () => {},
};

function plain(): SandboxOptions {
  return { mode: 'auto', network: 'on', roots: [root], allowlist: createAllowlist({ roots: [root] }), home: root };
}

function open(options: Partial<SandboxOptions>, home = root) {
  return createSandbox({ ...plain(), home, ...options });
}

let fakes = 0;
function fake(script: string, name = `fake-${fakes++}`): string {
  const file = join(root, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}
