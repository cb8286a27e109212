/** Questions as the real app-server (Codex 0.166) asks them, what a person is shown, and what is answered. */
import { expect, it } from 'vitest';
import { readItem } from '../../src/acp/codex/protocol/read-item';
import { APPROVAL_OPTIONS, decisionFor, elicitationFor, permissionsFor } from '../../src/acp/translate/approval-answer';
import {
  commandApproval,
  fileChangeApproval,
  isCallAskedAbout,
  permissionsApproval,
  toolApproval,
} from '../../src/acp/translate/approval-view';
import { acpProblems } from '../harness/acp-schema';

const text = (words: string) => ({ type: 'content', content: { type: 'text', text: words } });
const ids = { threadId: 't', turnId: 'turn-1', itemId: 'call_2', startedAtMs: 0 };

/** The view, once it has been seen to be a valid question. */
function valid<T>(toolCall: T): T {
  const request = { sessionId: 's', toolCall, options: APPROVAL_OPTIONS };
  expect(acpProblems('RequestPermissionRequest', request)).toEqual([]);
  return toolCall;
}

it('a command is shown whole, with its folder and the reason', () => {
  const params = { ...ids, kind: 'command', command: "/bin/bash -lc 'rm -rf x'", cwd: '/ws', reason: 'To clean up.' };
  expect(valid(commandApproval(params))).toEqual({
    toolCallId: 'turn-1:call_2',
    title: 'rm -rf x',
    kind: 'execute',
    status: 'pending',
    content: [text("```sh\n/bin/bash -lc 'rm -rf x'\n```\n\nIn /ws\n\nTo clean up.")],
    rawInput: { command: "/bin/bash -lc 'rm -rf x'", cwd: '/ws' },
  });
});

it('a command cannot end the fence that it stands in, nor hide behind its title', () => {
  const command = `echo 1\n\`\`\`\nharmless ${'x'.repeat(300)}; rm -rf /`;
  const { content, title } = valid(commandApproval({ ...ids, command, cwd: '/ws' }));
  expect(content).toEqual([text(`\`\`\`\`sh\n${command}\n\`\`\`\`\n\nIn /ws`)]);
  expect(title).toHaveLength(200);
});

it('a command that the question does not name is taken from what was started', () => {
  const item = readItem({ type: 'commandExecution', id: 'call_2', command: 'ls', cwd: '/ws', status: 'inProgress' });
  expect(valid(commandApproval({ ...ids, command: null }, item))).toMatchObject({
    title: 'ls',
    rawInput: { command: 'ls', cwd: '/ws' },
  });
});

it('a host, and more than the sandbox allows, are named', () => {
  const params = {
    ...ids,
    command: 'curl x.y',
    networkApprovalContext: { host: 'x.y', protocol: 'https' },
    additionalPermissions: { network: { enabled: true }, fileSystem: { read: ['/etc'], write: ['/var'] } },
  };
  expect(valid(commandApproval(params))).toMatchObject({
    title: 'Reach x.y',
    content: [text('```sh\ncurl x.y\n```\n\nNetwork: x.y (https)\n\nNetwork access.\n\nRead /etc\n\nWrite /var')],
  });
});

it('a change of files is shown with the diffs of what was started', () => {
  const changes = [{ path: '/ws/p.ts', kind: { type: 'add' }, diff: 'n1\n' }];
  const item = readItem({ type: 'fileChange', id: 'call_2', changes, status: 'inProgress' });
  expect(valid(fileChangeApproval({ ...ids, reason: 'Why not', grantRoot: '/ws' }, item, '/ws'))).toEqual({
    toolCallId: 'turn-1:call_2',
    title: 'Edit p.ts',
    kind: 'edit',
    status: 'pending',
    content: [
      text('This allows every later change under /ws as well.\n\nWhy not'),
      { type: 'diff', path: '/ws/p.ts', oldText: null, newText: 'n1\n' },
    ],
    locations: [{ path: '/ws/p.ts' }],
    rawInput: { changes: [{ path: '/ws/p.ts', kind: 'add' }] },
  });
  expect(valid(fileChangeApproval(ids, undefined, '/ws'))).toMatchObject({ title: 'Edit files', content: [] });
});

