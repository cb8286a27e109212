/** The recordings that the quick tests play still are what the real Codex says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { recordScenario } from '../acp/record-scenario';
import { SCENARIOS } from '../acp/traffic-scenarios';
import { repository } from '../harness/binary';
import type { Frame } from './app-server';
import { CODEX, install } from './foreign';

beforeAll(async () => void (await install(CODEX)));

it.each(Object.entries(SCENARIOS))('%s', async (name, scenario) => {
  const file = join(repository, 'test', 'acp', 'traffic', `${name}.jsonl`);
  const recorded = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(kindsOf(await recordScenario(name, scenario))).toEqual(kindsOf(recorded));
});

/** Told or not, as it happens to come. */
const BY_CHANCE = /^(warning|remoteControl\/|account\/|mcpServer\/startupStatus|item\/commandExecution\/outputDelta)/;

interface Line {
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly params?: Readonly<Record<string, unknown>>;
}

/** What is said, once each: how often and in which order depends on the moment. */
function kindsOf(lines: readonly string[]): string[] {
  const kinds = lines
    .map((line) => JSON.parse(line) as Frame)
    .filter(({ from }) => from === 'server')
    .map(({ frame }) => kindOf(frame as Line))
    .filter((kind) => !BY_CHANCE.test(kind));
  return [...new Set(kinds)].sort();
}

function kindOf({ method, params, result, error }: Line): string {
  if (error) return `error ${error.code} ${error.message}`;
  if (method === undefined) return `answer ${Object.keys(result ?? {}).sort()}`;
  const { type = '', status = '' } = (params?.item ?? params?.turn ?? {}) as { type?: string; status?: string };
  const { item } = params ?? {};
  return [method, type, status, Object.keys(params ?? {}).sort(), Object.keys(item ?? {}).sort()].join(' ');
}
