/** What a person can say: slash commands, images, resources. */
import { type ContentBlock, methods } from '@agentclientprotocol/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AcpClient } from '../harness/acp-client';
import { type BridgeStage, setStage, textsIn } from '../harness/bridge-stage';

let stage: BridgeStage;
let client: AcpClient;
let session: string;

beforeAll(async () => {
  stage = setStage();
  client = await stage.open();
});
beforeEach(async () => {
  session = await client.newSession(stage.workspace.root);
});
afterEach(() => stage.expectValid());
afterAll(() => stage?.close());

const said = async (prompt: string) => textsIn((await client.prompt(session, prompt)).updates);

describe('a slash command', () => {
  it('is listed when a session begins [bridge.command.listed]', async () => {
    const told = await client.told(session, ({ sessionUpdate }) => sessionUpdate === 'available_commands_update');
    expect(told).toMatchObject({
      availableCommands: ['status', 'tools', 'compact', 'review', 'mcp'].map((name) => ({ name })),
    });
  });

  it('/status shows where it stands [bridge.command.status]', async () => {
    await client.prompt(session, 'message');
    const text = await said('/status');
    for (const part of [
      stage.workspace.root,
      'agent:',
      '15, as dynamic tools',
      'without a sandbox',
      / of \d+ tokens/,
      session,
    ])
      expect(text).toMatch(part);
  });

  it('/tools shows the tools [bridge.command.tools]', async () => {
    const text = await said('/tools');
    expect(text.split('\n')).toHaveLength(15);
    expect(text).toContain('- `read_text_file`: ');
  });

  it('/mcp shows the servers [bridge.command.mcp]', async () => {
    expect(await said('/mcp')).toMatch(/^- \w+: /);
    expect(stage.asked('mcpServerStatus/list').at(-1)).toMatchObject({ threadId: session });
  });

  it('/compact is a turn of Codex [bridge.command.compact]', async () => {
    expect((await client.prompt(session, '/compact')).stopReason).toBe('end_turn');
    expect(stage.asked('thread/compact/start').at(-1)).toEqual({ threadId: session });
  });

  it('/review is a turn of Codex, about all changes or what one names [bridge.command.review]', async () => {
    expect(await said('/review')).not.toBe('');
    expect(stage.asked('review/start').at(-1)).toEqual({ threadId: session, target: { type: 'uncommittedChanges' } });
    await said('/review only the tests');
    const target = { type: 'custom', instructions: 'only the tests' };
    expect(stage.asked('review/start').at(-1)).toMatchObject({ target });
  });

  it('that there is not is answered with those that there are; a path is a prompt [bridge.command.unknown]', async () => {
    const before = stage.asked('turn/start').length;
    expect(await said('/nothing at all')).toMatch(/no command \/nothing.*`\/status`/s);
    expect(stage.asked('turn/start')).toHaveLength(before);
    await said('/usr/bin is full');
    expect(stage.asked('turn/start').at(-1)).toMatchObject({ input: [{ text: '/usr/bin is full' }] });
  });
});

describe('in a prompt', () => {
  const sent = async (...prompt: ContentBlock[]) => {
    await client.agent.request(methods.agent.session.prompt, { sessionId: session, prompt });
    return stage.asked('turn/start').at(-1)?.input;
  };
  const look: ContentBlock = { type: 'text', text: 'look' };

  it('an image reaches Codex [bridge.prompt.images]', async () => {
    expect(client.greeting.agentCapabilities?.promptCapabilities).toMatchObject({ image: true, embeddedContext: true });
    expect(await sent(look, { type: 'image', data: 'iVBORw0=', mimeType: 'image/png' })).toMatchObject([
      { type: 'text', text: 'look' },
      { type: 'image', url: 'data:image/png;base64,iVBORw0=' },
    ]);
  });

  it('embedded resources and links reach Codex [bridge.prompt.resources]', async () => {
    const resource = { uri: 'file:///ws/a.txt', text: 'unsaved words', mimeType: 'text/plain' };
    const link: ContentBlock = { type: 'resource_link', uri: 'file:///ws/b.txt', name: 'b.txt' };
    expect(await sent(look, { type: 'resource', resource }, link)).toMatchObject([
      { text: 'look' },
      { text: expect.stringMatching(/^\/ws\/a\.txt:\n[\s\S]*unsaved words/) },
      { text: '/ws/b.txt' },
    ]);
  });

  it('what Codex cannot take is refused with the reason [bridge.prompt.resources]', async () => {
    const audio: ContentBlock = { type: 'audio', data: '', mimeType: 'audio/wav' };
    await expect(sent(audio)).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('audio') });
  });
});
