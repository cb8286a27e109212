/** Codex's changes to files as an editor shows them: diffs built from the hunks themselves, without a look at the disk. */
import type { ToolCallContent, ToolCallLocation } from '@agentclientprotocol/sdk';
import { fenced } from '../../text/code-fence';
import { readHunks } from '../../text/read-hunks';
import type { FileChange } from '../codex/protocol/items';
import { textContent } from './content';
import { absolutePath } from './shown-path';

/** A deleted file comes whole, whatever its size; a message of more than 32 MiB would end the connection. */
const MAX_DIFF_CHARACTERS = 2_000_000;

/** A diff for each hunk: hunks far apart put into one text would look like neighbours. */
export function patchContents(changes: readonly FileChange[], cwd: string): ToolCallContent[] {
  const contents = changes.flatMap((change) => changeContents(change, absolutePath(cwd, finalPath(change))));
  let left = MAX_DIFF_CHARACTERS;
  const shown = contents.filter((content) => {
    left -= sizeOf(content);
    return left >= 0;
  });
  const missing = contents.length - shown.length;
  return missing === 0 ? shown : [...shown, textContent(`${missing} more changes are too large to be shown.`)];
}

export function patchLocations(changes: readonly FileChange[], cwd: string): ToolCallLocation[] {
  return changes.map((change) => {
    const path = absolutePath(cwd, finalPath(change));
    const line = change.kind === 'update' ? readHunks(change.diff)[0]?.line : undefined;
    return line === undefined ? { path } : { path, line };
  });
}

function changeContents({ kind, movePath, diff }: FileChange, path: string): ToolCallContent[] {
  if (kind === 'add') return [{ type: 'diff', path, oldText: null, newText: diff }];
  if (kind === 'delete') return [{ type: 'diff', path, oldText: diff, newText: '' }];
  const hunks = readHunks(diff);
  if (hunks.length > 0) return hunks.map(({ oldText, newText }) => ({ type: 'diff', path, oldText, newText }));
  // Better as it is than not at all; a file that is only moved has nothing to show but its new place.
  return diff === '' || movePath !== '' ? [] : [textContent(fenced(diff, 'diff'))];
}

function finalPath({ path, movePath }: FileChange): string {
  return movePath === '' ? path : movePath;
}

function sizeOf(content: ToolCallContent): number {
  if (content.type === 'diff') return (content.oldText?.length ?? 0) + content.newText.length;
  return content.type === 'content' && content.content.type === 'text' ? content.content.text.length : 0;
}
