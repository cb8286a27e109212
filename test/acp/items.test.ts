/** Frames as the real app-server (Codex 0.166) sends them, and what an editor is told. */
import { expect, it } from 'vitest';
import { createItemTranslator, type ItemTranslator, type ToolItem } from '../../src/acp/translate/items';
import { validUpdates } from '../harness/acp-schema';

const turn = { threadId: 't', turnId: 'turn-1' };
const isOurs = (item: ToolItem) => item.type === 'dynamicToolCall' || item.server === 'tenon';

function tell(...frames: [method: string, params: object][]) {
  const translator = createItemTranslator({ cwd: '/ws', isOurs });
  return frames.flatMap(([method, params]) => said(translator, method, params));
}

function said(translator: ItemTranslator, method: string, params: object) {
  return validUpdates(translator.notified(method, { ...turn, ...params }));
}

/** The last of the updates of one item that starts and is completed. */
function whole(item: object) {
  return tell(['item/started', { item }], ['item/completed', { item }]);
}

const message = { type: 'agentMessage', id: 'msg_8', text: 'All **done**.', phase: null };
const messageChunk = (text: string) => ({
  sessionUpdate: 'agent_message_chunk',
  messageId: 'turn-1:msg_8',
  content: { type: 'text', text },
});

it('a message is told as it is written, and not again at its end', () => {
  expect(
    tell(
      ['item/started', { item: message }],
      ['item/agentMessage/delta', { itemId: 'msg_8', delta: 'All ' }],
      ['item/agentMessage/delta', { itemId: 'msg_8', delta: '**done**.' }],
      ['item/completed', { item: message }],
    ),
  ).toEqual([messageChunk('All '), messageChunk('**done**.')]);
});

it('a message that nobody saw being written is told whole, and one that was seen in part to its end', () => {
  expect(whole(message)).toEqual([messageChunk('All **done**.')]);
  expect(
    tell(['item/agentMessage/delta', { itemId: 'msg_8', delta: 'All ' }], ['item/completed', { item: message }]),
  ).toEqual([messageChunk('All '), messageChunk('**done**.')]);
});

const thoughtChunk = (text: string) => ({
  sessionUpdate: 'agent_thought_chunk',
  messageId: 'turn-1:rs_0',
  content: { type: 'text', text },
});
const reasoning = { type: 'reasoning', id: 'rs_0', summary: ['**First**', '**Second** part'], content: [] };

it('the parts of a thought stand apart by a blank line', () => {
  const delta = (summaryIndex: number, text: string): [string, object] => [
    'item/reasoning/summaryTextDelta',
    { itemId: 'rs_0', delta: text, summaryIndex },
  ];
  expect(
    tell(
      ['item/started', { item: { ...reasoning, summary: [] } }],
      ['item/reasoning/summaryPartAdded', { itemId: 'rs_0', summaryIndex: 0 }],
      delta(0, '**First**'),
      ['item/reasoning/summaryPartAdded', { itemId: 'rs_0', summaryIndex: 1 }],
      delta(1, '**Second** '),
      delta(1, 'part'),
      ['item/completed', { item: reasoning }],
    ),
  ).toEqual([thoughtChunk('**First**'), thoughtChunk('\n\n**Second** '), thoughtChunk('part')]);
  expect(whole(reasoning)).toEqual([thoughtChunk('**First**\n\n**Second** part')]);
});

const command = {
  type: 'commandExecution',
  id: 'call_3',
  command: "/bin/bash -lc 'make test\necho more'",
  cwd: '/ws',
  source: 'agent',
  status: 'inProgress',
  commandActions: [{ type: 'unknown', command: 'make test' }],
  aggregatedOutput: null,
  exitCode: null,
  durationMs: null,
};
const announced = {
  sessionUpdate: 'tool_call',
  toolCallId: 'turn-1:call_3',
  title: 'make test echo more',
  kind: 'execute',
  status: 'in_progress',
  rawInput: { command: "/bin/bash -lc 'make test\necho more'", cwd: '/ws' },
};
const consoleText = (text: string) => ({
  type: 'content',
  content: { type: 'text', text: `\`\`\`console\n${text}\`\`\`` },
});

