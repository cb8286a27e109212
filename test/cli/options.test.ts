/** Every option by its flag, its environment variable and its config key: the same effect each time. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configKey, definitionOf, environmentName, OPTION_NAMES, type OptionName } from '../../src/cli/options';
import { openAcpClient } from '../harness/acp-client';
import { fakeCodex, makeFakeHome, type Received } from '../harness/fake-home';
import { startHttpServer } from '../harness/http-server';
import { makeWorkspace, type Workspace } from '../harness/workspace';
import { openLines } from '../mcp/line-client';
import { cleanEnvironment, countSyncs, runTenon, runUntil } from './run-tenon';

interface Given {
  readonly flags: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

interface Probe {
  /** What the option is set to. */
  readonly value: () => string | true;
  /** Fails unless the setting has its effect. `place` is a fresh folder and the current directory. */
  readonly shows: (given: Given, place: Workspace) => Promise<void>;
}

let elsewhere: Workspace;
beforeAll(() => {
  elsewhere = makeWorkspace({ 'a.txt': 'elsewhere' });
});
afterAll(() => elsewhere.remove());

const call = ({ flags, env }: Given, place: Workspace, tool: string, args: object = {}) =>
  runTenon(['call', tool, JSON.stringify(args), ...flags], { cwd: place.root, env });

const serve = ({ flags, env }: Given, place: Workspace) =>
  openLines(['serve', ...flags], { cwd: place.root, env: { ...cleanEnvironment(), ...env } });

/** What an editor and Codex hear in a session in which a file is read. */
async function converse({ flags, env }: Given, place: Workspace): Promise<{ told: string; received: Received[] }> {
  const home = makeFakeHome();
  const codex = { ...home.env, CODEX_PATH: fakeCodex };
  const client = await openAcpClient({ args: flags, env: { ...cleanEnvironment(), ...codex, ...env } });
  await client.prompt(await client.newSession(place.root), 'call read_file {"file":"a.txt"}');
  await client.leave();
  const heard = { told: client.frames.map(({ line }) => line).join('\n'), received: home.received() };
  home.remove();
  return heard;
}

const entry = { file: 'best_practices.md', entry: 'x' };

/** Says yes to entries, besides what is probed. */
const approving = (given: Given): Given => ({ ...given, flags: [...given.flags, '--approve', 'always'] });

