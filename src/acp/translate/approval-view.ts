/**
 * What a person is shown when Codex asks for leave: the `toolCall` of `session/request_permission`. The params come as
 * they were received; `item` is the call that was started, where there is one.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ToolCallUpdate } from '@agentclientprotocol/sdk';
import { fenced } from '../../text/code-fence';
import { shorten } from '../../text/truncate';
import type { ThreadItem } from '../codex/protocol/items';
import { fieldsOf, textOf } from '../codex/protocol/json-fields';
import { askedPermissions } from './asked-permissions';
import { commandTitle } from './command-view';
import { MAX_SHOWN_CHARACTERS, textContent, titleFrom } from './content';
import { fileChangeView } from './file-change-view';
import { shownJson } from './shown-json';
import { toolCallIdOf } from './tool-call-id';

/** `item/commandExecution/requestApproval`: the whole command as it will run, where, and why. */
export function commandApproval(params: unknown, item?: ThreadItem): ToolCallUpdate {
  const fields = fieldsOf(params);
  const started = item?.type === 'commandExecution' ? item : undefined;
  const command = textOf(fields.command) || (started?.command ?? '');
  const cwd = textOf(fields.cwd) || (started?.cwd ?? '');
  const { host, protocol } = fieldsOf(fields.networkApprovalContext);
  const network = textOf(host) && `Network: ${textOf(host)} (${textOf(protocol) || 'any protocol'})`;
  const isInput = fields.kind === 'writeStdin';
  return {
    ...asked(fields, network ? `Reach ${textOf(host)}` : commandTitle(command), [
      isInput ? 'Input for a command that is running.' : '',
      command && fenced(command, 'sh'),
      cwd && `In ${cwd}`,
      network,
      ...askedPermissions(fields.additionalPermissions),
    ]),
    kind: 'execute',
    rawInput: { command, cwd },
  };
}

/** `item/fileChange/requestApproval`: the request names no change; they stand in the item that was started. */
export function fileChangeApproval(params: unknown, item: ThreadItem | undefined, cwd: string): ToolCallUpdate {
  const fields = fieldsOf(params);
  const changes =
    item?.type === 'fileChange'
      ? item
      : { type: 'fileChange' as const, id: '', status: 'inProgress' as const, changes: [] };
  const { title, kind, content = [], locations = [], rawInput } = fileChangeView(changes, cwd);
  const root = textOf(fields.grantRoot);
  const view = asked(fields, title, [root && `This allows every later change under ${root} as well.`]);
  return { ...view, kind, content: [...(view.content ?? []), ...content], locations, rawInput };
}

/** `item/permissions/requestApproval`: what Codex wants to reach beyond its sandbox. */
export function permissionsApproval(params: unknown): ToolCallUpdate {
  const fields = fieldsOf(params);
  const wanted = askedPermissions(fields.permissions);
  return {
    ...asked(fields, 'Permissions beyond the sandbox', wanted.length > 0 ? wanted : ['Nothing is named.']),
    kind: 'other',
    rawInput: shownJson(fieldsOf(fields.permissions)),
  };
}

/** `mcpServer/elicitation/request`, if it asks for leave to call a tool; undefined if a server asks something of its own. */
export function toolApproval(params: unknown, item?: ThreadItem): ToolCallUpdate | undefined {
  const fields = fieldsOf(params);
  const meta = fieldsOf(fields._meta);
  if (textOf(meta.codex_approval_kind) === '') return undefined;
  const started = item?.type === 'mcpToolCall' && isCallAskedAbout(params, item) ? item : undefined;
  const name = `${textOf(fields.serverName)}: ${askedTool(params)}`;
  const input = shownJson(meta.tool_params ?? {});
  return {
    ...asked({ ...fields, itemId: started?.id ?? name }, name, [
      textOf(fields.message),
      textOf(meta.tool_description),
      fenced(shorten(JSON.stringify(input, null, 2), MAX_SHOWN_CHARACTERS), 'json'),
    ]),
    kind: started?.readOnly ? 'read' : 'other',
    rawInput: input,
  };
}

/** The request does not name the call: a server may have several running, and a person must not be shown another one. */
export function isCallAskedAbout(params: unknown, item: ThreadItem): boolean {
  const { serverName, _meta } = fieldsOf(params);
  if (item.type !== 'mcpToolCall' || item.server !== serverName || item.tool !== askedTool(params)) return false;
  return isDeepStrictEqual(item.arguments ?? {}, fieldsOf(_meta).tool_params ?? {});
}

/** It names the tool in its sentence only. */
function askedTool(params: unknown): string {
  const { message, _meta } = fieldsOf(params);
  return /tool "([^"]+)"/.exec(textOf(message))?.[1] ?? textOf(fieldsOf(_meta).tool_title);
}

/** What every question has: the call it is about, and a text of its non-empty parts with Codex's reason. */
function asked(params: Readonly<Record<string, unknown>>, title: string, parts: readonly string[]): ToolCallUpdate {
  const text = [...parts, textOf(params.reason)].filter((part) => part !== '').join('\n\n');
  return {
    toolCallId: toolCallIdOf(textOf(params.turnId), textOf(params.itemId)),
    title: titleFrom(title),
    status: 'pending',
    ...(text !== '' && { content: [textContent(text)] }),
  };
}