it('permissions are named one by one', () => {
  const entry = (path: object, access: string) => ({ path, access });
  const fileSystem = {
    read: null,
    write: ['/var'],
    entries: [
      entry({ type: 'path', path: '/opt' }, 'read'),
      entry({ type: 'glob_pattern', pattern: '**/*.env' }, 'deny'),
      entry({ type: 'special', value: { kind: 'project_roots', subpath: '.git' } }, 'write'),
    ],
  };
  const permissions = { network: { enabled: true }, fileSystem };
  expect(valid(permissionsApproval({ ...ids, cwd: '/ws', reason: 'To build.', permissions }))).toMatchObject({
    title: 'Permissions beyond the sandbox',
    kind: 'other',
    content: [
      text(
        'Network access.\n\nWrite /var\n\nRead /opt\n\nNo access to **/*.env\n\nWrite project roots, .git\n\nTo build.',
      ),
    ],
  });
});

const elicitation = {
  threadId: 't',
  turnId: 'turn-1',
  serverName: 'tiny',
  mode: 'form',
  _meta: {
    codex_approval_kind: 'mcp_tool_call',
    persist: ['session', 'always'],
    tool_title: 'Write file',
    tool_description: 'Writes a file.',
    tool_params: { file: 'w.txt' },
  },
  message: 'Allow the tiny MCP server to run tool "write_file"?',
  requestedSchema: { type: 'object', properties: {} },
};

const started = { type: 'mcpToolCall', id: 'call_4', server: 'tiny', tool: 'write_file', arguments: { file: 'w.txt' } };

it('a call of another server is shown with its arguments', () => {
  const view = {
    toolCallId: 'turn-1:call_4',
    title: 'tiny: write_file',
    kind: 'other',
    status: 'pending',
    content: [text(`${elicitation.message}\n\nWrites a file.\n\n\`\`\`json\n{\n  "file": "w.txt"\n}\n\`\`\``)],
    rawInput: { file: 'w.txt' },
  };
  expect(valid(toolApproval(elicitation, readItem(started)))).toEqual(view);
  expect(valid(toolApproval(elicitation))).toEqual({ ...view, toolCallId: 'turn-1:tiny: write_file' });
});

it.each([{ server: 'other' }, { tool: 'read_file' }, { arguments: { file: 'v.txt' } }, { type: 'fileChange' }])(
  'a call with %j is not the one that is asked about',
  (other) => {
    const item = readItem({ ...started, ...other });
    expect([isCallAskedAbout(elicitation, readItem(started)), isCallAskedAbout(elicitation, item)]).toEqual([
      true,
      false,
    ]);
    expect(valid(toolApproval(elicitation, item))).toMatchObject({
      toolCallId: 'turn-1:tiny: write_file',
      title: 'tiny: write_file',
    });
  },
);

it('what a server asks of its own is no such question', () => {
  expect(toolApproval({ ...elicitation, _meta: null })).toBeUndefined();
});

const chosen = (optionId: string) => ({ outcome: 'selected' as const, optionId });
const cancelled = { outcome: 'cancelled' as const };

it('each choice has its answer, and what is no choice is a no', () => {
  const answers = [...APPROVAL_OPTIONS.map(({ optionId }) => chosen(optionId)), chosen('what?'), cancelled];
  expect(answers.map(decisionFor)).toEqual(['accept', 'acceptForSession', 'decline', 'decline', 'cancel']);
  expect(answers.map(elicitationFor)).toEqual([
    { action: 'accept', content: {}, _meta: null },
    { action: 'accept', content: {}, _meta: { persist: 'session' } },
    { action: 'decline', content: null, _meta: null },
    { action: 'decline', content: null, _meta: null },
    { action: 'cancel', content: null, _meta: null },
  ]);
});

it('permissions are granted as they were asked for, or not at all', () => {
  const params = { ...ids, permissions: { network: { enabled: true }, fileSystem: null } };
  const network = { enabled: true };
  expect(permissionsFor(chosen('allow'), params)).toEqual({ permissions: { network }, scope: 'turn' });
  expect(permissionsFor(chosen('allow-for-session'), params)).toEqual({ permissions: { network }, scope: 'session' });
  for (const no of [chosen('reject'), chosen('what?'), cancelled])
    expect(permissionsFor(no, params)).toEqual({ permissions: {}, scope: 'turn' });
});
