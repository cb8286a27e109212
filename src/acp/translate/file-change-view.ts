/** A patch of Codex's own. */
import type { ToolKind } from '@agentclientprotocol/sdk';
import type { FileChange, ItemOf } from '../codex/protocol/items';
import type { CallView } from './call-view';
import { titleFrom } from './content';
import { patchContents, patchLocations } from './patch';
import { shownPath } from './shown-path';

export function fileChangeView({ changes, status }: ItemOf<'fileChange'>, cwd: string): CallView {
  const kind = kindOf(changes);
  return {
    title: titleOf(kind, changes, cwd),
    kind,
    status,
    content: patchContents(changes, cwd),
    locations: patchLocations(changes, cwd),
    // The texts stand in the content already.
    rawInput: { changes: changes.map(({ path, kind, movePath }) => ({ path, kind, ...(movePath && { movePath }) })) },
  };
}

function kindOf(changes: readonly FileChange[]): ToolKind {
  if (changes.length === 0) return 'edit';
  if (changes.every(({ kind }) => kind === 'delete')) return 'delete';
  return changes.every(({ movePath }) => movePath !== '') ? 'move' : 'edit';
}

function titleOf(kind: ToolKind, changes: readonly FileChange[], cwd: string): string {
  const verb = kind === 'delete' ? 'Delete' : kind === 'move' ? 'Move' : 'Edit';
  const names = changes.map(({ path, movePath }) => {
    const name = shownPath(cwd, path);
    return kind === 'move' ? `${name} to ${shownPath(cwd, movePath)}` : name;
  });
  return titleFrom(`${verb} ${names.join(', ') || 'files'}`);
}
