/** Where the fake Codex is, and a home of its own for it. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from './binary';

export const fakeCodex = join(repository, 'test', 'harness', 'fake-codex.mjs');

export interface FakeHome {
  readonly env: NodeJS.ProcessEnv;
  readonly command: readonly [string, string];
  /** What the fake received since it was made, in the order in which it came. */
  received(): Received[];
  remove(): void;
}

export interface Received {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export function makeFakeHome(): FakeHome {
  const home = mkdtempSync(join(tmpdir(), 'tenon-fake-codex-'));
  const log = join(home, 'received.jsonl');
  const { PATH, LANG } = process.env;
  return {
    env: { PATH, LANG, HOME: home, CODEX_HOME: home, FAKE_CODEX_LOG: log },
    command: [process.execPath, fakeCodex],
    received: () => (existsSync(log) ? linesOf(readFileSync(log, 'utf8')) : []),
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function linesOf(text: string): Received[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Received);
}
