/** Turns in the form in which `thread/resume` of the real app-server (Codex 0.166) brings them. */
import { expect, it } from 'vitest';
import type { ToolItem } from '../../src/acp/translate/items';
import { replay } from '../../src/acp/translate/replay';
import type { Effect } from '../../src/contract/contract';
import { validUpdates } from '../harness/acp-schema';

const effects = new Map<string, Effect>([
  ['read_text_file', 'read'],
  ['edit_text_file', 'change'],
  ['write_file', 'replace'],
]);
const options = {
  cwd: '/ws',
  isOurs: (item: ToolItem) => item.type === 'dynamicToolCall' || item.server === 'tenon',
  effectOf: (tool: string) => effects.get(tool),
};

function shown(items: object[], status = 'completed') {
  return validUpdates(replay([{ id: 'turn-1', items, itemsView: 'full', status, error: null }], options));
}

const dynamic = {
  type: 'dynamicToolCall',
  id: 'call_5',
  namespace: null,
  tool: 'read_text_file',
  arguments: { path: '/ws/a.ts' },
  status: 'completed',
  contentItems: [{ type: 'inputText', text: '{"content":"hi"}' }],
  success: true,
  durationMs: 1,
};

it('what was said is said again, in its order', () => {
  const chunk = (sessionUpdate: string, id: string, text: string) => ({
    sessionUpdate,
    messageId: `turn-1:${id}`,
    content: { type: 'text', text },
  });
  expect(
    shown([
      { type: 'userMessage', id: 'u', clientId: null, content: [{ type: 'text', text: 'go', text_elements: [] }] },
      { type: 'reasoning', id: 'rs_0', summary: ['**First**', 'Second'], content: [] },
      { type: 'agentMessage', id: 'msg_8', text: 'All **done**.', phase: null },
    ]),
  ).toEqual([
    chunk('user_message_chunk', 'u', 'go'),
    chunk('agent_thought_chunk', 'rs_0', '**First**\n\nSecond'),
    chunk('agent_message_chunk', 'msg_8', 'All **done**.'),
  ]);
});

it('a call comes once, with its end', () => {
  expect(
    shown([
      {
        type: 'commandExecution',
        id: 'call_2',
        command: '/bin/bash -lc ls',
        cwd: '/ws',
        status: 'completed',
        commandActions: [{ type: 'listFiles', command: 'ls', path: null }],
        aggregatedOutput: 'a.ts\n',
        exitCode: 0,
        durationMs: 2,
      },
    ]),
  ).toEqual([
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'turn-1:call_2',
      title: 'ls',
      kind: 'search',
      status: 'completed',
      rawInput: { command: '/bin/bash -lc ls', cwd: '/ws' },
      content: [{ type: 'content', content: { type: 'text', text: '```console\na.ts\n```' } }],
      rawOutput: { exitCode: 0, output: 'a.ts\n', durationMs: 2 },
    },
  ]);
});

it('a patch comes with its diffs', () => {
  const changes = [{ path: '/ws/p.ts', kind: { type: 'update', move_path: null }, diff: '@@ -1 +1 @@\n-n1\n+n2\n' }];
  expect(shown([{ type: 'fileChange', id: 'call_3', changes, status: 'declined' }])).toMatchObject([
    {
      sessionUpdate: 'tool_call',
      toolCallId: 'turn-1:call_3',
      status: 'failed',
      content: [{ type: 'diff', path: '/ws/p.ts', oldText: 'n1\n', newText: 'n2\n' }],
    },
  ]);
});

it('a call of one of our tools has the words in which it was announced', () => {
  const [update] = shown([dynamic]);
  expect(update).toMatchObject({
    sessionUpdate: 'tool_call',
    toolCallId: 'turn-1:call_5',
    title: 'read_text_file',
    kind: 'read',
    status: 'completed',
    locations: [{ path: '/ws/a.ts' }],
    rawInput: { path: '/ws/a.ts' },
    rawOutput: { content: 'hi' },
  });
});

it('an edit of ours shows its diff', () => {
  const output = { success: true, diff: '--- a.ts\n+++ a.ts\n@@ -1,1 +1,1 @@\n-one\n+two\n' };
  const texts = [{ type: 'inputText', text: JSON.stringify(output) }];
  expect(shown([{ ...dynamic, tool: 'edit_text_file', contentItems: texts }])).toMatchObject([
    {
      kind: 'edit',
      rawOutput: output,
      content: [{ type: 'diff', path: '/ws/a.ts', oldText: 'one\n', newText: 'two\n' }],
    },
  ]);
});

it('over MCP as well; paths are made absolute, and a failure is one', () => {
  const call = {
    type: 'mcpToolCall',
    id: 'call_4',
    server: 'tenon',
    tool: 'write_file',
    status: 'completed',
    arguments: { file: 'w.txt', content: '1' },
    result: { content: [], structuredContent: { ok: true, data: { file: 'w.txt', bytesWritten: 1 } }, _meta: null },
    error: null,
  };
  expect(shown([call])).toMatchObject([
    { kind: 'edit', title: 'write_file', locations: [{ path: '/ws/w.txt' }], rawOutput: { ok: true } },
  ]);
  const failed = { ...call, status: 'failed', result: null, error: { message: 'no' } };
  expect(shown([failed])).toMatchObject([{ status: 'failed', rawOutput: { error: { message: 'no' } } }]);
});

it('a tool that is none of ours any more is shown like any other', () => {
  expect(shown([{ ...dynamic, tool: 'old_tool' }])).toMatchObject([{ title: 'old_tool', kind: 'other' }]);
});

it('what was running when its turn ended has failed; in a turn that goes on it is running', () => {
  const running = { ...dynamic, status: 'inProgress', contentItems: null, success: null };
  const waiting = { type: 'mcpToolCall', id: 'm', server: 'tiny', tool: 'wait', status: 'inProgress', arguments: {} };
  expect(shown([running, waiting], 'interrupted')).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
  expect(shown([running, waiting], 'inProgress')).toMatchObject([{ status: 'pending' }, { status: 'in_progress' }]);
});

it('ids that repeat from turn to turn are told apart', () => {
  const turns = ['turn-1', 'turn-2'].map((id) => ({ id, items: [dynamic], status: 'completed' }));
  expect(replay(turns, options)).toMatchObject([{ toolCallId: 'turn-1:call_5' }, { toolCallId: 'turn-2:call_5' }]);
});
