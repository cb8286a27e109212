/** Whatever a later Codex may send, nothing throws and every update is a valid one. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readItem } from '../../src/acp/codex/protocol/read-item';
import {
  commandApproval,
  fileChangeApproval,
  permissionsApproval,
  toolApproval,
} from '../../src/acp/translate/approval-view';
import { createItemTranslator } from '../../src/acp/translate/items';
import { replay } from '../../src/acp/translate/replay';
import { acpProblems, validUpdates } from '../harness/acp-schema';

const TYPES = [
  'userMessage',
  'agentMessage',
  'reasoning',
  'plan',
  'commandExecution',
  'fileChange',
  'mcpToolCall',
  'dynamicToolCall',
  'webSearch',
  'imageView',
  'imageGeneration',
  'collabAgentToolCall',
  'subAgentActivity',
  'sleep',
  'hookPrompt',
  'enteredReviewMode',
  'exitedReviewMode',
  'contextCompaction',
  'constructor',
  '__proto__',
];
const METHODS = [
  'item/started',
  'item/completed',
  'turn/plan/updated',
  'thread/tokenUsage/updated',
  'item/agentMessage/delta',
  'item/plan/delta',
  'item/reasoning/summaryTextDelta',
  'item/reasoning/textDelta',
  'item/commandExecution/outputDelta',
  'item/fileChange/patchUpdated',
  'item/mcpToolCall/progress',
];

/** Right words in wrong places, among anything that JSON can hold. */
const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    'inProgress',
    'completed',
    'declined',
    'constructor',
    '__proto__',
    '@@ -1 +1 @@\n-a\n+b\n',
    -1,
    1e300,
  ),
  fc.array(
    fc.record(
      {
        type: fc.constantFrom('text', 'image', 'localImage', 'mention', 'read', 'inputText'),
        text: fc.jsonValue(),
        url: fc.string(),
        path: fc.oneof(fc.string(), fc.jsonValue()),
        kind: fc.oneof(
          fc.record({ type: fc.constantFrom('add', 'delete', 'update'), move_path: fc.string() }),
          fc.jsonValue(),
        ),
        diff: fc.oneof(fc.string(), fc.constant('@@ -1 +1 @@\n-a\n+b\n')),
        data: fc.jsonValue(),
        step: fc.jsonValue(),
        status: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
    { maxLength: 3 },
  ),
);
const FIELDS =
  'status text review summary content command cwd commandActions aggregatedOutput exitCode durationMs changes server tool arguments readOnlyHint result error contentItems query action path savedPath failure prompt kind agentPath fragments revisedPrompt'.split(
    ' ',
  );
const item = fc
  .tuple(
    fc.constantFrom(...TYPES),
    fc.oneof(fc.constant('i'), fc.jsonValue()),
    fc.dictionary(fc.constantFrom(...FIELDS), junk),
  )
  .map(([type, id, fields]) => ({ ...fields, type, id }));
const params = fc.oneof(
  junk,
  fc.record({
    turnId: fc.oneof(fc.constant('t'), junk),
    itemId: fc.constant('i'),
    item,
    delta: junk,
    changes: junk,
    plan: junk,
    tokenUsage: junk,
    message: junk,
  }),
);
const options = { cwd: '/ws', isOurs: () => true, effectOf: () => 'change' as const };

it('a session of junk is a session of valid updates', () => {
  const frames = fc.array(fc.tuple(fc.constantFrom(...METHODS), params), { maxLength: 8 });
  fc.assert(
    fc.property(frames, fc.boolean(), (all, isOurs) => {
      const translator = createItemTranslator({ cwd: '/ws', isOurs: () => isOurs });
      for (const [method, value] of all) validUpdates(translator.notified(method, value));
      validUpdates(translator.ended('t'));
    }),
    { numRuns: 500 },
  );
});

it('a value of any depth and length is shown in part', () => {
  let deep: unknown = 'end';
  for (let depth = 0; depth < 100_000; depth++) deep = { deep };
  const call = { type: 'mcpToolCall', id: 'i', arguments: { deep, list: new Array(100_000).fill(0) } };
  const [update] = createItemTranslator({ cwd: '/ws', isOurs: () => false }).completed('t', readItem(call));
  expect(JSON.stringify(update).length).toBeLessThan(1_000);
});

it('a history of junk is one as well', () => {
  const turn = fc.oneof(
    junk,
    fc.record({ id: junk, status: junk, items: fc.array(fc.oneof(item, junk), { maxLength: 5 }) }),
  );
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 3 }), (turns) => {
      validUpdates(replay(turns, options));
      validUpdates(replay(turns, { ...options, isOurs: () => false }));
    }),
    { numRuns: 500 },
  );
});

it('a question of junk is still a valid question', () => {
  const asked = fc.dictionary(
    fc.constantFrom(
      'turnId',
      'itemId',
      'command',
      'cwd',
      'reason',
      'permissions',
      'grantRoot',
      'message',
      'networkApprovalContext',
    ),
    junk,
  );
  const meta = fc.record({ codex_approval_kind: fc.constant('mcp_tool_call'), tool_params: junk, tool_title: junk });
  fc.assert(
    fc.property(asked, meta, item, (fields, _meta, started) => {
      const read = readItem(started);
      for (const toolCall of [
        commandApproval(fields, read),
        fileChangeApproval(fields, read, '/ws'),
        permissionsApproval(fields),
        toolApproval({ ...fields, _meta }, read),
      ])
        expect(acpProblems('ToolCallUpdate', toolCall), JSON.stringify(toolCall)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
