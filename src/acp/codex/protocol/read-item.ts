/** Items as they came over the wire, made into what `items` promises. Nothing that stands in one makes this throw. */
import type { CommandAction, FileChange, ItemBodies, ItemStatus, ThreadItem, UserInput } from './items';
import { type Fields, fieldsOf, listOf, numberOf, textOf, textsOf, wordOf } from './json-fields';

export function readItem(value: unknown): ThreadItem {
  const fields = fieldsOf(value);
  const [type, id] = [textOf(fields.type), textOf(fields.id)];
  if (!Object.hasOwn(READERS, type)) return { type: 'unknown', id };
  // The table gives each type the body that belongs to it.
  return { type, id, ...READERS[type as keyof ItemBodies](fields) } as ThreadItem;
}

const READERS: { readonly [T in keyof ItemBodies]: (fields: Fields) => ItemBodies[T] } = {
  userMessage: ({ content }) => ({ content: listOf(content).flatMap(readInput) }),
  agentMessage: ({ text }) => ({ text: textOf(text) }),
  reasoning: ({ summary, content }) => ({ summary: textsOf(summary), content: textsOf(content) }),
  plan: ({ text }) => ({ text: textOf(text) }),
  commandExecution: (fields) => ({
    command: textOf(fields.command),
    cwd: textOf(fields.cwd),
    status: readStatus(fields.status),
    actions: listOf(fields.commandActions).map(readAction),
    output: textOf(fields.aggregatedOutput),
    exitCode: numberOf(fields.exitCode),
    durationMs: numberOf(fields.durationMs),
  }),
  fileChange: ({ changes, status }) => ({ changes: listOf(changes).map(readChange), status: readStatus(status) }),
  mcpToolCall: (fields) => ({
    server: textOf(fields.server),
    tool: textOf(fields.tool),
    status: readStatus(fields.status),
    arguments: fields.arguments,
    readOnly: fields.readOnlyHint === true,
    content: listOf(fieldsOf(fields.result).content),
    structuredContent: fieldsOf(fields.result).structuredContent ?? undefined,
    error: textOf(fieldsOf(fields.error).message),
  }),
  dynamicToolCall: (fields) => ({
    tool: textOf(fields.tool),
    status: readStatus(fields.status),
    arguments: fields.arguments,
    texts: textsOf(listOf(fields.contentItems).map((entry) => fieldsOf(entry).text)),
  }),
  webSearch: ({ query, action }) => {
    const { type, url, pattern, queries, query: asked } = fieldsOf(action);
    const named = [...new Set([textOf(query), textOf(asked), ...textsOf(queries)])].filter((text) => text !== '');
    return {
      action: wordOf(type, ['other', 'search', 'openPage', 'findInPage']),
      queries: named,
      url: textOf(url),
      pattern: textOf(pattern),
    };
  },
  imageView: ({ path }) => ({ path: textOf(path) }),
  imageGeneration: ({ failure, status, revisedPrompt, savedPath, result }) => {
    // The status is the provider's own word; a picture, or the reason why there is none, says more.
    const made = textOf(savedPath) !== '' || textOf(result) !== '';
    return {
      status: failure ? 'failed' : made ? 'completed' : readStatus(status),
      prompt: textOf(revisedPrompt),
      savedPath: textOf(savedPath),
      result: textOf(result),
    };
  },
  collabAgentToolCall: ({ tool, status, prompt }) => ({
    tool: textOf(tool),
    status: readStatus(status),
    prompt: textOf(prompt),
  }),
  subAgentActivity: ({ kind, agentPath }) => ({ kind: textOf(kind), agentPath: textOf(agentPath) }),
  sleep: ({ durationMs }) => ({ durationMs: numberOf(durationMs) ?? 0 }),
  hookPrompt: ({ fragments }) => ({ texts: textsOf(listOf(fragments).map((entry) => fieldsOf(entry).text)) }),
  enteredReviewMode: ({ review }) => ({ review: textOf(review) }),
  exitedReviewMode: ({ review }) => ({ review: textOf(review) }),
  contextCompaction: () => ({}),
};

/** A call that was declined, or interrupted, did not do what it was meant to do. */
function readStatus(value: unknown): ItemStatus {
  if (value === 'declined' || value === 'interrupted') return 'failed';
  return wordOf(value, ['inProgress', 'completed', 'failed']);
}

export function readChange(value: unknown): FileChange {
  const { path, kind, diff } = fieldsOf(value);
  const { type, move_path } = fieldsOf(kind);
  return {
    path: textOf(path),
    kind: wordOf(type, ['update', 'add', 'delete']),
    movePath: textOf(move_path),
    diff: textOf(diff),
  };
}

function readAction(value: unknown): CommandAction {
  const { type, path } = fieldsOf(value);
  return { type: wordOf(type, ['unknown', 'read', 'listFiles', 'search']), path: textOf(path) };
}

function readInput(value: unknown): UserInput[] {
  const { type, text, url, name, path } = fieldsOf(value);
  switch (type) {
    case 'text':
      return [{ type, text: textOf(text), text_elements: [] }];
    case 'image':
      return [{ type, url: textOf(url) }];
    case 'localImage':
      return [{ type, path: textOf(path) }];
    case 'skill':
    case 'mention':
      return [{ type, name: textOf(name), path: textOf(path) }];
    default:
      return [];
  }
}
