/**
 * Everything that the bridge says, held against the parsers of three generations of the SDK: an editor that was built
 * years ago must accept it, and must not lose a part of it.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AcpClient, openAcpClient, REJECT } from '../harness/acp-client';
import { type AgentMessage, agentMessages } from '../harness/acp-frames';
import { repository } from '../harness/binary';
import { fakeCodex, makeFakeHome } from '../harness/fake-home';
import { makeWorkspace } from '../harness/workspace';
import { install, OLD_ACP_SDKS } from './foreign';

interface Parser {
  safeParse(value: unknown): { readonly success: boolean; readonly data?: unknown; readonly error?: unknown };
}

/** Every recorded scenario that says something to an editor, and calls of our tools with and without success. */
const PROMPTS = [
  'message',
  'reasoning-plan',
  'exec',
  'exec-slow',
  'exec-failed',
  'patch',
  'patch-free',
  'mcp-read',
  'mcp-failed',
  'mcp-approval',
  'web-search',
  'call read_text_file {"path":"{cwd}/a.txt"}',
  'call read_text_file {"path":"{cwd}/none.txt"}',
  'call write_text_file {"path":"{cwd}/new.txt","content":"new"}',
  'call edit_text_file {"path":"{cwd}/a.txt","old_string":"one","new_string":"1"}',
  'call list_dir {"dir":"."}',
  'call move_file {"from":"new.txt","to":"newer.txt"}',
  'call delete_file {"path":"newer.txt"}',
  'call write_memory_entry {"file":"best_practices.md","entry":"Measure."}',
  '/status',
  '/tools',
  '/mcp',
  '/compact',
  '/review',
  '/nothing',
];

let messages: AgentMessage[];
beforeAll(async () => {
  messages = await everythingSaid();
});

describe.each([...OLD_ACP_SDKS.map(({ version }) => version), '2.4.0'])('the parsers of SDK %s', (version) => {
  let parsers: Record<string, Parser | undefined>;
  beforeAll(async () => {
    parsers = await parsersOf(version);
  });

  it('accept all that they know', () => {
    const known = messages.filter(({ definition }) => parsers[`z${definition}`]);
    expect(known.length).toBeGreaterThan(PROMPTS.length);
    const refused = known.filter(({ definition, value }) => !parsers[`z${definition}`]?.safeParse(value).success);
    expect(refused.map(({ line }) => line)).toEqual([]);
  });

  it('lose nothing that a person sees', () => {
    const updates = messages.filter(({ definition }) => definition === 'SessionNotification');
    expect(updates.map(({ value }) => shown(parsers.zSessionNotification?.safeParse(value).data))).toEqual(
      updates.map(({ value }) => shown(value)),
    );
  });
});

async function parsersOf(version: string): Promise<Record<string, Parser | undefined>> {
  const old = OLD_ACP_SDKS.find((sdk) => sdk.version === version);
  const file = old
    ? join(await install(old), 'dist', 'schema', 'zod.gen.js')
    : join(repository, 'node_modules', '@agentclientprotocol', 'sdk', 'dist', 'v1', 'schema', 'zod.gen.js');
  return import(pathToFileURL(file).href);
}

/** What every generation has. */
function shown(notification: unknown): object {
  const { update } = notification as { update: Record<string, unknown> };
  const { sessionUpdate, toolCallId, title, kind, status, content, locations, rawInput, rawOutput, entries } = update;
  return { sessionUpdate, toolCallId, title, kind, status, content, locations, rawInput, rawOutput, entries };
}

async function everythingSaid(): Promise<AgentMessage[]> {
  const home = makeFakeHome();
  const workspace = makeWorkspace({ 'a.txt': 'one\n' });
  const env = { ...home.env, CODEX_PATH: fakeCodex, TENON_SANDBOX: 'off' };
  const client = await openAcpClient({ env });
  try {
    await converse(client, workspace.root);
    return agentMessages(client.frames);
  } finally {
    await client.stop();
    home.remove();
    workspace.remove();
  }
}

async function converse(client: AcpClient, cwd: string): Promise<void> {
  const sessionId = await client.newSession(cwd);
  for (const prompt of PROMPTS) await client.prompt(sessionId, prompt);
  client.permit = () => REJECT;
  await client.agent.request('session/set_mode', { sessionId, modeId: 'read-only' });
  await client.agent.request('session/set_config_option', { sessionId, configId: 'mode', value: 'editor-only' });
  await client.prompt(sessionId, 'exec');
  await client.prompt(sessionId, 'patch');
  await client.prompt(sessionId, 'call delete_file {"path":"a.txt"}');
  await client.prompt(sessionId, 'model-error').catch(() => undefined);
  await client.agent.request('session/list', { cwd });
  await client.agent.request('session/load', { sessionId, cwd, mcpServers: [] });
  await client.agent.request('session/resume', { sessionId, cwd, mcpServers: [] });
  await client.agent.request('session/close', { sessionId });
  await client.agent.request('session/delete', { sessionId });
}
