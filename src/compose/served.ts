/** What every door serves: the chosen tools, and what the server says of itself. */
import { resolve } from 'node:path';
import type { Settings } from '../cli/settings';
import type { Shapes } from '../contract/shape';
import type { Engine } from '../engine/dispatch';
import { createRegistry } from '../engine/registry';
import type { Words } from '../mcp/server';
import { createApprover } from '../services/approvals';
import { systemClock } from '../services/clock';
import type { Log } from '../services/log';
import listing from '../tools/listing.generated.json';
import shapes from '../tools/shapes.generated.json';
import { toolsets } from '../tools/toolsets';

declare const TENON_VERSION: string;

export const version = TENON_VERSION;

export function engineParts(settings: Settings, log: Log) {
  const chosen = toolsets.filter(({ name }) => settings.toolsets.includes(name));
  return {
    registry: createRegistry(chosen, { readOnly: settings.readOnly }),
    shapes: shapes as Shapes,
    approver: createApprover(settings.approve),
    observers: [log.observer],
    clock: systemClock,
  };
}

/** What the server says of itself. */
export function wordsOf(engine: Engine, settings: Settings): Words {
  const served = new Set(engine.registry.names);
  return {
    version,
    instructions: instructionsFor(settings, served),
    tools: listing.filter(({ name }) => served.has(name)),
  };
}

function instructionsFor(settings: Settings, served: ReadonlySet<string>): string {
  const sets = toolsets.flatMap((set) => {
    const names = set.tools.map(({ contract }) => contract.name).filter((name) => served.has(name));
    return names.length > 0 ? [`- ${set.name} (${names.join(', ')}): ${set.instructions}`] : [];
  });
  return [`Files under ${settings.roots.map((root) => resolve(root)).join(', ')}.`, ...sets].join('\n');
}

export function serverFactory(engine: Engine, { toolErrors }: Settings, words: Words) {
  const { createServerFactory, createApprovalDesk } = mcpSdk();
  return createServerFactory({ ...words, engine, toolErrors, desk: createApprovalDesk() });
}

/** Loaded when it is needed: it takes as long as the rest of the start. */
export function mcpSdk() {
  return require('../mcp/sdk') as typeof import('../mcp/sdk');
}
