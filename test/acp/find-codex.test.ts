/** Which Codex the bridge drives, and what it says where there is none. */
import { chmodSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeBinary } from '../harness/binary';
import { type BridgeStage, setStage } from '../harness/bridge-stage';
import { fakeCodex } from '../harness/fake-home';
import { descendants } from '../harness/processes';

let stage: BridgeStage;
beforeEach(() => {
  stage = setStage();
});
afterEach(async () => {
  stage.expectValid();
  await stage.close();
});

const playing = `import(${JSON.stringify(pathToFileURL(fakeCodex).href)});\n`;
const broken = '#!/bin/sh\nexit 1\n';

function program(name: string, text: string): string {
  const path = stage.workspace.write(name, text);
  chmodSync(path, 0o755);
  return path;
}

async function sessionWith(env: NodeJS.ProcessEnv, cwd = stage.workspace.root): Promise<string> {
  const client = await stage.open({ env: { CODEX_PATH: undefined, PATH: stage.workspace.path('bin'), ...env }, cwd });
  return client.newSession(stage.workspace.root);
}

it('it is found on the PATH [bridge.codex.path]', async () => {
  program('bin/codex', `#!/bin/sh\nexec '${nodeBinary()}' '${fakeCodex}' "$@"\n`);
  expect(await sessionWith({})).toMatch(/^[\w-]{36}$/);
});

it('one that CODEX_PATH names comes before any other [bridge.codex.named]', async () => {
  program('bin/codex', broken);
  expect(await sessionWith({ CODEX_PATH: fakeCodex })).toMatch(/^[\w-]{36}$/);
});

it('it is found as a package that is installed where the agent runs [bridge.codex.package]', async () => {
  stage.workspace.write('node_modules/@openai/codex/package.json', '{"name":"@openai/codex","version":"0.166.0"}');
  stage.workspace.write('node_modules/@openai/codex/bin/codex.js', playing);
  expect(await sessionWith({})).toMatch(/^[\w-]{36}$/);
});

it('without one the editor is told how to install it [bridge.codex.missing]', async () => {
  await expect(sessionWith({})).rejects.toThrow(/Codex CLI was not found.*npm install -g @openai\/codex/);
});

it('a CODEX_PATH that leads nowhere is named [bridge.codex.missing]', async () => {
  program('bin/codex', broken);
  await expect(sessionWith({ CODEX_PATH: '/nowhere/codex' })).rejects.toThrow(
    /\/nowhere\/codex.*npm install -g @openai\/codex/,
  );
});

it('what it said is told when it cannot start [bridge.codex.missing]', async () => {
  program('bin/codex', '#!/bin/sh\necho "error in config.toml" >&2\nexit 1\n');
  await expect(sessionWith({})).rejects.toThrow(/exited with code 1.*error in config\.toml/);
});

it('a Codex without a login is an error that names the command [bridge.codex.login]', async () => {
  const login = sessionWith({ CODEX_PATH: fakeCodex, FAKE_CODEX_LACKS: 'login' });
  await expect(login).rejects.toMatchObject({ code: -32000, message: expect.stringContaining('codex login') });
});

it('one child serves all sessions, in an environment of its own [bridge.agent, bridge.codex.one, bridge.codex.environment]', async () => {
  const looking = `require('node:fs').appendFileSync(process.env.SEEN, JSON.stringify(process.env) + '\\n');\n`;
  const client = await stage.open({
    env: {
      CODEX_PATH: stage.workspace.write('codex.cjs', looking + playing),
      SEEN: stage.workspace.path('seen.jsonl'),
      RUST_BACKTRACE: '1',
      TENON_TOKEN: 'only-for-tenon-itself',
    },
  });
  expect(client.greeting).toMatchObject({ protocolVersion: 1, agentInfo: { name: 'tenon' } });
  expect(descendants(client.pid)).toEqual([]);
  const sessions = [await client.newSession(stage.workspace.root), await client.newSession(stage.workspace.root)];
  expect(new Set(sessions).size).toBe(2);
  expect(descendants(client.pid)).toHaveLength(1);
  const seen = stage.workspace.read('seen.jsonl').trimEnd().split('\n');
  expect(seen).toHaveLength(1);
  expect(JSON.parse(seen[0] ?? '')).toMatchObject({ RUST_BACKTRACE: '0' });
  expect(seen[0]).not.toContain('only-for-tenon-itself');
});
