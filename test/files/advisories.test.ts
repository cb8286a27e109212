/**
 * Published advisories about servers of this kind, and about the programs around them, each as an attack on the built
 * binary. The table in docs/advisories.md has the same numbers.
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
import { runTenon } from '../cli/run-tenon';
import { writeSampleFiles } from '../contract/sample-calls';
import { type HttpServer, startHttpServer } from '../harness/http-server';
import { makeWorkspace } from '../harness/workspace';
import { connectClient } from '../mcp/http-clients';
import { sendRaw } from '../mcp/raw-http';
import {
  callsWith,
  connectionsDuring,
  FOREIGN_PATHS,
  LOADING_VARIABLES,
  NOT_COMMANDS,
  NOT_WINDOWS_NAMES,
  NOT_WINDOWS_PATHS,
  PLAIN_NAMES,
  pathologicalTexts,
  plantLink,
  race,
} from './advisory-attacks';
import { type AdvisoryStage, CANARY, OUTSIDE, openStage, PATH_CALLS } from './advisory-stage';

const hasSandbox = process.platform === 'linux' && existsSync('/usr/bin/bwrap');

describe('paths', () => {
  let stage: AdvisoryStage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());
  const link = (name: string, target: string) => plantLink(stage, name, target);

  it('1. CVE-2025-53110: a sibling folder with the same beginning is outside', async () => {
    await stage.refuses('../ws-evil/f');
    await stage.refuses(stage.around.path('ws-evil/f'));
    await stage.refuses(stage.around.path('ws-evil'));
  });

  it('2. CVE-2025-53109, GHSA-q66q-fx2p-7w4m: a link that leads outside is not followed', async () => {
    const before = [readFileSync('/etc/passwd', 'utf8'), statSync('/etc/passwd').mtimeMs];
    for (const [name, target] of Object.entries({ passwd: '/etc/passwd', file: '../out/f', folder: '../out' })) {
      link(name, target);
      await stage.refuses(name, OUTSIDE, { isLink: true });
    }
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
    link('dangling', '../out/new');
    await stage.refuses('dangling', OUTSIDE, { isLink: true });
    await stage.refuses('dangling/a');
    expect(existsSync(stage.around.path('out/new'))).toBe(false);
  });

  it('5. cyanheads filesystem-mcp-server issue 21: a linked folder in the middle of a path is seen', async () => {
    link('a/link', '../../out');
    await stage.refuses('a/link/f');
    await stage.refuses('a/link/sub/f');
    await stage.refuses('a/link/new/deep');
  });

  it('6. pal-mcp-server issue 293: no list of forbidden places is asked, so none can be written around', async () => {
    const places = ['/etc/passwd', '/etc//passwd', '/usr/../etc/passwd', '/proc/self/root/etc/passwd', '/srv/any', '/'];
    for (const path of places) await stage.refuses(path);
  });

  it('7. CVE-2026-27735, GHSA-vjqx-cfc4-9h6v: `..` is refused in every path of a call, the second ones too', async () => {
    for (const path of ['../out/f', '../../x', 'a/../../out/f', './../out/new']) await stage.refuses(path);
    const entry = { file: '../../../out/f', entry: 'x' };
    expect(await stage.codeOf('write_memory_entry', entry)).toBe('INVALID_ARGUMENT');
  });

  it('8. CVE-2025-68143, -68144, -68145: git is not run, and nothing else is run outside', async () => {
    const { path } = stage.around;
    for (const args of [
      ['init', path('out')],
      ['diff', `--output=${path('out/f')}`],
      ['-C', path('out'), 'add', '.'],
    ])
      expect(await stage.codeOf('run_command', { command: 'git', args })).toBe('COMMAND_NOT_ALLOWED');
    for (const cwd of ['../out', path('out')])
      expect(await stage.codeOf('run_command', { command: 'node', cwd })).toBe('INVALID_PATH');
    expect(existsSync(path('out/.git'))).toBe(false);
  });

  it('9. mcp-server-git pull request 3545: a name that looks like a flag is a name', async () => {
    const { path, read } = stage.workspace;
    await stage.unharmed(async () => {
      for (const file of [`--output=${stage.around.path('out/f')}`, '-rf', '--', '-c/core.pager']) {
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
    for (const name of ['.env', '.ENV.local', '.git/config', 'keys/my-Secret.txt', '.vscode/tasks.json'])
      write(name, CANARY);
    link('notes.txt', '.env');
    link('again.txt', 'notes.txt');
    link('g', '.git');
    link('k', 'keys/my-Secret.txt');
    link('editor', '.vscode');
    for (const path of ['.env', '.ENV.local', 'notes.txt', 'again.txt', 'g/config', '.git/config', 'k'])
      expect([path, await stage.codeOf('read_repo_file', { path })]).toEqual([path, 'BLOCKED']);
    for (const file of ['g/config', 'editor/tasks.json', 'editor/new.json'])
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
    const args = ['$(id)', '`id`', '*', '~', `\${HOME}`, '; id', '| id', '> planted', '\n id'];
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
      const addresses = [`http://127.0.0.1:${port}/f`, `//127.0.0.1:${port}/f`, `file://${stage.around.path('out/f')}`];
      for (const address of addresses)
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
    await stage.refuses('//etc/passwd');
    await stage.refuses(`${'../'.repeat(30)}etc/passwd`);
    const unreadable = { editor: -32602, workspace: 'INVALID_PATH', repo: 'INVALID_ARGUMENT' };
    await stage.refuses('own.txt\0/../../out/f', unreadable);
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
    for (const name of ['.npmrc', '.codex/config.toml', '.vscode/settings.json', '.git/hooks/pre-commit']) {
      const script = `fs.mkdirSync('${dirname(name)}', { recursive: true }); fs.writeFileSync('${name}', 'x')`;
      expect([name, await run('node', ['-e', script])]).toEqual([name, 'COMMAND_NOT_ALLOWED']);
      expect(existsSync(stage.workspace.path(name))).toBe(false);
    }
    mkdirSync(stage.workspace.path('.git'));
    await run('node', ['-e', "fs.mkdirSync('.git/hooks'); fs.writeFileSync('.git/hooks/pre-commit', 'x')"]);
    expect(existsSync(stage.workspace.path('.git/hooks'))).toBe(false);
  });

  it('12. CVE-2026-39861: a link that a command plants is not followed by the tools outside the sandbox', async () => {
    const script = `fs.symlinkSync('${stage.around.path('out')}', 'l'); fs.symlinkSync('../out/new', 'n')`;
    expect(await run('node', ['-e', script])).toBe(undefined);
    expect(lstatSync(stage.workspace.path('l')).isSymbolicLink()).toBe(true);
    await stage.refuses('l', OUTSIDE, { isLink: true });
    await stage.refuses('n', OUTSIDE, { isLink: true });
    await stage.refuses('l/f');
  });

  it('15. CVE-2026-5058, CVE-2026-23744, CVE-2026-30623: arguments of an allowed program change nothing outside', async () => {
    const out = stage.around.path('out');
    const touch = `touch ${out}/planted; cat ${out}/f`;
    const payload = `require('fs').writeFileSync('${out}/planted', 'x')`;
    stage.around.write('out/payload.cjs', payload);
    stage.around.write('out/package.json', '{}');
    stage.around.write('out/test_payload.py', `open('${out}/planted', 'w')`);
    stage.workspace.write('package.json', JSON.stringify({ name: 'x', scripts: { x: touch } }));
    const attempts: [command: string, ...args: string[]][] = [
      ['node', '-e', payload],
      ['node', '-r', '../out/payload.cjs', '-e', '0'],
      ['node', '-p', `fs.readFileSync('${out}/f', 'utf8')`],
      ['python3', '-c', `open('${out}/planted', 'w'); print(open('${out}/f').read())`],
      ['npm', '--prefix', '../out', 'pkg', 'set', 'a=b'],
      ['npm', 'run', 'x', '--script-shell=/bin/sh'],
      ['npx', '-c', touch],
      ['tsc', '--outFile', `${out}/planted`, 'a.ts'],
      ['pytest', '--rootdir', '../out', '../out'],
    ];
    await stage.unharmed(() => Promise.all(attempts.map(([command, ...args]) => run(command, args))));
    expect(await run('node', ['-e', "fs.writeFileSync('made.txt', 'x')"])).toBe(undefined);
    expect(stage.workspace.read('made.txt')).toBe('x');
  });

  it('15. CVE-2026-23744: with the network off, no connection comes about', async () => {
    const connections = await connectionsDuring(async (port) => {
      await run('node', ['-e', `net.connect(${port}, '127.0.0.1')`]);
      await run('npx', ['--fetch-retries=0', `--registry=http://127.0.0.1:${port}`, 'evil-package']);
    });
    expect(connections).toBe(0);
  });
});

it('16. CVE-2026-22708: no variable that makes a program load code gets from the server to a command', async () => {
  const planted = Object.fromEntries(LOADING_VARIABLES.map((name) => [name, '/planted']));
  const stage = await openStage({ ...planted, NODE_OPTIONS: '--title=planted', PROMPT_COMMAND: 'planted' });
  const script = 'JSON.stringify([process.env, process.execArgv, process.title])';
  const { data } = (await stage.client.call('run_command', { command: 'node', args: ['-p', script] })) as {
    data: { exitCode: number; stdout: string; stderr: string };
  };
  expect(data).toMatchObject({ exitCode: 0, stderr: '' });
  expect(data.stdout).not.toContain('planted');
  await stage.close();
});

describe('the HTTP door', () => {
  const workspace = makeWorkspace();
  let server: HttpServer;
  let own: string;
  beforeAll(async () => {
    server = await startHttpServer(['--root', workspace.root]);
    own = new URL(server.url).host;
  });
  afterAll(async () => {
    await server.stop();
    workspace.remove();
  });
  const statusOf = async (headers: readonly string[], target = '/mcp') => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const all = [...headers, 'Content-Type: application/json', `Content-Length: ${body.length}`];
    return (await sendRaw(server.url, [[`POST ${target} HTTP/1.1`, ...all, '', body].join('\r\n')])).status;
  };

  it('17. CVE-2025-66414, CVE-2025-66416, CVE-2026-34742, CVE-2026-42559: a foreign name does not rebind to it', async () => {
    const token = `Authorization: Bearer ${server.token}`;
    const port = own.split(':')[1];
    for (const host of [
      'evil.example.com',
      `evil.example.com:${port}`,
      `localhost.evil.com:${port}`,
      `${own}.evil.com`,
    ])
      expect([host, await statusOf([`Host: ${host}`, token])]).toEqual([host, 403]);
    for (const origin of ['null', 'http://evil.example.com', `http://localhost.evil.com:${port}`])
      expect([origin, await statusOf([`Host: ${own}`, `Origin: ${origin}`, token])]).toEqual([origin, 403]);
    expect(await statusOf([`Host: ${own}`, 'Host: evil.example.com', token])).toBe(400);
    expect(await statusOf([`Host: ${own}`, token], 'http://evil.example.com/mcp')).toBe(400);
  });

  it('18. CVE-2025-49596, CVE-2026-32211: nobody gets in without the token, and no open address is served without one', async () => {
    for (const value of [
      [],
      ['Authorization: Bearer wrong'],
      ['Authorization: Bearer '],
      ['Authorization: Basic eA=='],
    ])
      expect(await statusOf([`Host: ${own}`, ...value])).toBe(401);
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
