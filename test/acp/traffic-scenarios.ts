/** What is recorded: each scenario drives the real `codex app-server`, with a model that says what stands here. */
import type { Answer, AppServer } from '../long/app-server';
import type { ModelItem } from '../long/model-items';
import type { ScriptedStep } from '../long/model-script';
import type { ScriptedModel } from '../long/scripted-model';

export interface Stage {
  readonly codex: AppServer;
  readonly model: ScriptedModel;
  readonly cwd: string;
  /** Starts a thread with the scenario's settings; its id. */
  thread(): Promise<string>;
  /** One turn from its start to its end. */
  turn(threadId: string, text?: string): Promise<void>;
  /** The same home and the same recording, in a new process. */
  restart(): Promise<AppServer>;
}

export interface Scenario {
  readonly script?: readonly ScriptedStep[];
  /** Settings of the thread besides its folder. */
  readonly thread?: object;
  /** Files in the folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** With our server in Codex's config. */
  readonly mcp?: boolean;
  readonly answer?: Answer;
  /** One turn, unless told otherwise. */
  readonly act?: (stage: Stage) => Promise<void>;
}

const says = (...items: ModelItem[]): ScriptedStep => ({ items });
const decides = (decision: string) => () => ({ decision });

const READ = { call: 'read_text_file', arguments: { path: '/project/notes.txt' } };
const READ_TOOL = {
  type: 'function',
  name: 'read_text_file',
  description: 'Read a text file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};
const DYNAMIC = { dynamicTools: [READ_TOOL], environments: [] };
const answersText = (success: boolean, text: string) => () => ({
  success,
  contentItems: [{ type: 'inputText', text }],
});

/** Answers nothing before the second question is there. */
function afterTwoQuestions(answer: () => object): Answer {
  let answerAll: () => void = () => undefined;
  const both = new Promise<void>((resolve) => {
    answerAll = resolve;
  });
  let questions = 0;
  return async () => {
    questions += 1;
    if (questions === 2) answerAll();
    await both;
    return answer();
  };
}

const COMMAND = says({ call: 'exec_command', arguments: { cmd: 'touch made.txt' } });
const CAREFUL = { approvalPolicy: 'untrusted', sandbox: 'workspace-write' };

const patch = (...lines: string[]) =>
  says({ custom: 'apply_patch', input: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n') });
const UPDATE = patch('*** Update File: keep.txt', '@@', ' one', '-two', '+2', ' three');
const ALL_KINDS = patch(
  '*** Add File: new/added.txt',
  '+first',
  '+second',
  '*** Update File: keep.txt',
  '@@',
  ' one',
  '-two',
  '+2',
  ' three',
  '*** Delete File: gone.txt',
  '*** Update File: old-name.txt',
  '*** Move to: new-name.txt',
  '@@',
  '-before',
  '+after',
);
const PATCHED_FILES = {
  'keep.txt': 'one\ntwo\nthree\n',
  'gone.txt': 'to be deleted\n',
  'old-name.txt': 'before\n',
};
const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const BYE = says({ say: ['Done', '.'] });

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  opening: {
    async act({ codex, cwd, thread, turn }) {
      await turn(await thread(), 'A first question');
      await codex.request('model/list');
      await codex.request('account/read');
      await codex.request('thread/loaded/list');
      await codex.request('no/such/method').catch(() => undefined);
      await codex.request('thread/start', { ephemeral: true, dynamicTools: 'none' }).catch(() => undefined);
      await codex.request('turn/interrupt', { threadId: UNKNOWN, turnId: UNKNOWN }).catch(() => undefined);
      await codex.request('thread/list', { limit: 10, cwd });
    },
  },
  message: { script: [says({ say: ['Hello', ', ', 'world', '.'] })] },
  'message-whole': { script: [says({ say: 'Said at once.' })] },
  'reasoning-plan': {
    script: [
      says(
        {
          think: [
            ['**Looking', ' around**\n\n', 'First I look.'],
            ['**Planning**\n\n', 'Then I plan.'],
          ],
        },
        { call: 'update_plan', arguments: planOf('in_progress', 'pending') },
      ),
      says({ call: 'update_plan', arguments: planOf('completed', 'completed') }),
      BYE,
    ],
    // Without this the model is not offered the tool.
    thread: { config: { 'tools.update_plan': { enabled: true } } },
  },
  'dynamic-read': {
    script: [says(READ), BYE],
    thread: DYNAMIC,
    answer: answersText(true, '{"content":"unsaved\\n"}'),
  },
  'dynamic-failed': {
    script: [says(READ), BYE],
    thread: DYNAMIC,
    answer: answersText(false, '{"error":{"code":-32001,"message":"File not found: /project/notes.txt"}}'),
  },
  'dynamic-two': {
    script: [says(READ, { ...READ, arguments: { path: '/project/other.txt' } }), BYE],
    thread: DYNAMIC,
    answer: answersText(true, '{"content":"both\\n"}'),
  },
  // Calls at once come from programs that a model writes; listed one after another they are made one after another.
  'code-mode': {
    script: [
      says({
        custom: 'exec',
        input: `const read = (path) => tools.read_text_file({ path });
text(JSON.stringify(await Promise.all([read('/project/notes.txt'), read('/project/other.txt')])));`,
      }),
      BYE,
    ],
    thread: { ...DYNAMIC, model: 'scripted-code' },
    answer: afterTwoQuestions(answersText(true, '{"content":"both\\n"}')),
  },
  'mcp-read': {
    script: [{ tool: 'hello', arguments: { name: 'Codex' } }, BYE],
    mcp: true,
  },
  'mcp-failed': { script: [{ tool: 'read_file', arguments: { file: 'none.txt' } }, BYE], mcp: true },
  'mcp-approval.accept': {
    script: [{ tool: 'write_file', arguments: { file: 'made.txt', content: 'made\n' } }, BYE],
    mcp: true,
    answer: () => ({ action: 'accept', content: {}, _meta: null }),
  },
  'mcp-approval.decline': {
    script: [{ tool: 'write_file', arguments: { file: 'made.txt', content: 'made\n' } }, BYE],
    mcp: true,
    answer: () => ({ action: 'decline', content: null, _meta: null }),
  },
  'exec-free': {
    script: [says({ call: 'exec_command', arguments: { cmd: 'cat keep.txt && echo seen' } }), BYE],
    files: PATCHED_FILES,
    thread: { approvalPolicy: 'on-request', sandbox: 'workspace-write' },
  },
  'exec-slow': {
    script: [says({ call: 'exec_command', arguments: { cmd: 'echo first; sleep 1; echo second' } }), BYE],
    thread: { approvalPolicy: 'on-request', sandbox: 'workspace-write' },
  },
  'exec-failed': {
    script: [says({ call: 'exec_command', arguments: { cmd: 'echo wrong >&2; exit 3' } }), BYE],
    thread: { approvalPolicy: 'on-request', sandbox: 'workspace-write' },
  },
  'exec.accept': { script: [COMMAND, BYE], thread: CAREFUL, answer: decides('accept') },
  'exec.acceptForSession': { script: [COMMAND, COMMAND, BYE], thread: CAREFUL, answer: decides('acceptForSession') },
  'exec.decline': { script: [COMMAND, BYE], thread: CAREFUL, answer: decides('decline') },
  'exec.cancel': { script: [COMMAND, BYE], thread: CAREFUL, answer: decides('cancel') },
  'patch-free': {
    script: [ALL_KINDS, BYE],
    files: PATCHED_FILES,
    thread: { approvalPolicy: 'on-request', sandbox: 'workspace-write' },
  },
  'patch.accept': { script: [ALL_KINDS, BYE], files: PATCHED_FILES, thread: CAREFUL, answer: decides('accept') },
  'patch.acceptForSession': {
    script: [UPDATE, BYE],
    files: PATCHED_FILES,
    thread: CAREFUL,
    answer: decides('acceptForSession'),
  },
  'patch.decline': { script: [ALL_KINDS, BYE], files: PATCHED_FILES, thread: CAREFUL, answer: decides('decline') },
  'patch.cancel': { script: [ALL_KINDS, BYE], files: PATCHED_FILES, thread: CAREFUL, answer: decides('cancel') },
  'patch-failed': {
    script: [patch('*** Update File: keep.txt', '@@', '-not there', '+x'), BYE],
    files: PATCHED_FILES,
    thread: { approvalPolicy: 'on-request', sandbox: 'workspace-write' },
  },
  'no-environment': {
    script: [COMMAND, UPDATE, BYE],
    files: PATCHED_FILES,
    thread: { environments: [], sandbox: 'read-only', approvalPolicy: 'never' },
  },
  'web-search': { script: [says({ search: 'how a tenon is cut' }, { say: 'Found.' })] },
  interrupt: {
    script: [says(READ), BYE],
    thread: DYNAMIC,
    answer: () => undefined,
    async act({ codex, thread }) {
      const threadId = await thread();
      await startTurn(codex, threadId, 'interrupt');
      const { turnId } = await codex.told('item/tool/call');
      await codex.request('turn/interrupt', { threadId, turnId });
      await codex.told('turn/completed');
    },
  },
  'interrupt-message': {
    script: [{ hang: [{ say: ['Half ', 'a '] }] }],
    async act({ codex, thread, model }) {
      const threadId = await thread();
      const { turn } = await startTurn(codex, threadId, 'interrupt-message');
      await model.hanging();
      await codex.told('item/completed', ({ item }) => typeOf(item) === 'agentMessage');
      await codex.request('turn/interrupt', { threadId, turnId: turn.id });
      await codex.told('turn/completed');
    },
  },
  'model-error': { script: [{ httpError: 500, message: 'the model is ill' }] },
  resume: {
    script: [says(READ), says({ say: ['It is ', 'unsaved.'] })],
    thread: DYNAMIC,
    answer: answersText(true, '{"content":"unsaved\\n"}'),
    async act({ cwd, thread, turn, restart }) {
      const threadId = await thread();
      await turn(threadId, 'Read the notes.');
      const codex = await restart();
      await codex.request('thread/read', { threadId, includeTurns: true });
      await codex.request('thread/resume', { threadId, cwd });
      await codex.request('thread/turns/list', { threadId, limit: 10, sortDirection: 'asc', itemsView: 'full' });
      await codex.request('thread/list', { limit: 10, cwd });
    },
  },
  compact: {
    script: [says({ say: 'Much was said.' }), says({ say: 'A summary.' })],
    async act({ codex, thread, turn }) {
      const threadId = await thread();
      await turn(threadId, 'compact');
      await codex.request('thread/compact/start', { threadId });
      const { turnId } = await codex.told('item/completed', ({ item }) => typeOf(item) === 'contextCompaction');
      await codex.told('turn/completed', ({ turn }) => (turn as { id: string }).id === turnId);
    },
  },
  review: {
    script: [
      says({
        say: JSON.stringify({
          findings: [],
          overall_correctness: 'patch is correct',
          overall_explanation: 'Nothing to add.',
          overall_confidence_score: 1,
        }),
      }),
    ],
    async act({ codex, thread }) {
      const threadId = await thread();
      const target = { type: 'custom', instructions: 'Look at keep.txt.' };
      const { turn } = await codex.request<{ turn: { id: string } }>('review/start', { threadId, target });
      await codex.told('turn/completed', (told) => (told.turn as { id: string }).id === turn.id);
    },
    files: PATCHED_FILES,
  },
  'mcp-status': {
    mcp: true,
    async act({ codex, thread }) {
      const threadId = await thread();
      await codex.request('mcpServerStatus/list', { threadId, detail: 'toolsAndAuthOnly' });
    },
  },
  unsubscribe: {
    async act({ codex, thread, turn }) {
      const threadId = await thread();
      await turn(threadId);
      await codex.request('thread/unsubscribe', { threadId });
    },
  },
  delete: {
    async act({ codex, cwd, thread, turn }) {
      const threadId = await thread();
      await turn(threadId);
      await codex.request('thread/delete', { threadId });
      await codex.request('thread/list', { limit: 10, cwd });
      await codex.request('thread/resume', { threadId, cwd }).catch(() => undefined);
    },
  },
};

export function startTurn(codex: AppServer, threadId: string, text: string): Promise<{ turn: { id: string } }> {
  return codex.request('turn/start', { threadId, input: [{ type: 'text', text, text_elements: [] }] });
}

function typeOf(item: unknown): string {
  return (item as { type: string }).type;
}

function planOf(...statuses: string[]) {
  const steps = ['Look at the code', 'Change it'];
  return { explanation: 'Two steps.', plan: steps.map((step, index) => ({ step, status: statuses[index] })) };
}
