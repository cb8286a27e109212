/** Knows the tools of the chosen toolsets by name. */
import type { ErrorTable, Tool } from '../contract/contract';
import type { Toolset } from '../contract/toolset';

export interface Registered {
  readonly tool: Tool;
  readonly toolset: Toolset;
  readonly errors: ErrorTable;
}

export interface Registry {
  find(name: string): Registered | undefined;
  /** Why there is no such tool, and which ones there are. */
  explainMissing(name: string): string;
  readonly names: readonly string[];
}

export function createRegistry(toolsets: readonly Toolset[], options: { readOnly: boolean }): Registry {
  const all = toolsets.flatMap((toolset) => toolset.tools.map((tool) => register(tool, toolset)));
  const served = new Map(
    all
      .filter(({ tool }) => !options.readOnly || tool.contract.effect === 'read')
      .map((entry) => [entry.tool.contract.name, entry]),
  );
  const names = [...served.keys()];
  return {
    names,
    find: (name) => served.get(name),
    explainMissing(name) {
      const hidden = all.some(({ tool }) => tool.contract.name === name);
      const why = hidden ? 'This server is read-only; not served' : 'Unknown tool';
      return `${why}: ${name.slice(0, 100)}. Tools here: ${names.join(', ')}`;
    },
  };
}

function register(tool: Tool, toolset: Toolset): Registered {
  return { tool, toolset, errors: { ...toolset.errors, ...tool.contract.errors } };
}
