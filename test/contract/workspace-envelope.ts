/** What the contract tests of the workspace tools share: the envelope, and the whole state of a folder. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CallOptions, TestClient, Way } from '../harness/client';

/** Variations of a promise that is proved through every way elsewhere. */
export const ONE_WAY: readonly Way[] = [{ door: 'stdio', era: 'legacy' }];

export interface Envelope {
  readonly ok: boolean;
  readonly data?: Record<string, unknown>;
  readonly error?: { readonly code: string; readonly message: string; readonly details: Record<string, unknown> };
}

export const success = (data: object): Envelope => ({ ok: true, data: data as Record<string, unknown> });

export const failure = (code: string, message: string, details: Record<string, unknown>): Envelope => ({
  ok: false,
  error: { code, message, details },
});

/** The answer where a parameter is wrong. */
export const invalid = (parameter: string, problem: string, more: Record<string, unknown> = {}): Envelope =>
  failure('VALIDATION_ERROR', `Invalid parameter '${parameter}': ${problem}`, {
    kind: 'invalid_argument',
    parameter,
    ...more,
  });

/** The answer where a path may not be written like that. */
export const invalidPath = (path: string, problem: string): Envelope =>
  failure('INVALID_PATH', `Invalid path ${path}: ${problem}`, { kind: 'invalid_path', path });

/** The answer where a symlink leads out of the workspace. */
export const leadsOutside = (path: string, problem = 'a symbolic link in it leads outside'): Envelope =>
  failure('INVALID_PATH', `Invalid path ${path}: ${problem}`, { kind: 'outside_roots', path });

/**
 * Calls a tool and gives its envelope, after checking what holds for every answer: one text; `isError` exactly with
 * `ok: false`; the same JSON as structured content, except where read_file succeeds, which sends its text once.
 */
export async function ask(
  client: TestClient,
  tool: string,
  args: object = {},
  options: CallOptions = {},
): Promise<Envelope> {
  const { content, structuredContent, isError = false } = await client.result(tool, args, options);
  expect(content.map(({ type }) => type)).toEqual(['text']);
  const envelope = JSON.parse(content[0]?.text ?? '') as Envelope;
  expect(isError).toBe(!envelope.ok);
  expect(structuredContent).toEqual(tool === 'read_file' && envelope.ok ? undefined : envelope);
  return envelope;
}

/** Every name below a folder with what it is: the text of a file, the target of a link, or a directory. */
export function treeOf(folder: string, prefix = ''): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const entry of readdirSync(join(folder, prefix), { withFileTypes: true })) {
    const name = join(prefix, entry.name);
    if (entry.isDirectory()) Object.assign(tree, { [name]: '(directory)' }, treeOf(folder, name));
    else if (entry.isSymbolicLink()) tree[name] = `-> ${readlinkSync(join(folder, name))}`;
    else tree[name] = entry.isFile() ? readFileSync(join(folder, name), 'utf8') : '(special)';
  }
  return tree;
}

/** The published entry of a tool, without what is only for people. */
export async function schemasOf(client: TestClient, tool: string): Promise<unknown> {
  const entry = (await client.tools()).find(({ name }) => name === tool);
  return { input: entry?.inputSchema, output: entry?.outputSchema };
}

/** The output schema of an envelope around this data; every field of `data` is promised unless named optional. */
export function envelopeSchema(properties: Record<string, unknown>): object {
  const data = { type: 'object', properties, required: Object.keys(properties) };
  return {
    type: 'object',
    properties: { ok: { type: 'boolean' }, data, error: { type: 'object' } },
    required: ['ok'],
  };
}

/** Whether a process is there and not merely waiting to be reaped. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
