import { annotations, type Effect } from '../../src/contract/contract';
import type { Toolset } from '../../src/contract/toolset';

const TOUCHES: Record<Effect, string> = {
  read: 'reads; changes nothing',
  create: 'creates; replaces and removes nothing',
  append: 'appends; overwrites and removes nothing',
  change: 'changes parts of a file',
  replace: 'creates or replaces a file',
  remove: 'removes or moves',
  run: 'runs a program',
};

/** The part of docs/safety.md that says, tool by tool, what it may touch and what it refuses. */
export function safetyTable(toolsets: readonly Toolset[]): string {
  return toolsets.flatMap((set) => set.tools.map((tool) => section(set, tool))).join('\n\n');
}

function section(set: Toolset, { contract }: Toolset['tools'][number]): string {
  const hints = Object.entries(annotations(contract.effect)).map(([name, value]) => `${name}: ${value}`);
  return [
    `### ${contract.name}`,
    `Toolset ${set.name}; ${TOUCHES[contract.effect]}. ${hints.join(', ')}.`,
    contract.constraints.map((line) => `- ${line}`).join('\n'),
  ].join('\n\n');
}
