/** Runs the official MCP conformance suite, on the Node that it needs, and reads the results that it leaves. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../harness/binary';
import { CONFORMANCE, install, node24, scratch } from './foreign';
import { run } from './run';

export interface SuiteRun {
  readonly url: string;
  readonly token: string;
  readonly revision: string;
  /** Known failures; the suite ends with 1 when there are others, or when one of these passes. */
  readonly expectedFailures?: string;
}

export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
  /** `untestable`: the server lacks the fixture that this check needs. `statusCode`: what the server answered. */
  readonly details?: { readonly untestable?: boolean; readonly statusCode?: number };
}

export interface SuiteResult {
  readonly exitCode: number | null;
  /** What it says at the end. */
  readonly summary: string;
  readonly scenarios: ReadonlyMap<string, readonly Check[]>;
}

const SUITE_LIMIT_MS = 120_000;
const SCENARIO_LIMIT_MS = 10_000;

export async function runSuite({ url, token, revision, expectedFailures }: SuiteRun): Promise<SuiteResult> {
  const [node, suite] = await Promise.all([node24(), install(CONFORMANCE)]);
  const folder = mkdtempSync(join(scratch, 'conformance-'));
  try {
    const { code, stdout, stderr } = await run(
      node,
      [
        ...['--import', join(repository, 'test', 'long', 'add-token.mjs'), join(suite, 'dist', 'index.js'), 'server'],
        ...['--url', url, '--suite', 'all', '--spec-version', revision],
        ...['--timeout', String(SCENARIO_LIMIT_MS), '--output-dir', folder],
        ...(expectedFailures ? ['--expected-failures', expectedFailures] : []),
      ],
      { limitMs: SUITE_LIMIT_MS, cwd: folder, env: { ...process.env, TENON_TOKEN: token } },
    );
    return {
      exitCode: code,
      summary: `${stdout.slice(stdout.indexOf('=== SUMMARY'))}\n${stderr}`,
      scenarios: readResults(folder),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function failuresOf(checks: readonly Check[]): Check[] {
  return checks.filter(({ status }) => status === 'FAILURE');
}

/** One line for each scenario, for the log. */
export function tableOf(scenarios: ReadonlyMap<string, readonly Check[]>): string {
  const lines = [...scenarios].map(([name, checks]) => {
    const count = (status: Check['status']) => checks.filter((check) => check.status === status).length;
    const failed = failuresOf(checks);
    const untestable = failed.filter(({ details }) => details?.untestable).length;
    const numbers = [count('SUCCESS'), failed.length - untestable, untestable, count('WARNING')];
    return [name.padEnd(48), ...numbers.map((number) => String(number).padStart(12))].join('');
  });
  const head = [
    'scenario'.padEnd(48),
    ...['passed', 'failed', 'untestable', 'warnings'].map((name) => name.padStart(12)),
  ];
  return [head.join(''), ...lines].join('\n');
}

/** The suite writes `server-SCENARIO-TIME/checks.json`. */
function readResults(folder: string): Map<string, Check[]> {
  const scenarios = new Map<string, Check[]>();
  for (const name of readdirSync(folder).sort()) {
    const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? [];
    if (scenario) scenarios.set(scenario, JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')));
  }
  return scenarios;
}
