/** The built bridge between an editor and a Codex that plays recordings. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AcpClient, openAcpClient } from '../harness/acp-client';
import { agentFrameProblems } from '../harness/acp-frames';
import { denied } from '../harness/editor-buffers';
import { type FakeHome, fakeCodex, makeFakeHome } from '../harness/fake-home';
import { makeWorkspace, type Workspace } from '../harness/workspace';

let home: FakeHome;
let workspace: Workspace;
let client: AcpClient;

beforeEach(() => {
  home = makeFakeHome();
  workspace = makeWorkspace({ 'a.txt': 'on disk\n' });
});
afterEach(async () => {
  const problems = agentFrameProblems(client?.frames ?? []);
  await client?.stop();
  home.remove();
  workspace.remove();
  expect(problems).toEqual([]);
});

async function open(args: readonly string[] = [], buffers: Record<string, string> = {}): Promise<string> {
  client = await openAcpClient({ args, env: { ...home.env, CODEX_PATH: fakeCodex, TENON_SANDBOX: 'off' }, buffers });
  return client.newSession(workspace.root);
}

describe.each(['dynamic', 'mcp'])('over %s tools', (way) => {
  it('a call reads the unsaved buffer', async () => {
    const session = await open(['--codex-tools', way], { [workspace.path('a.txt')]: 'unsaved\n' });
    const { stopReason, updates } = await client.prompt(session, 'call read_text_file {"path":"{cwd}/a.txt"}');
    expect(stopReason).toBe('end_turn');
    expect(updates).toContainEqual(
      expect.objectContaining({
        sessionUpdate: 'tool_call_update',
        status: 'completed',
        rawOutput: expect.objectContaining({ content: 'unsaved\n' }),
      }),
    );
  });

  it('a read that the editor denies is not made on disk', async () => {
    const session = await open(['--codex-tools', way]);
    client.editor.beforeRead = () => {
      throw denied('fs/read_text_file');
    };
    await client.prompt(session, 'call read_text_file {"path":"{cwd}/a.txt"}');
    expect(client.editor.asked).toEqual([`read ${workspace.path('a.txt')}`]);
    expect(client.frames.map(({ line }) => line).join()).not.toContain('on disk');
  });
});
