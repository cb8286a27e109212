import { chmodSync, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openClient } from '../harness/client';
import { eachWay } from '../harness/each-way';
import { makeWorkspace } from '../harness/workspace';
import { ask, type Envelope, failure, ONE_WAY, success } from './workspace-envelope';
import { DEFAULT_COMMANDS, notAllowed, QUIET, text } from './workspace-run-answers';

const PLANTED = {
  GITHUB_TOKEN: 'ghp_planted',
  OPENAI_API_KEY: 'sk-planted',
  AWS_SECRET_ACCESS_KEY: 'planted',
  NPM_TOKEN: 'planted',
  NODE_OPTIONS: '--no-deprecation',
  NODE_PATH: '/planted',
  PYTHONPATH: '/planted',
  npm_config_registry: 'http://planted.invalid',
  SSH_AUTH_SOCK: '/planted',
  HTTPS_PROXY: 'http://user:planted@proxy.invalid',
};

eachWay('the environment of a command', { env: { ...PLANTED, LC_ALL: 'C.UTF-8' } }, (stage) => {
  it('is a short list, without any token of the server [workspace.run.environment]', async () => {
    const { data } = await ask(stage.client, 'run_command', {
      command: 'node',
      args: ['-p', 'JSON.stringify(process.env)'],
    });
    const variables = JSON.parse(String(data?.stdout)) as Record<string, string>;
    const known =
      /^(PATH|HOME|LANG|LC_[A-Z]+|TERM|TZ|TMPDIR|USER|LOGNAME|SHELL|PWD|CI|NO_COLOR|GIT_TERMINAL_PROMPT|PAGER|PYTHONUNBUFFERED|TENON_CALL)$/;
    expect(Object.keys(variables).filter((name) => !known.test(name))).toEqual([]);
    expect(JSON.stringify(variables)).not.toMatch(/planted|test-token/);
    expect(variables).toMatchObject({ LC_ALL: 'C.UTF-8', PWD: stage.workspace.root });
  });
});

describe('the programs', () => {
  const withServer = async (
    options: { flags?: string[]; path: (root: string) => string },
    use: (run: (args: object) => Promise<Envelope>, root: string) => Promise<void>,
  ) => {
    const workspace = makeWorkspace({
      'bin/node': '#!/bin/sh\necho planted\n',
      'bin/pytest': '#!/bin/sh\necho planted\n',
      node: '#!/bin/sh\necho planted\n',
    });
    for (const name of ['bin/node', 'bin/pytest', 'node']) chmodSync(workspace.path(name), 0o755);
    const env = { PATH: options.path(workspace.root) };
    const client = await openClient(ONE_WAY[0] as (typeof ONE_WAY)[number], {
      root: workspace.root,
      flags: options.flags ?? [],
      env,
    });
    try {
      await use((args) => ask(client, 'run_command', args), workspace.root);
    } finally {
      await client.close();
      workspace.remove();
    }
  };

  it('are never those that lie in the workspace, wherever PATH leads [workspace.run.outside-workspace]', async () => {
    const path = (root: string) => `${root}/bin:${root}:.:bin::${dirname(process.execPath)}`;
    await withServer({ path }, async (run) => {
      for (const cwd of ['.', 'bin'])
        expect((await run({ command: 'node', args: ['-p', '"real"'], cwd })).data?.stdout).toBe('real\n');
      const { data } = await run({ command: 'node', args: ['-p', 'process.env.PATH'] });
      expect(data?.stdout).toBe(`${dirname(process.execPath)}\n`);
      expect(await run({ command: 'pytest' })).toEqual(
        failure('COMMAND_NOT_ALLOWED', text(/^Cannot run pytest: found only inside the roots/), {
          kind: 'command_not_installed',
          command: 'pytest',
          allowed: DEFAULT_COMMANDS,
        }),
      );
    });
  });

  it('that are allowed and not installed are said to be so [workspace.run.not-installed]', async () => {
    await withServer({ path: () => '/nowhere' }, async (run) => {
      expect(await run({ command: 'npm' })).toEqual(
        failure('COMMAND_NOT_ALLOWED', text(/^Cannot run npm: not on PATH/), {
          kind: 'command_not_installed',
          command: 'npm',
          allowed: DEFAULT_COMMANDS,
        }),
      );
    });
  });

  it('may be extended by name [workspace.run.allow-command]', async () => {
    const flags = ['--allow-command', 'true', '--allow-command', 'echo'];
    await withServer({ flags, path: () => process.env.PATH ?? '' }, async (run) => {
      expect(await run({ command: 'echo', args: ['$HOME', ';'] })).toEqual(
        success({ ...QUIET, command: 'echo', args: ['$HOME', ';'], stdout: '$HOME ;\n' }),
      );
      expect(await run({ command: 'true' })).toMatchObject({ ok: true, data: { exitCode: 0 } });
      expect(await run({ command: 'cat' })).toEqual(notAllowed('cat', [...DEFAULT_COMMANDS, 'echo', 'true'].sort()));
    });
  });

  it('are looked up once [workspace.run.resolved-once]', async () => {
    const programs = makeWorkspace({ tool: '#!/bin/sh\necho first\n' });
    chmodSync(programs.path('tool'), 0o755);
    const flags = ['--allow-command', 'tool'];
    await withServer({ flags, path: () => `${programs.root}/early:${programs.root}:/usr/bin:/bin` }, async (run) => {
      expect((await run({ command: 'tool' })).data?.stdout).toBe('first\n');
      chmodSync(programs.write('early/tool', '#!/bin/sh\necho second\n'), 0o755);
      expect(existsSync(programs.path('early/tool'))).toBe(true);
      expect((await run({ command: 'tool' })).data?.stdout).toBe('first\n');
    });
    programs.remove();
  });
});
