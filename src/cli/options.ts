/** Every option once: its flag, environment variable and config key, and the words of the help and the documents. */

export interface OptionDefinition {
  /** `list` may be given several times; `optional` may stand without a value. */
  readonly type: 'text' | 'list' | 'switch' | 'optional';
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly fallback: string;
  readonly help: string;
}

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export const TOOLSETS = ['editor', 'workspace', 'repo'] as const;
export const DEFAULT_HTTP = '127.0.0.1:7437';

export const OPTIONS = {
  root: {
    type: 'list',
    value: 'DIR',
    fallback: 'the current directory',
    help: 'Directory to serve. May be repeated: the editor tools see all of them, the others the first.',
  },
  toolsets: {
    type: 'text',
    value: 'LIST',
    fallback: 'editor,workspace,repo',
    help: 'Which toolsets to serve, separated by commas.',
  },
  http: {
    type: 'optional',
    value: 'HOST:PORT',
    fallback: 'off: stdio',
    help: `Serve over HTTP instead of stdio; without a value on ${DEFAULT_HTTP}. Port 0 takes a free one.`,
  },
  token: {
    type: 'text',
    value: 'TOKEN',
    fallback: 'a fresh one at every start',
    help: 'Bearer token for HTTP, at least 16 characters. Needed for any address but loopback. Prefer the environment variable: others can see a command line.',
  },
  'tool-errors': {
    type: 'text',
    value: 'FORM',
    choices: ['result', 'rpc'],
    fallback: 'result',
    help: 'How the editor tools say a failure: as a result with isError, or as a JSON-RPC error.',
  },
  approve: {
    type: 'text',
    value: 'POLICY',
    choices: ['ask', 'always', 'never'],
    fallback: 'ask',
    help: 'Who approves memory entries: a person each time, your standing yes, or nobody.',
  },
  'memory-dir': {
    type: 'text',
    value: 'DIR',
    fallback: '.claude/memory under the first root',
    help: 'Where write_memory_entry keeps its files.',
  },
  'allow-command': {
    type: 'list',
    value: 'NAME',
    fallback: 'node, npm, npx, python3, pytest, tsc',
    help: 'One more program that run_command may start. May be repeated.',
  },
  sandbox: {
    type: 'text',
    value: 'MODE',
    choices: ['auto', 'required', 'off'],
    fallback: 'auto',
    help: 'Where run_command runs its programs: in a sandbox if one works here, only in a sandbox, or without. Linux needs bubblewrap (apt install bubblewrap).',
  },
  'sandbox-network': {
    type: 'text',
    value: 'SWITCH',
    choices: ['on', 'off'],
    fallback: 'on',
    help: 'Whether programs in the sandbox reach the network.',
  },
  protect: {
    type: 'text',
    value: 'SWITCH',
    choices: ['on', 'off'],
    fallback: 'on',
    help: 'Whether the file tools refuse to change names that make other programs run something: .vscode, .npmrc, .git/hooks and the like.',
  },
  durability: {
    type: 'text',
    value: 'LEVEL',
    choices: ['synced', 'fast'],
    fallback: 'synced',
    help: 'Whether a write is on disk when it answers, or left to the system: fast is quicker, and a power cut can lose it. Memory entries and files of more than 16 MB are always synced.',
  },
  mode: {
    type: 'text',
    value: 'MODE',
    choices: ['read-only', 'agent', 'full-access', 'editor-only'],
    fallback: 'agent',
    help: 'For tenon acp: how much Codex may do by itself when a session begins. The editor can switch it.',
  },
  'codex-tools': {
    type: 'text',
    value: 'WAY',
    choices: ['auto', 'dynamic', 'mcp'],
    fallback: 'auto',
    help: 'For tenon acp: how Codex gets the tools: as dynamic tools where it knows them, or from an MCP server on loopback.',
  },
  'acp-events': {
    type: 'text',
    value: 'FORM',
    choices: ['acp', 'seed'],
    fallback: 'acp',
    help: 'For tenon acp: how calls are announced: as valid ACP, or in the form that the tool contracts print.',
  },
  'sdk-only': {
    type: 'switch',
    fallback: 'off',
    help: 'Leave every message to the MCP SDK, without the fast lanes of stdio and HTTP: slower to start and to answer, otherwise the same.',
  },
  'read-only': { type: 'switch', fallback: 'off', help: 'Serve only the tools that change nothing.' },
  'log-level': {
    type: 'text',
    value: 'LEVEL',
    choices: LOG_LEVELS,
    fallback: 'info',
    help: 'What goes into the log.',
  },
  'log-file': { type: 'text', value: 'FILE', fallback: 'stderr', help: 'Where the log goes. Never stdout.' },
  config: {
    type: 'text',
    value: 'FILE',
    fallback: 'tenon/config.json in the user’s config folder, if it is there',
    help: 'JSON file with the keys of this table. A config file inside a root is never read by itself.',
  },
} as const satisfies Record<string, OptionDefinition>;

export type OptionName = keyof typeof OPTIONS;

export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[];

export function environmentName(option: OptionName): string {
  return `TENON_${option.toUpperCase().replaceAll('-', '_')}`;
}

export function configKey(option: OptionName): string {
  return option.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function definitionOf(option: OptionName): OptionDefinition {
  return OPTIONS[option];
}
