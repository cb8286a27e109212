/** A command of Codex's own shell. */
import type { ToolCallContent, ToolKind } from '@agentclientprotocol/sdk';
import { fenced } from '../../text/code-fence';
import { shellWords } from '../../text/shell-words';
import { keepEnd } from '../../text/truncate';
import type { CommandAction, ItemOf } from '../codex/protocol/items';
import type { CallView } from './call-view';
import { MAX_SHOWN_CHARACTERS, textContent, titleFrom } from './content';
import { absolutePath } from './shown-path';

/** A longer one is a script, which is not unwrapped. */
const MAX_UNWRAPPED_CHARACTERS = 10_000;

export function commandView(item: ItemOf<'commandExecution'>, sessionCwd: string): CallView {
  const cwd = absolutePath(sessionCwd, item.cwd);
  const read = item.actions.filter(({ type, path }) => type === 'read' && path !== '');
  const locations = read.map(({ path }) => ({ path: absolutePath(cwd, path) }));
  return {
    title: commandTitle(item.command),
    kind: kindOf(item.actions),
    status: item.exitCode ? 'failed' : item.status,
    ...(locations.length > 0 && { locations }),
    rawInput: { command: item.command, cwd },
    ...(item.output !== '' && { content: outputContent(item.output) }),
    ...(item.status !== 'inProgress' && { rawOutput: rawOutputOf(item) }),
  };
}

/** The command on one line, without the shell that Codex wraps around it. */
export function commandTitle(command: string): string {
  return titleFrom(unwrapped(command)) || 'Run a command';
}

/** What a command said so far; of much, the end. */
export function outputContent(output: string): ToolCallContent[] {
  return [textContent(fenced(keepEnd(output, MAX_SHOWN_CHARACTERS), 'console'))];
}

function unwrapped(command: string): string {
  if (command.length > MAX_UNWRAPPED_CHARACTERS) return command;
  const [shell = '', flag = '', script, ...more] = shellWords(command) ?? [];
  const wrapped = /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag) && more.length === 0;
  return wrapped && script !== undefined ? script : command;
}

/** A command that only reads, or only looks around, is shown as such. */
function kindOf(actions: readonly CommandAction[]): ToolKind {
  const types = new Set(actions.map(({ type }) => type));
  if (types.size === 0 || types.has('unknown')) return 'execute';
  return types.size === 1 && types.has('read') ? 'read' : 'search';
}

function rawOutputOf({ exitCode, output, durationMs }: ItemOf<'commandExecution'>): object {
  return {
    exitCode: exitCode ?? null,
    output: keepEnd(output, MAX_SHOWN_CHARACTERS),
    durationMs: durationMs ?? null,
  };
}
