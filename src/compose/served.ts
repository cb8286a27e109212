/** What every door serves, as the server says it of itself: known without the tools themselves. */
import * as z from 'zod';
import type { Settings } from '../cli/settings';
import type { Engine } from '../engine/dispatch';
import type { LongAnswers } from '../mcp/long-answers';
import type { Words } from '../mcp/server';
import type { Steps } from '../text/steps';
import listing from '../tools/listing.generated.json';
import { setWords } from '../tools/set-words';
import sets from '../tools/sets.generated.json';

declare const TENON_VERSION: string;

export const version = TENON_VERSION;

export function wordsOf(settings: Settings): Words {
  const chosen = namesBySet(settings);
  const names = new Set(chosen.flatMap(([, tools]) => tools));
  return {
    version,
    instructions: instructionsFor(settings, chosen),
    tools: listing.filter(({ name }) => names.has(name)),
  };
}

type SetName = keyof typeof sets;

/** The tools that are served, as the registry of the engine would have them. */
function namesBySet({ toolsets, readOnly }: Settings): [SetName, string[]][] {
  const harmless = new Set(listing.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name));
  return (Object.keys(sets) as SetName[])
    .filter((set) => toolsets.includes(set))
    .map((set) => [set, sets[set].filter((name) => !readOnly || harmless.has(name))]);
}

function instructionsFor(settings: Settings, chosen: readonly [SetName, string[]][]): string {
  const lines = chosen.flatMap(([set, names]) =>
    names.length > 0 ? [`- ${set} (${names.join(', ')}): ${setWords[set]}`] : [],
  );
  return [`Files under ${settings.roots.join(', ')}.`, ...lines].join('\n');
}

export function serverFactory(
  engine: Engine,
  { toolErrors }: Settings,
  words: Words,
  longAnswers: Pick<LongAnswers, 'resultOf'>,
) {
  const { createServerFactory, createApprovalDesk } = mcpSdk();
  return createServerFactory({ ...words, engine, toolErrors, desk: createApprovalDesk(), longAnswers });
}

/** Loaded when it is needed: it takes as long as the rest of the start. */
export function mcpSdk() {
  return require('../mcp/sdk') as typeof import('../mcp/sdk');
}

/** The same in steps. First what it is built on: zod, which is loaded when it is first used, and the words. */
export function* loadSdk(): Steps<void> {
  z.string();
  yield;
  makeOneOfEach();
  yield;
  require('../mcp/sdk-core');
  yield;
  mcpSdk();
  yield;
}

/** The words are made of these. The first schema of a kind takes the longest: 10 of the 30 ms that all of them take. */
function makeOneOfEach(): void {
  const named = z.object({ name: z.literal('a'), more: z.array(z.string().min(1).email()).optional() });
  z.discriminatedUnion('name', [named, named.extend({ name: z.literal('b'), count: z.int().min(0) })]);
  z.intersection(z.looseObject({ kind: z.enum(['a']) }), z.record(z.string(), z.unknown()));
  z.union([z.boolean().default(true), z.preprocess((value) => value, z.url()), z.lazy(() => named)]).describe('');
}