it('a command is announced, tells all it said so far, and ends with what it gave', () => {
  const ended = { ...command, status: 'failed', aggregatedOutput: 'out\nerr\nmore\n', exitCode: 3, durationMs: 233 };
  const output = (delta: string): [string, object] => [
    'item/commandExecution/outputDelta',
    { itemId: 'call_3', delta },
  ];
  const update = { sessionUpdate: 'tool_call_update', toolCallId: 'turn-1:call_3' };
  expect(
    tell(['item/started', { item: command }], output('out\n'), output('more\n'), ['item/completed', { item: ended }]),
  ).toEqual([
    announced,
    { ...update, status: 'in_progress', content: [consoleText('out\n')] },
    { ...update, status: 'in_progress', content: [consoleText('out\nmore\n')] },
    {
      ...update,
      status: 'failed',
      content: [consoleText('out\nerr\nmore\n')],
      rawOutput: { exitCode: 3, output: 'out\nerr\nmore\n', durationMs: 233 },
    },
  ]);
});

it('of much output the end is shown', () => {
  const [, , update] = tell(
    ['item/started', { item: command }],
    ['item/commandExecution/outputDelta', { itemId: 'call_3', delta: 'x'.repeat(15_000) }],
    ['item/commandExecution/outputDelta', { itemId: 'call_3', delta: 'y'.repeat(15_000) }],
  );
  expect(update).toMatchObject({ content: [consoleText(`…${'x'.repeat(4_999)}${'y'.repeat(15_000)}\n`)] });
});

it('a command that Codex did not get leave for has failed; one that succeeded has not', () => {
  const status = (item: object) => whole({ ...command, ...item }).at(-1);
  expect(status({ status: 'declined' })).toMatchObject({ status: 'failed' });
  expect(status({ status: 'completed', exitCode: 1 })).toMatchObject({ status: 'failed' });
  expect(status({ status: 'completed', exitCode: 0 })).toMatchObject({ status: 'completed' });
});

it('a command that only reads is shown as reading, with the files', () => {
  const read = (path: string) => ({ type: 'read', command: `cat ${path}`, name: path, path });
  const search = { type: 'search', command: 'rg -n one .', query: 'one', path: '.' };
  const view = (commandActions: object[]) => whole({ ...command, commandActions })[0];
  expect(view([read('/ws/a.ts'), read('b.ts')])).toMatchObject({
    kind: 'read',
    locations: [{ path: '/ws/a.ts' }, { path: '/ws/b.ts' }],
  });
  expect(view([read('/ws/a.ts'), search])).toMatchObject({ kind: 'search' });
  expect(view([search])).toMatchObject({ kind: 'search' });
  expect(view([read('/ws/a.ts'), { type: 'unknown', command: 'rm a.ts' }])).toMatchObject({ kind: 'execute' });
});

const fileChange = {
  type: 'fileChange',
  id: 'call_1',
  changes: [
    { path: '/ws/a.ts', kind: { type: 'update', move_path: null }, diff: '@@ -3 +3 @@\n-two\n+TWO\n' },
    { path: '/ws/sub/new.ts', kind: { type: 'add' }, diff: 'n1\n' },
  ],
  status: 'inProgress',
};

it('a patch shows its diffs at once, and only its end at its end', () => {
  expect(
    tell(['item/started', { item: fileChange }], ['item/completed', { item: { ...fileChange, status: 'completed' } }]),
  ).toEqual([
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'turn-1:call_1',
      title: 'Edit a.ts, sub/new.ts',
      kind: 'edit',
      status: 'in_progress',
      content: [
        { type: 'diff', path: '/ws/a.ts', oldText: 'two\n', newText: 'TWO\n' },
        { type: 'diff', path: '/ws/sub/new.ts', oldText: null, newText: 'n1\n' },
      ],
      locations: [{ path: '/ws/a.ts', line: 3 }, { path: '/ws/sub/new.ts' }],
      rawInput: {
        changes: [
          { path: '/ws/a.ts', kind: 'update' },
          { path: '/ws/sub/new.ts', kind: 'add' },
        ],
      },
    },
    { sessionUpdate: 'tool_call_update', toolCallId: 'turn-1:call_1', status: 'completed' },
  ]);
});

