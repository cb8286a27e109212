/**
 * Published advisories about servers of this kind, and about the programs around them, each as an attack on the built
 * binary, and what exactly it answers. The attacks are data in versus/advisories, from where they are tried on other
 * servers too. The table in docs/advisories.md has the same numbers.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  watch,
} from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAllowlist } from '../../src/services/processes/allowlist';
import { parseAbsolute, parseRelative } from '../../src/text/path-syntax';
import {
  connectingCommands,
  flagAttempts,
  gitCalls,
  LOADING_VARIABLES,
  MAKE_HOOK,
  makeFile,
  NOT_COMMANDS,
  plantLinks,
  SETTINGS_FILES,
  TELL_ENVIRONMENT,
  UNEXPANDED,
} from '../../versus/advisories/commands';
import { ADVISORIES } from '../../versus/advisories/list';
import { connectionsDuring } from '../../versus/advisories/listener';
import {
  addresses,
  FORBIDDEN,
  FOREIGN_PATHS,
  flagLikeNames,
  NOT_WINDOWS_NAMES,
  NOT_WINDOWS_PATHS,
  PATH_ATTACKS,
  PATH_WITH_NUL,
  type PathAttack,
  PLAIN_NAMES,
  pathologicalTexts,
  plantedLinks,
} from '../../versus/advisories/paths';
import { BAD_REQUESTS, type BadRequest, bytesOf } from '../../versus/http-requests';
import { runTenon } from '../cli/run-tenon';
import { writeSampleFiles } from '../contract/sample-calls';
import { repository } from '../harness/binary';
import { type HttpServer, startHttpServer } from '../harness/http-server';
import { makeWorkspace } from '../harness/workspace';
import { connectClient } from '../mcp/http-clients';
import { sendRaw } from '../mcp/raw-http';
import { callsWith, plantLink, race } from './advisory-attacks';
import { type AdvisoryStage, CANARY, OUTSIDE, openStage, PATH_CALLS } from './advisory-stage';

const hasSandbox = process.platform === 'linux' && existsSync('/usr/bin/bwrap');

describe('paths', () => {
  let stage: AdvisoryStage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());
  const link = (name: string, target: string) => plantLink(stage, name, target);
  const refusesAll = async (attacks: readonly PathAttack[] = []) => {
    for (const attack of attacks) await refusesPaths(stage, attack);
  };

  it('has a test, and a row of docs/advisories.md, for each', () => {
    const rows = readFileSync(`${repository}/docs/advisories.md`, 'utf8').matchAll(/^\| (\d+) \| (.*?) \| (.*?) \|/gm);
    const tests = readFileSync(import.meta.filename, 'utf8').matchAll(/^ *it\('(\d+)\. /gm);
    expect([...rows].map(([, number, name, what]) => ({ number: Number(number), name, what }))).toEqual(ADVISORIES);
    expect(new Set([...tests].map(([, number]) => Number(number)))).toEqual(
      new Set(ADVISORIES.map(({ number }) => number)),
    );
  });

  it('1. CVE-2025-53110: a sibling folder with the same beginning is outside', async () => {
    await refusesAll(PATH_ATTACKS[1]);
  });

  it('2. CVE-2025-53109, GHSA-q66q-fx2p-7w4m: a link that leads outside is not followed', async () => {
    const before = [readFileSync('/etc/passwd', 'utf8'), statSync('/etc/passwd').mtimeMs];
    await refusesAll(PATH_ATTACKS[2]);
    link('.claude', '../out');
    const entry = { file: 'best_practices.md', entry: 'x' };
    await stage.unharmed(async () => expect(await stage.codeOf('write_memory_entry', entry)).toBe('INVALID_PATH'));
    unlinkSync(stage.workspace.path('.claude'));
    expect([readFileSync('/etc/passwd', 'utf8'), statSync('/etc/passwd').mtimeMs]).toEqual(before);
  });

  it('2. CVE-2025-53109: a link that is deleted or moved is the link, never what it leads to', async () => {
    link('deleted', '../out');
    link('moved', '../out/f');
    link('covered', '../out/f');
    await stage.unharmed(async () => {
      expect(await stage.codeOf('delete_file', { path: 'deleted', recursive: true })).toBe(undefined);
      expect(await stage.codeOf('move_file', { from: 'moved', to: 'moved-away' })).toBe(undefined);
      stage.workspace.write('cover.txt', 'cover');
      expect(await stage.codeOf('move_file', { from: 'cover.txt', to: 'covered', overwrite: true })).toBe(undefined);
    });
    expect(lstatSync(stage.workspace.path('moved-away')).isSymbolicLink()).toBe(true);
    expect(stage.workspace.read('covered')).toBe('cover');
  });

  // Many more rounds, on every operation of the store: race.test.ts.
  it('3. gstack pull request 1420: a folder swapped for a link between check and use is no way out', async () => {
    const answered = await race(stage, 'three', (file) => [
      ['read_file', { file }],
      ['read_text_file', { path: stage.workspace.path(file) }],
      ['read_repo_file', { path: file }],
      ['write_file', { file, content: 'inside' }],
      ['edit_text_file', { path: stage.workspace.path(file), old_string: 'outside', new_string: 'x' }],
    ]);
    // Both sides of the swap were met.
    expect(answered).toEqual(expect.arrayContaining([undefined, 'INVALID_PATH']));
  });

  it('4. Desktop Commander issue 420: a link to a place that is not there yet creates nothing there', async () => {
    await refusesAll(PATH_ATTACKS[4]);
    expect(existsSync(stage.around.path('out/new'))).toBe(false);
  });

  it('5. cyanheads filesystem-mcp-server issue 21: a linked folder in the middle of a path is seen', async () => {
    await refusesAll(PATH_ATTACKS[5]);
  });

  it('6. pal-mcp-server issue 293: no list of forbidden places is asked, so none can be written around', async () => {
    await refusesAll(PATH_ATTACKS[6]);
  });

  it('7. CVE-2026-27735, GHSA-vjqx-cfc4-9h6v: `..` is refused in every path of a call, the second ones too', async () => {
    await refusesAll(PATH_ATTACKS[7]);
    const entry = { file: '../../../out/f', entry: 'x' };
    expect(await stage.codeOf('write_memory_entry', entry)).toBe('INVALID_ARGUMENT');
  });

  it('8. CVE-2025-68143, -68144, -68145: git is not run, and nothing else is run outside', async () => {
    const { path } = stage.around;
    for (const [command, ...args] of gitCalls(path('out')))
      expect(await stage.codeOf('run_command', { command, args })).toBe('COMMAND_NOT_ALLOWED');
    for (const cwd of ['../out', path('out')])
      expect(await stage.codeOf('run_command', { command: 'node', cwd })).toBe('INVALID_PATH');
    expect(existsSync(path('out/.git'))).toBe(false);
  });

  it('9. mcp-server-git pull request 3545: a name that looks like a flag is a name', async () => {
    const { path, read } = stage.workspace;
    await stage.unharmed(async () => {
      for (const file of flagLikeNames(around(stage))) {
        const answers = [
          await stage.codeOf('write_file', { file, content: 'a' }),
          await stage.codeOf('edit_text_file', { path: path(file), old_string: 'a', new_string: 'plain' }),
          await stage.codeOf('move_file', { from: file, to: `-v/${file}` }),
          await stage.codeOf('read_file', { file: `-v/${file}` }),
        ];
        expect(answers).toEqual([undefined, undefined, undefined, undefined]);
        expect(read(`-v/${file}`)).toBe('plain');
      }
      expect(await stage.codeOf('read_repo_file', { path: '-v/-rf' })).toBe(undefined);
      expect(await stage.codeOf('delete_file', { path: '-v', recursive: true })).toBe(undefined);
    });
  });

  it('10. CVE-2026-25724: what is forbidden by name is forbidden by every other name too', async () => {
    const { write, read } = stage.workspace;
    for (const name of FORBIDDEN.files) write(name, CANARY);
    for (const [name, target] of Object.entries(FORBIDDEN.links)) link(name, target);
    for (const [path] of FORBIDDEN.reads)
      expect([path, await stage.codeOf('read_repo_file', { path })]).toEqual([path, 'BLOCKED']);
    for (const [file] of FORBIDDEN.writes)
      expect([file, await stage.codeOf('write_file', { file, content: 'x' })]).toEqual([file, 'INVALID_PATH']);
    const protectedPath = stage.workspace.path('editor/tasks.json');
    expect(await stage.codeOf('write_text_file', { path: protectedPath, content: 'x' })).toBe(-32002);
    expect([read('.git/config'), read('.vscode/tasks.json')]).toEqual([CANARY, CANARY]);
  });

  it('13. CVE-2026-46406: a temporary file has a random name, lies beside its target and is as private', async () => {
    const file = stage.workspace.write('private/key.txt', 'old');
    const seen = new Map<string, number | undefined>();
    const watcher = watch(dirname(file), (_, name) => {
      if (name?.endsWith('.tmp') !== true || seen.get(name) !== undefined) return;
      seen.set(name, lstatSync(`${dirname(file)}/${name}`, { throwIfNoEntry: false })?.mode);
    });
    chmodSync(file, 0o600);
    // Until one was met while it was there.
    for (let round = 0; seen.size < 10 || ![...seen.values()].some((mode) => mode !== undefined); round++)
      await stage.codeOf('write_file', { file: 'private/key.txt', content: `${round}` });
    watcher.close();
    for (const [name, mode] of seen) {
      expect(name).toMatch(/^\.tenon-[0-9a-f]{12}\.tmp$/);
      if (mode !== undefined) expect(mode & 0o077).toBe(0);
    }
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('13. CVE-2026-46406: a folder for locks that somebody else has laid out is not used', async () => {
    const squatted = makeWorkspace();
    symlinkSync(stage.around.path('out'), squatted.path(`tenon-${process.getuid?.()}`));
    const args = ['call', 'write_file', '{"file":"locked.txt","content":"x"}', '--root', stage.workspace.root];
    const env = { XDG_RUNTIME_DIR: '', TMPDIR: squatted.root };
    const { stdout } = await stage.unharmed(() => runTenon(args, { env }));
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'INTERNAL_ERROR', details: { kind: 'busy' } } });
    expect(existsSync(stage.workspace.path('locked.txt'))).toBe(false);
    squatted.remove();
  });

  it('14. CVE-2025-11491, Desktop Commander issues 217, 218, 421: a command is a whole name, never parsed', async () => {
    for (const command of NOT_COMMANDS)
      expect(await stage.codeOf('run_command', { command, args: ['-p', '1'] }), command).toBe('COMMAND_NOT_ALLOWED');
  });

  it('14. CVE-2025-11491: no argument is expanded', async () => {
    const args = UNEXPANDED;
    const script = 'JSON.stringify(process.argv.slice(1))';
    const answer = await stage.client.call('run_command', { command: 'node', args: ['-p', script, '--', ...args] });
    const { data } = answer as { data: { stdout: string } };
    expect(JSON.parse(data.stdout)).toEqual(args);
    expect(existsSync(stage.workspace.path('planted'))).toBe(false);
  });

  it('20. GHSA-8r9q-7v3j-jr4g: no expression runs away on a long text, in any text parameter', async () => {
    for (const evil of pathologicalTexts()) {
      writeSampleFiles(stage.workspace);
      stage.workspace.write('evil.txt', evil);
      for (const [tool, args] of callsWith(evil, stage)) {
        const { content } = await stage.client.result(tool, args);
        expect(content[0]?.text, tool).toMatch(/^\{/);
      }
    }
  });

  it('21. CVE-2025-6514, CVE-2025-54135, CVE-2025-54136: nothing to attack, since no address is ever opened', async () => {
    const connections = await connectionsDuring(async (port) => {
      for (const address of addresses(around(stage), port))
        for (const { tool, field, others, set } of PATH_CALLS)
          if (set !== 'workspace' || tool === 'read_file')
            expect(await stage.codeOf(tool, { ...others, [field]: address }), tool).toBeDefined();
    });
    expect(connections).toBe(0);
  });

  it('23. NTFS streams, device names, control characters: refused where they mean something else', async () => {
    const platform = 'win32';
    for (const name of NOT_WINDOWS_NAMES)
      for (const parsed of [parseRelative(name, { platform }), parseAbsolute(`C:\\ws\\${name}`, { platform })])
        expect(parsed.ok, name).toBe(false);
    for (const path of NOT_WINDOWS_PATHS) expect(parseAbsolute(path, { platform }).ok, path).toBe(false);
    for (const path of FOREIGN_PATHS)
      for (const { tool, field, others, set } of PATH_CALLS)
        if (set !== 'editor')
          expect(await stage.codeOf(tool, { ...others, [field]: path }), path).toMatch(/^INVALID_(?:PATH|ARGUMENT)$/);
  });

  it('24. CVE-2024-32021: a move or delete is not led outside by a swap before its last step', async () => {
    let round = 0;
    const answered = await race(stage, 'four', (file) => {
      round++;
      stage.workspace.write(`moving-${round}`, 'inside');
      return [
        ['move_file', { from: `moving-${round}`, to: `${dirname(file)}/new-${round}` }],
        ['move_file', { from: file, to: `taken-${round}` }],
        ['delete_file', { path: file }],
        ['write_file', { file, content: 'inside' }],
        ['mkdir', { dir: `${dirname(file)}/made-${round}` }],
      ];
    });
    // Both sides of the swap were met.
    expect(answered).toEqual(expect.arrayContaining([undefined, 'INVALID_PATH']));
  });

  it('25. CVE-2026-40576, CVE-2026-33989, CVE-2026-32871: traversal in any spelling is refused or a plain name', async () => {
    await refusesAll(PATH_ATTACKS[25]);
    const unreadable = { editor: -32602, workspace: 'INVALID_PATH', repo: 'INVALID_ARGUMENT' };
    await stage.refuses(PATH_WITH_NUL, unreadable);
    await stage.unharmed(async () => {
      for (const file of PLAIN_NAMES) {
        expect(await stage.codeOf('write_file', { file, content: 'literal' })).toBe(undefined);
        expect(await stage.codeOf('read_text_file', { path: stage.workspace.path(file) })).toBe(undefined);
        expect(stage.workspace.read(file)).toBe('literal');
      }
    });
  });
});

describe.skipIf(!hasSandbox)('commands in the sandbox', () => {
  let stage: AdvisoryStage;
  beforeAll(async () => {
    stage = await openStage({ TENON_SANDBOX: 'required', TENON_SANDBOX_NETWORK: 'off' });
  });
  afterAll(() => stage.close());
  const run = (command: string, args: readonly string[]) =>
    stage.codeOf('run_command', { command, args, timeoutMs: 10_000 });

  it('11. CVE-2026-25725: a settings file that is not there cannot be made', async () => {
    for (const name of SETTINGS_FILES) {
      expect([name, await run('node', ['-e', makeFile(name)])]).toEqual([name, 'COMMAND_NOT_ALLOWED']);
      expect(existsSync(stage.workspace.path(name))).toBe(false);
    }
    mkdirSync(stage.workspace.path('.git'));
    await run('node', ['-e', MAKE_HOOK]);
    expect(existsSync(stage.workspace.path('.git/hooks'))).toBe(false);
  });

  it('12. CVE-2026-39861: a link that a command plants is not followed by the tools outside the sandbox', async () => {
    for (const { links = {}, ...attack } of plantedLinks(around(stage))) {
      expect(await run('node', ['-e', plantLinks(links)])).toBe(undefined);
      for (const name of Object.keys(links)) expect(lstatSync(stage.workspace.path(name)).isSymbolicLink()).toBe(true);
      await refusesPaths(stage, attack);
      for (const name of Object.keys(links)) unlinkSync(stage.workspace.path(name));
    }
  });

  it('15. CVE-2026-5058, CVE-2026-23744, CVE-2026-30623: arguments of an allowed program change nothing outside', async () => {
    const out = stage.around.path('out');
    const { outside, inside, commands } = flagAttempts(out);
    for (const [name, content] of Object.entries(outside)) stage.around.write(`out/${name}`, content);
    for (const [name, content] of Object.entries(inside)) stage.workspace.write(name, content);
    await stage.unharmed(() => Promise.all(commands.map(([command, ...args]) => run(command, args))));
    expect(await run('node', ['-e', "fs.writeFileSync('made.txt', 'x')"])).toBe(undefined);
    expect(stage.workspace.read('made.txt')).toBe('x');
  });

  it('15. CVE-2026-23744: with the network off, no connection comes about', async () => {
    const connections = await connectionsDuring(async (port) => {
      for (const [command, ...args] of connectingCommands(port)) await run(command, args);
    });
    expect(connections).toBe(0);
  });
});

it('16. CVE-2026-22708: no variable that makes a program load code gets from the server to a command', async () => {
  const stage = await openStage(LOADING_VARIABLES);
  const { data } = (await stage.client.call('run_command', { command: 'node', args: ['-p', TELL_ENVIRONMENT] })) as {
    data: { exitCode: number; stdout: string; stderr: string };
  };
  expect(data).toMatchObject({ exitCode: 0, stderr: '' });
  expect(data.stdout).not.toContain('planted');
  await stage.close();
});

describe('the HTTP door', () => {
  const workspace = makeWorkspace();
  let server: HttpServer;
  beforeAll(async () => {
    server = await startHttpServer(['--root', workspace.root]);
  });
  afterAll(async () => {
    await server.stop();
    workspace.remove();
  });
  const statuses = async (advisory: number) => {
    // No browser sends two Hosts, so that they are no part of the advisory; we refuse them all the same.
    const isMore = ({ name }: BadRequest) => advisory === 17 && name.startsWith('two Hosts');
    const requests = BAD_REQUESTS.filter((request) => request.advisory === advisory || isMore(request));
    expect(requests.length).toBeGreaterThan(3);
    for (const { name, status, make } of requests)
      expect([name, (await sendRaw(server.url, bytesOf(server, make(server)))).status]).toEqual([name, status]);
  };

  it('17. CVE-2025-66414, CVE-2025-66416, CVE-2026-34742, CVE-2026-42559: a foreign name does not rebind to it', async () => {
    await statuses(17);
  });

  it('18. CVE-2025-49596, CVE-2026-32211: nobody gets in without the token, and no open address is served without one', async () => {
    await statuses(18);
    const { code, stderr } = await runTenon(['serve', '--root', workspace.root, '--http', '0.0.0.0:0']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('TENON_TOKEN')]);
  });

  it('19. CVE-2026-25536, GHSA-345p-7cg4-v4c7: two clients with the same request ids get their own replies', async () => {
    // Both count their requests from the same number.
    const clients = await Promise.all([connectClient('v1', server), connectClient('v1', server)]);
    for (let batch = 0; batch < 10; batch++) {
      const names = Array.from({ length: 25 }, (_, at) =>
        clients.map((_client, who) => `${who}-${batch}-${at}`),
      ).flat();
      const replies = await Promise.all(names.map((name) => clients[Number(name[0])]?.call('hello', { name })));
      expect(replies.map((reply) => reply?.message)).toEqual(names.map((name) => `Hello, ${name}!`));
    }
    await Promise.all(clients.map((client) => client.close()));
  });
});

it('22. CVE-2024-27980, CVE-2024-36138: on Windows no batch file is started', () => {
  const npm = 'nodejs/node_modules/npm/bin';
  const programs = makeWorkspace({ [`${npm}/npm-cli.js`]: '', [`${npm}/npx-cli.js`]: '', 'nodejs/node.exe': '' });
  for (const name of ['npm.cmd', 'npx.cmd', 'pytest.bat', 'tsc.cmd', 'tsc']) programs.write(`nodejs/${name}`, '');
  const root = makeWorkspace();
  const execPath = programs.path('nodejs/node.exe');
  const path = programs.path('nodejs');
  const { resolve } = createAllowlist({ roots: [root.root], path, platform: 'win32', execPath });
  for (const name of ['npm', 'npx'])
    expect(resolve(name)).toEqual({ file: execPath, prefixArgs: [programs.path(`${npm}/${name}-cli.js`)] });
  for (const name of ['pytest', 'tsc'])
    expect(() => resolve(name)).toThrow(expect.objectContaining({ kind: 'command_not_installed' }));
  for (const name of ['npm.cmd', 'tsc.cmd', 'pytest.bat', 'cmd', 'cmd.exe', 'NPM'])
    expect(() => resolve(name)).toThrow(expect.objectContaining({ kind: 'command_not_allowed' }));
  programs.remove();
  root.remove();
});

function around({ workspace, around: folder }: AdvisoryStage) {
  return { root: workspace.root, out: folder.path('out'), evil: folder.path('ws-evil') };
}

async function refusesPaths(stage: AdvisoryStage, { links = {}, paths, isLink = false }: PathAttack): Promise<void> {
  for (const [name, target] of Object.entries(links)) plantLink(stage, name, target);
  for (const path of paths(around(stage))) await stage.refuses(path, OUTSIDE, { isLink });
  for (const name of Object.keys(links)) unlinkSync(stage.workspace.path(name));
}
