/** The person's buffers come before the disk, and what they typed is never lost. */
import { RequestError } from '@agentclientprotocol/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AcpClient } from '../harness/acp-client';
import { type BridgeStage, call, lastCall, setStage, type ToolUpdate } from '../harness/bridge-stage';
import { denied } from '../harness/editor-buffers';

let stage: BridgeStage;
let client: AcpClient;
let session: string;
let file: string;

beforeAll(async () => {
  stage = setStage();
  client = await stage.open();
});
beforeEach(async () => {
  file = stage.workspace.write('a.txt', 'on disk\n');
  client.editor.open.clear();
  client.editor.asked.length = 0;
  client.editor.beforeRead = () => {};
  session = await client.newSession(stage.workspace.root);
});
afterEach(() => stage.expectValid());
afterAll(() => stage?.close());

async function calling(tool: string, input: object): Promise<ToolUpdate> {
  return endOf(client, session, tool, input);
}

async function endOf(by: AcpClient, within: string, tool: string, input: object): Promise<ToolUpdate> {
  const { updates } = await by.prompt(within, call(tool, input));
  const end = lastCall(updates);
  if (!end) throw new Error('no call');
  return end;
}

const PATH = { path: '{cwd}/a.txt' };
const EDIT = { old_string: 'buffer', new_string: 'editor' };
const byEditor = { status: 'completed', rawOutput: { _meta: { via: 'editor' } } };
const byDisk = { status: 'completed', rawOutput: { _meta: { via: 'disk' } } };

describe('the buffer is read and written, not the disk behind it', () => {
  beforeEach(() => void client.editor.open.set(file, 'in the buffer\n'));
  afterEach(() => expect(stage.workspace.read('a.txt')).toBe('on disk\n'));

  it.each([
    ['read_text_file', PATH],
    ['read_file', { file: 'a.txt' }],
    ['read_repo_file', { path: 'a.txt' }],
  ])('%s [bridge.editor.tools, bridge.editor.workspace, bridge.editor.via]', async (tool, input) => {
    const end = await calling(tool, input);
    expect(end).toMatchObject(byEditor);
    expect(JSON.stringify(end.rawOutput)).toContain('in the buffer');
  });

  it.each([
    ['edit_text_file', { ...PATH, ...EDIT }, 'in the editor\n'],
    ['multi_edit_text_file', { ...PATH, edits: [EDIT] }, 'in the editor\n'],
    ['write_text_file', { ...PATH, content: 'new\n' }, 'new\n'],
    ['write_file', { file: 'a.txt', content: 'new\n' }, 'new\n'],
    ['edit_file', { file: 'a.txt', find: 'buffer', replace: 'editor' }, 'in the editor\n'],
  ])('%s [bridge.editor.tools, bridge.editor.workspace, bridge.editor.via]', async (tool, input, text) => {
    expect(await calling(tool, input)).toMatchObject(byEditor);
    expect(client.editor.open.get(file)).toBe(text);
  });
});

it('what the editor does not know is read from disk [bridge.editor.fallback, bridge.editor.via]', async () => {
  client.editor.beforeRead = (path) => {
    throw RequestError.resourceNotFound(`file://${path}`);
  };
  const end = await calling('read_text_file', PATH);
  expect(end).toMatchObject(byDisk);
  expect(end.rawOutput).toMatchObject({ content: 'on disk\n' });
});

it('what the editor denies is not written on disk [bridge.editor.fallback]', async () => {
  client.editor.beforeWrite = () => {
    throw denied('fs/write_text_file');
  };
  expect(await calling('write_text_file', { ...PATH, content: 'new\n' })).toMatchObject({
    status: 'failed',
    rawOutput: { error: { code: -32002 } },
  });
  client.editor.beforeWrite = () => {};
  expect(stage.workspace.read('a.txt')).toBe('on disk\n');
});

