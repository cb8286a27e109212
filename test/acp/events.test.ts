import { expect, it } from 'vitest';
import { beginEvent, completeEvent, failedEvent } from '../../src/acp/seed-events';
import { toWireEvent } from '../../src/acp/wire-events';

const write = {
  sessionId: 'session-1',
  id: 'call-1',
  tool: 'write_text_file',
  effect: 'replace',
  input: { path: '/test/file.txt', content: 'Hello\n' },
} as const;
const edits = [
  { old_string: 'a', new_string: 'b' },
  { old_string: 'c', new_string: 'd' },
  { old_string: 'e', new_string: 'f' },
];
const multiEdit = {
  sessionId: 'session-1',
  id: 'call-2',
  tool: 'multi_edit_text_file',
  effect: 'change',
  input: { path: '/test/config.toml', edits },
} as const;

it('announces a call that begins [editor.events.begin]', () => {
  const read = {
    ...write,
    tool: 'read_text_file',
    effect: 'read',
    input: { path: '/test/file.txt', line: 10, limit: 10 },
  } as const;
  expect(beginEvent(read)).toEqual({
    method: 'session/update',
    params: {
      sessionId: 'session-1',
      update: {
        type: 'toolCall',
        id: 'call-1',
        kind: 'read',
        status: 'pending',
        title: 'read_text_file',
        locations: [{ path: '/test/file.txt' }],
        rawInput: { path: '/test/file.txt', line: 10, limit: 10 },
      },
    },
  });
  expect(beginEvent(write).params.update).toMatchObject({ kind: 'write', title: 'write_text_file' });
});

it('carries the count of a multi-edit in its title [editor.events.count]', () => {
  expect(beginEvent(multiEdit)).toEqual({
    method: 'session/update',
    params: {
      sessionId: 'session-1',
      update: {
        type: 'toolCall',
        id: 'call-2',
        kind: 'edit',
        status: 'pending',
        title: 'multi_edit_text_file (3 edits)',
        locations: [{ path: '/test/config.toml' }],
        rawInput: { path: '/test/config.toml', edits },
      },
    },
  });
});

it('cuts content past 10 KB in what is shown [editor.events.cut]', () => {
  const shownContent = (content: string) => {
    const { update } = beginEvent({ ...write, input: { path: '/test/file.txt', content } }).params;
    return (update as { rawInput: { content: string } }).rawInput.content;
  };
  expect(shownContent('x'.repeat(10_240))).toBe('x'.repeat(10_240));
  expect(shownContent('x'.repeat(10_241))).toBe(`${'x'.repeat(10_239)}…`);
});

it('announces completion with the output, and an edit with its diff as text [editor.events.complete]', () => {
  const written = { success: true, bytes_written: 14, created: true };
  expect(completeEvent(write, written)).toEqual({
    method: 'session/update',
    params: {
      sessionId: 'session-1',
      update: { type: 'toolCallUpdate', id: 'call-1', fields: { status: 'completed', rawOutput: written } },
    },
  });
  const edited = { success: true, diff: '--- config.toml\n+++ config.toml\n', applied_count: 3, line_ranges: [] };
  expect(completeEvent(multiEdit, edited).params.update).toEqual({
    type: 'toolCallUpdate',
    id: 'call-2',
    fields: { status: 'completed', rawOutput: edited, content: [{ type: 'text', text: edited.diff }] },
  });
});

it('announces failure [editor.events.failed]', () => {
  const failure = { error: { code: -32001, message: 'File not found: /test/file.txt' } };
  expect(failedEvent(write, failure).params.update).toEqual({
    type: 'toolCallUpdate',
    id: 'call-1',
    fields: { status: 'failed', rawOutput: failure },
  });
});

it('turns an event into valid ACP v1, with its own form under _meta [editor.events.wire]', () => {
  const begin = beginEvent(write);
  const diff = { path: '/test/file.txt', oldText: null, newText: 'Hello\n' };
  expect(toWireEvent(begin, [diff])).toEqual({
    method: 'session/update',
    params: {
      sessionId: 'session-1',
      update: {
        sessionUpdate: 'tool_call',
        toolCallId: 'call-1',
        title: 'write_text_file',
        kind: 'edit',
        status: 'pending',
        locations: [{ path: '/test/file.txt' }],
        rawInput: { path: '/test/file.txt', content: 'Hello\n' },
        content: [{ type: 'diff', ...diff }],
        _meta: { tenon: begin.params.update },
      },
    },
  });
  const complete = completeEvent(write, { success: true });
  expect(toWireEvent(complete).params.update).toEqual({
    sessionUpdate: 'tool_call_update',
    toolCallId: 'call-1',
    status: 'completed',
    rawOutput: { success: true },
    _meta: { tenon: complete.params.update },
  });
});
