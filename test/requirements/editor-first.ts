/** The editor before the disk, and what the editor hears of every call. */
export const editorFirstRequirements: Readonly<Record<string, string>> = {
  'editor.first.read': 'With an editor, text is read from it: its unsaved buffers are the truth.',
  'editor.first.write': 'With an editor, text is written to it, and not to the disk behind it.',
  'editor.first.cannot-read':
    'Read falls back to the disk when the editor lacks the capability, answers "method not found", or "resource not found".',
  'editor.first.cannot-write':
    'Write falls back to the disk when the editor lacks the capability or answers "method not found".',
  'editor.first.denied': 'A denial is the answer, -32002, and nothing is read from or written to the disk.',
  'editor.first.failed':
    'A cancelled request, a time-out and any other error is an internal error that says what the editor said; nothing is written.',
  'editor.first.translated': "The editor's -32002 means not found; ours means permission denied.",
  'editor.first.window': 'A window is cut from the whole text that the editor gives, so total_lines is true.',
  'editor.first.typed-meanwhile':
    'A buffer that changed between read and write is never overwritten: the edit is applied anew where it still fits.',
  'editor.events.begin': 'A call is announced when it begins, in the form the contracts print.',
  'editor.events.complete': 'A completed call is announced with its output, an edit with its diff as text.',
  'editor.events.failed': 'A failed call is announced as failed.',
  'editor.events.cut': 'content in rawInput is cut past 10 KB.',
  'editor.events.count': 'The title of a multi-edit carries its count.',
  'editor.events.wire':
    'On the wire an event is valid ACP v1: tool_call and tool_call_update, toolCallId, kind edit for write, flat fields, diffs; the form of the contracts under _meta.',
};