const PROBES: Record<Exclude<OptionName, 'config'>, Probe> = {
  root: {
    value: () => elsewhere.root,
    async shows(given, place) {
      expect((await call(given, place, 'read_file', { file: 'a.txt' })).stdout).toContain('elsewhere');
    },
  },
  toolsets: {
    value: () => 'editor,repo',
    async shows(given, place) {
      expect(await call(given, place, 'list_dir')).toMatchObject({ code: 2 });
      expect(await call(given, place, 'hello')).toMatchObject({ code: 0 });
    },
  },
  http: {
    value: () => '127.0.0.1:0',
    async shows({ flags, env }, place) {
      await runUntil(/http:\/\/127\.0\.0\.1:\d+\/mcp/, ['serve', ...flags], { cwd: place.root, env });
    },
  },
  token: {
    value: () => 'a-token-of-my-own-0123456789',
    async shows({ flags, env }, place) {
      const server = await startHttpServer(['--root', place.root, ...flags], {
        ...cleanEnvironment(),
        TENON_TOKEN: '',
        ...env,
      });
      const post = (token: string) =>
        fetch(server.url, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: '{' });
      const [right, wrong] = [await post('a-token-of-my-own-0123456789'), await post('a-token-of-another-0123456789')];
      await server.stop();
      expect(wrong.status).toBe(401);
      expect(right.status).not.toBe(401);
    },
  },
  'tool-errors': {
    value: () => 'rpc',
    async shows(given, place) {
      const client = serve(given, place);
      await client.initialize();
      const params = { name: 'read_text_file', arguments: { path: place.path('missing') } };
      expect((await client.request('tools/call', params)).error?.code).toBe(-32001);
      await client.end();
    },
  },
  approve: {
    value: () => 'always',
    async shows(given, place) {
      expect(await call(given, place, 'write_memory_entry', entry)).toMatchObject({ code: 0 });
    },
  },
  'memory-dir': {
    value: () => elsewhere.root,
    async shows(given, place) {
      const before = existsSync(elsewhere.path(entry.file)) ? elsewhere.read(entry.file) : '';
      expect(await call(approving(given), place, 'write_memory_entry', entry)).toMatchObject({ code: 0 });
      expect(elsewhere.read(entry.file)).toBe(`${before}x\n`);
    },
  },
  'allow-command': {
    value: () => 'true',
    async shows(given, place) {
      expect(await call(given, place, 'run_command', { command: 'true' })).toMatchObject({ code: 0 });
    },
  },
  sandbox: {
    value: () => 'required',
    async shows(given, place) {
      // Inside, the server is not to be seen; where there is no sandbox, the command is refused.
      const script = 'console.log(require("fs").existsSync("/sandbox-home"))';
      const { stdout } = await call(given, place, 'run_command', { command: 'node', args: ['-e', script] });
      expect(stdout).toMatch(/"stdout":"true\\n"|"kind":"sandbox_unavailable"/);
    },
  },
  'sandbox-network': {
    value: () => 'off',
    async shows({ flags, env }, place) {
      const required = { flags: [...flags, '--sandbox', 'required'], env };
      const script = 'console.log(Object.keys(require("os").networkInterfaces()).join())';
      const { stdout } = await call(required, place, 'run_command', { command: 'node', args: ['-e', script] });
      expect(stdout).toMatch(/"stdout":"(lo)?\\n"|"kind":"sandbox_unavailable"/);
    },
  },
  protect: {
    value: () => 'off',
    async shows(given, place) {
      const protectedFile = { file: '.npmrc', content: 'x' };
      expect(await call({ flags: [], env: {} }, place, 'write_file', protectedFile)).toMatchObject({ code: 1 });
      expect(await call(given, place, 'write_file', protectedFile)).toMatchObject({ code: 0 });
      expect(existsSync(place.path('.npmrc'))).toBe(true);
    },
  },
  durability: {
    value: () => 'fast',
    async shows({ flags, env }, place) {
      const write = ['call', 'write_file', JSON.stringify({ file: 'a.txt', content: 'x' })];
      const fast = await countSyncs([...write, ...flags], { cwd: place.root, env });
      const synced = await countSyncs([...write, '--durability', 'synced'], { cwd: place.root });
      if (synced !== undefined) expect({ fast, synced }).toEqual({ fast: 0, synced: 2 });
    },
  },
  mode: {
    value: () => 'full-access',
    async shows(given, place) {
      const { told, received } = await converse(given, place);
      expect(told).toContain('"currentModeId":"full-access"');
      expect(JSON.stringify(received)).toContain('"sandboxPolicy":{"type":"dangerFullAccess"}');
    },
  },
  'codex-tools': {
    value: () => 'mcp',
    async shows(given, place) {
      const { received } = await converse(given, place);
      expect(JSON.stringify(received)).toContain('"mcp_servers":{"tenon_bridge":');
      expect(JSON.stringify(received)).not.toContain('dynamicTools');
    },
  },
  'acp-events': {
    value: () => 'seed',
    async shows(given, place) {
      const { told } = await converse(given, place);
      expect(told).toContain('"update":{"type":"toolCall",');
      expect(told).not.toContain('"sessionUpdate":"tool_call"');
    },
  },
  'sdk-only': {
    value: () => true,
    async shows({ flags, env }, place) {
      const client = serve({ flags, env: { ...env, NODE_DEBUG: 'module' } }, place);
      await client.initialize();
      expect(client.stderr()).toMatch(/load.*sdk\.cjs/);
      await client.end();
    },
  },
  'read-only': {
    value: () => true,
    async shows(given, place) {
      const { code, stderr } = await call(given, place, 'mkdir', { dir: 'x' });
      expect(code).toBe(2);
      expect(stderr).toContain('read-only');
    },
  },
  'log-level': {
    value: () => 'silent',
    async shows(given, place) {
      const client = serve(given, place);
      await client.initialize();
      await client.request('tools/call', { name: 'hello' });
      await client.end();
      expect(client.stderr()).toBe('');
    },
  },
  'log-file': {
    value: () => elsewhere.path('tenon.log'),
    async shows(given, place) {
      elsewhere.write('tenon.log', '');
      const client = serve(given, place);
      await client.initialize();
      await client.request('tools/call', { name: 'hello' });
      await client.end();
      expect(client.stderr()).toBe('');
      expect(elsewhere.read('tenon.log')).toContain('"tool":"hello"');
    },
  },
};

const SOURCES: Record<string, (option: OptionName, value: string | true, place: Workspace) => Given> = {
  flag: (option, value) => ({ flags: value === true ? [`--${option}`] : [`--${option}`, value], env: {} }),
  'environment variable': (option, value) => ({ flags: [], env: { [environmentName(option)]: String(value) } }),
  'config key': (option, value, place) => {
    const isList = definitionOf(option).type === 'list';
    const config = JSON.stringify({ [configKey(option)]: isList ? [value] : value });
    return { flags: ['--config', place.write('../tenon-config.json', config)], env: {} };
  },
};

describe.each(Object.keys(PROBES) as (keyof typeof PROBES)[])('--%s', (option) => {
  it.each(Object.keys(SOURCES))('by its %s [every.cli.options]', async (source) => {
    const place = makeWorkspace({ 'work/a.txt': 'here' });
    const { value, shows } = PROBES[option];
    const given = SOURCES[source]?.(option, value(), inside(place)) ?? { flags: [], env: {} };
    await shows(given, inside(place));
    place.remove();
  });
});

describe('an option', () => {
  it('of every name has its probe here [every.cli.options]', () => {
    expect([...Object.keys(PROBES), 'config'].sort()).toEqual([...OPTION_NAMES].sort());
  });

  it('that is a list may be repeated: as a flag, with the path separator, as a list [every.cli.options]', async () => {
    const place = makeWorkspace({ 'config.json': JSON.stringify({ allowCommand: ['true', 'false'] }) });
    for (const given of [
      { flags: ['--allow-command', 'true', '--allow-command', 'false'], env: {} },
      { flags: [], env: { TENON_ALLOW_COMMAND: 'true:false' } },
      { flags: ['--config', 'config.json'], env: {} },
    ])
      for (const command of ['true', 'false'])
        expect(await call(given, place, 'run_command', { command })).toMatchObject({ code: 0 });
    place.remove();
  });
});

/** The folder `work`, so that what is beside it goes with it. */
function inside(place: Workspace): Workspace {
  const below = (name: string) => `work/${name}`;
  return {
    ...place,
    root: place.path('work'),
    path: (name) => place.path(below(name)),
    write: (name, content) => place.write(below(name), content),
  };
}