it('a patch that only deletes, or only moves, is shown as that', () => {
  const view = (change: object) => whole({ ...fileChange, changes: [{ path: '/ws/a.ts', diff: 'x\n', ...change }] })[0];
  expect(view({ kind: { type: 'delete' } })).toMatchObject({ kind: 'delete', title: 'Delete a.ts' });
  expect(view({ kind: { type: 'update', move_path: '/ws/b.ts' } })).toMatchObject({
    kind: 'move',
    title: 'Move a.ts to b.ts',
    locations: [{ path: '/ws/b.ts' }],
  });
});

it('a patch that grows is shown as it grows', () => {
  const [, update] = tell(
    ['item/started', { item: { ...fileChange, changes: [] } }],
    ['item/fileChange/patchUpdated', { itemId: 'call_1', changes: fileChange.changes.slice(1) }],
  );
  expect(update).toMatchObject({
    sessionUpdate: 'tool_call_update',
    title: 'Edit sub/new.ts',
    content: [{ type: 'diff', newText: 'n1\n' }],
  });
});

const mcpCall = {
  type: 'mcpToolCall',
  id: 'call_4',
  server: 'tiny',
  tool: 'write',
  status: 'inProgress',
  arguments: { file: 'w.txt', text: 'x'.repeat(20_000) },
  readOnlyHint: false,
  result: null,
  error: null,
};

it('a call of another server is told with its arguments and its result', () => {
  const result = { content: [{ type: 'text', text: 'ok' }], structuredContent: { ok: true }, _meta: null };
  const id = 'turn-1:call_4';
  expect(
    tell(
      ['item/started', { item: mcpCall }],
      ['item/completed', { item: { ...mcpCall, status: 'completed', result } }],
    ),
  ).toEqual([
    {
      sessionUpdate: 'tool_call',
      toolCallId: id,
      title: 'tiny: write',
      kind: 'other',
      status: 'in_progress',
      rawInput: { file: 'w.txt', text: `${'x'.repeat(10_239)}…` },
    },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: id,
      status: 'completed',
      content: [{ type: 'content', content: { type: 'text', text: 'ok' } }],
      rawOutput: { content: result.content, structuredContent: { ok: true } },
    },
  ]);
  const failed = {
    ...mcpCall,
    readOnlyHint: true,
    status: 'failed',
    error: { message: 'user rejected MCP tool call' },
  };
  expect(tell(['item/completed', { item: failed }])).toMatchObject([
    { sessionUpdate: 'tool_call', kind: 'read', status: 'failed', rawOutput: { error: 'user rejected MCP tool call' } },
  ]);
});

it('calls of our own tools are told by the tools, not here', () => {
  const dynamic = { type: 'dynamicToolCall', id: 'call_5', tool: 'read_text_file', arguments: {}, status: 'completed' };
  expect([...whole(dynamic), ...whole({ ...mcpCall, server: 'tenon' })]).toEqual([]);
});

it('the steps of a plan are told with their state', () => {
  const plan = [
    { step: 'look', status: 'completed' },
    { step: 'do', status: 'inProgress' },
    { step: 'rest', status: 'pending' },
  ];
  expect(tell(['turn/plan/updated', { explanation: null, plan }])).toEqual([
    {
      sessionUpdate: 'plan',
      entries: [
        { content: 'look', priority: 'medium', status: 'completed' },
        { content: 'do', priority: 'medium', status: 'in_progress' },
        { content: 'rest', priority: 'medium', status: 'pending' },
      ],
    },
  ]);
});

it('a written plan is a message, and its numbered steps a plan', () => {
  const text = '# Plan\n\n1. Look\n   - closely\n2. Do\n';
  expect(whole({ type: 'plan', id: 'msg_8', text })).toEqual([
    messageChunk(text),
    {
      sessionUpdate: 'plan',
      entries: [
        { content: 'Look', priority: 'medium', status: 'pending' },
        { content: 'Do', priority: 'medium', status: 'pending' },
      ],
    },
  ]);
  expect(whole({ type: 'plan', id: 'msg_8', text: 'Just do it.' })).toEqual([messageChunk('Just do it.')]);
});