it('a client without files is asked for none [bridge.editor.capabilities, bridge.editor.via]', async () => {
  const blind = await stage.open({
    fs: { readTextFile: false, writeTextFile: false },
    buffers: { [file]: 'buffer\n' },
  });
  const within = await blind.newSession(stage.workspace.root);
  expect(await endOf(blind, within, 'read_text_file', PATH)).toMatchObject(byDisk);
  const edit = { ...PATH, old_string: 'disk', new_string: 'the disk' };
  expect(await endOf(blind, within, 'edit_text_file', edit)).toMatchObject(byDisk);
  expect(stage.workspace.read('a.txt')).toBe('on the disk\n');
  expect(blind.editor.asked).toEqual([]);
  await blind.stop();
});

describe('what the person types while an edit is under way', () => {
  /** The reads of an edit: for the preview, for the edit, and again before it is written. */
  function typeBeforeTheWrite(text: string): void {
    let reads = 0;
    client.editor.open.set(file, 'in the buffer\n');
    client.editor.beforeRead = () => {
      reads += 1;
      if (reads === 3) client.editor.open.set(file, text);
    };
  }

  it('is kept, and the edit is applied anew [bridge.editor.anew]', async () => {
    typeBeforeTheWrite('typed: in the buffer\n');
    const end = await calling('edit_text_file', { ...PATH, ...EDIT });
    expect(client.editor.open.get(file)).toBe('typed: in the editor\n');
    expect(end).toMatchObject({
      ...byEditor,
      content: [{ type: 'diff', oldText: 'typed: in the buffer\n', newText: 'typed: in the editor\n' }],
    });
  });

  it('is kept, and the edit refused where it no longer fits [bridge.editor.refused]', async () => {
    typeBeforeTheWrite('all is different\n');
    expect(await calling('edit_text_file', { ...PATH, ...EDIT })).toMatchObject({
      status: 'failed',
      rawOutput: { error: { code: -32010 } },
    });
    expect(client.editor.open.get(file)).toBe('all is different\n');
    expect(client.editor.asked.filter((asked) => asked.startsWith('write'))).toEqual([]);
  });
});

describe('after a command changed a file', () => {
  const script = 'require("fs").writeFileSync("a.txt", "by a command\\n")';
  const command = call('run_command', { command: 'node', args: ['-e', script] });
  const read = call('read_text_file', PATH);

  it('a buffer that still shows the old text is noticed, and the disk is read [bridge.editor.stale]', async () => {
    client.editor.open.set(file, 'on disk\n');
    const { updates } = await client.prompt(session, [read, command, read].join('\n'));
    expect(lastCall(updates)?.rawOutput).toMatchObject({
      content: 'by a command\n',
      _meta: { via: 'disk', warning: expect.stringContaining('older text') },
    });
  });

  it('an edit of such a file is made to the text on disk [bridge.editor.stale]', async () => {
    client.editor.open.set(file, 'on disk\n');
    await client.prompt(session, [read, command].join('\n'));
    const end = await calling('edit_text_file', { ...PATH, old_string: 'command', new_string: 'person' });
    expect(end.rawOutput).toMatchObject({ _meta: { warning: expect.stringContaining('older text') } });
    expect(client.editor.open.get(file)).toBe('by a person\n');
  });

  it('what the person typed holds, and the agent is told [bridge.editor.differs]', async () => {
    client.editor.open.set(file, 'on disk\n');
    await client.prompt(session, [read, command].join('\n'));
    client.editor.open.set(file, 'on disk, and typed\n');
    expect((await calling('read_text_file', PATH)).rawOutput).toMatchObject({
      content: 'on disk, and typed\n',
      _meta: { via: 'editor', warning: expect.stringContaining('differ') },
    });
    // The preview of an edit reads too, and must not swallow the warning.
    const end = await calling('edit_text_file', { ...PATH, old_string: 'typed', new_string: 'edited' });
    expect(end.rawOutput).toMatchObject({ _meta: { warning: expect.stringContaining('differ') } });
    expect(client.editor.open.get(file)).toBe('on disk, and edited\n');
    expect(stage.workspace.read('a.txt')).toBe('by a command\n');
  });
});
