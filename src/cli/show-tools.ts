/** `tenon tools [NAME]`: the contracts, readable or as JSON. */
import type { Toolset } from '../contract/toolset';
import { describeTool } from '../tools/describe';
import { entryOf } from '../tools/listing';
import { toolsets } from '../tools/toolsets';
import { UsageError } from './usage-error';

export function showTools(words: readonly string[], { json }: { json: boolean }): number {
  const [name, ...rest] = words;
  if (rest.length > 0) throw new UsageError('tools takes one name, or none');
  const text = name === undefined ? all(json) : one(name, json);
  process.stdout.write(`${text.trimEnd()}\n`);
  return 0;
}

function all(json: boolean): string {
  if (json) return JSON.stringify(toolsets.flatMap(entriesOf), null, 2);
  return toolsets.map((set) => [`${set.name}`, ...set.tools.map(line)].join('\n')).join('\n\n');
}

function line({ contract }: Toolset['tools'][number]): string {
  return `  ${contract.name.padEnd(22)} ${contract.description}`;
}

function one(name: string, json: boolean): string {
  for (const set of toolsets) {
    const tool = set.tools.find(({ contract }) => contract.name === name);
    if (tool) return json ? JSON.stringify(entryOf(tool, set.dialect), null, 2) : describeTool(tool, set);
  }
  const names = toolsets.flatMap((set) => set.tools.map(({ contract }) => contract.name));
  throw new UsageError(`Unknown tool "${name}"; there are ${names.join(', ')}`);
}

function entriesOf(set: Toolset) {
  return set.tools.map((tool) => entryOf(tool, set.dialect));
}