it('the outcome of a review is told once, although Codex tells it twice', () => {
  const texts = tell(
    ['item/completed', { item: { type: 'enteredReviewMode', id: 'r1', review: 'current changes' } }],
    ['item/completed', { item: { type: 'exitedReviewMode', id: 'r2', review: 'One bug.' } }],
    ['item/completed', { item: { type: 'agentMessage', id: 'm', text: 'One bug.' } }],
    ['item/completed', { item: { type: 'agentMessage', id: 'n', text: 'Bye.' } }],
  ).map((update) => ('content' in update ? update.content : undefined));
  expect(texts).toEqual(['Review: current changes', 'One bug.', 'Bye.'].map((text) => ({ type: 'text', text })));
});

it.each([
  [{ type: 'webSearch', query: '', action: { type: 'search', query: 'a', queries: ['a', 'b'] } }, 'search', 'a, b'],
  [{ type: 'webSearch', query: '', action: { type: 'openPage', url: 'https://x.y' } }, 'fetch', 'https://x.y'],
  [{ type: 'webSearch', query: '', action: null }, 'search', 'Search the web'],
  [{ type: 'imageView', path: '/ws/a.png' }, 'read', 'View a.png'],
  [{ type: 'imageGeneration', status: 'generating', result: 'aGk=' }, 'other', 'Make a picture'],
  [{ type: 'contextCompaction' }, 'think', 'Context compacted'],
  [
    { type: 'collabAgentToolCall', tool: 'spawnAgent', status: 'completed', prompt: 'Go' },
    'think',
    'Agents: spawn agent',
  ],
  [{ type: 'subAgentActivity', kind: 'started', agentPath: '/root/a' }, 'think', 'Agent /root/a: started'],
  [{ type: 'sleep', durationMs: 4_900 }, 'other', 'Wait 5 s'],
  [
    { type: 'hookPrompt', fragments: [{ text: 'Mind the gap.', hookRunId: 'h' }] },
    'other',
    'A hook adds to the prompt',
  ],
])('%j is a call too', (item, kind, title) => {
  expect(whole({ id: 'i', ...item })).toMatchObject([
    { sessionUpdate: 'tool_call', toolCallId: 'turn-1:i', kind, title, status: 'in_progress' },
    { sessionUpdate: 'tool_call_update', toolCallId: 'turn-1:i', status: 'completed' },
  ]);
});

it('a search that gets its words only at the end gets its title then', () => {
  const search = { type: 'webSearch', id: 'i', query: '', action: null };
  expect(
    tell(['item/started', { item: search }], ['item/completed', { item: { ...search, query: 'ACP' } }]).at(-1),
  ).toEqual({ sessionUpdate: 'tool_call_update', toolCallId: 'turn-1:i', title: 'ACP', status: 'completed' });
});

it('a call of which no end was told has failed when its turn is over', () => {
  const translator = createItemTranslator({ cwd: '/ws', isOurs });
  said(translator, 'item/started', { item: command });
  said(translator, 'item/started', { item: command, turnId: 'turn-2' });
  const failed = (toolCallId: string) => ({ sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' });
  expect(validUpdates(translator.ended('turn-1'))).toEqual([failed('turn-1:call_3')]);
  expect(translator.ended('turn-1')).toEqual([]);
  expect(translator.ended('turn-2')).toEqual([failed('turn-2:call_3')]);
});

it('the context is told where the size of its window is known', () => {
  const usage = (modelContextWindow: number | null) => ({
    tokenUsage: { total: { totalTokens: 144 }, last: { totalTokens: 16 }, modelContextWindow },
  });
  expect(tell(['thread/tokenUsage/updated', usage(95_000)])).toEqual([
    { sessionUpdate: 'usage_update', used: 16, size: 95_000 },
  ]);
  expect(tell(['thread/tokenUsage/updated', usage(null)])).toEqual([]);
});

it('what is not known is passed over', () => {
  expect(whole({ type: 'somethingNew', id: 'x' })).toEqual([]);
  expect(whole({ type: 'userMessage', id: 'u', content: [{ type: 'text', text: 'go' }] })).toEqual([]);
  expect(tell(['thread/started', {}], ['item/somethingNew/delta', { itemId: 'x', delta: 'y' }])).toEqual([]);
});
