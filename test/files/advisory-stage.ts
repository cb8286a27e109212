/** A workspace with something to steal beside it, a server on it, and a call for every path parameter of every tool. */
import { mkdirSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { expect } from 'vitest';
import { treeOf } from '../contract/tree';
import { openClient, type TestClient } from '../harness/client';
import { makeWorkspace, type Workspace } from '../harness/workspace';

export const CANARY = 'canary-outside-the-root';

/** The code of a refusal, by toolset. */
export interface Codes {
  readonly editor: number;
  readonly workspace: string;
  readonly repo: string;
}

export const OUTSIDE: Codes = { editor: -32002, workspace: 'INVALID_PATH', repo: 'INVALID_PATH' };

interface PathCall {
  readonly set: keyof Codes;
  readonly tool: string;
  readonly field: string;
  readonly others: object;
  /** A link at the end of the path is meant itself, not what it leads to. */
  readonly meansLinks?: boolean;
}

export const PATH_CALLS: readonly PathCall[] = [
  { set: 'editor', tool: 'read_text_file', field: 'path', others: {} },
  { set: 'editor', tool: 'write_text_file', field: 'path', others: { content: 'x' } },
  { set: 'editor', tool: 'edit_text_file', field: 'path', others: { old_string: 'outside', new_string: 'x' } },
  {
    set: 'editor',
    tool: 'multi_edit_text_file',
    field: 'path',
    others: { edits: [{ old_string: 'outside', new_string: 'x' }] },
  },
  { set: 'workspace', tool: 'list_dir', field: 'dir', others: { recursive: true } },
  { set: 'workspace', tool: 'read_file', field: 'file', others: {} },
  { set: 'workspace', tool: 'edit_file', field: 'file', others: { find: 'outside', replace: 'x' } },
  { set: 'workspace', tool: 'write_file', field: 'file', others: { content: 'x' } },
  { set: 'workspace', tool: 'mkdir', field: 'dir', others: {} },
  { set: 'workspace', tool: 'delete_file', field: 'path', others: { recursive: true }, meansLinks: true },
  { set: 'workspace', tool: 'move_file', field: 'from', others: { to: 'taken', overwrite: true }, meansLinks: true },
  { set: 'workspace', tool: 'move_file', field: 'to', others: { from: 'own.txt', overwrite: true }, meansLinks: true },
  { set: 'workspace', tool: 'run_command', field: 'cwd', others: { command: 'node', args: ['-p', '1'] } },
  { set: 'repo', tool: 'read_repo_file', field: 'path', others: {} },
];

export interface AdvisoryStage {
  /** The root of the server, with `own.txt` in it. */
  readonly workspace: Workspace;
  /** The folder that holds the workspace, and beside it `out/f`, `out/sub/f` and `ws-evil/f`. */
  readonly around: Workspace;
  readonly client: TestClient;
  /** Every call that takes a path refuses this one with these codes; nothing is told and nothing has changed. */
  refuses(path: string, codes?: Codes, options?: { isLink?: boolean }): Promise<void>;
  /** Runs the steps and shows that nothing changed beside the workspace. */
  unharmed<T>(steps: () => Promise<T>): Promise<T>;
  codeOf(tool: string, args: object): Promise<number | string | undefined>;
  close(): Promise<void>;
}

export async function openStage(env: Record<string, string> = {}): Promise<AdvisoryStage> {
  const around = makeWorkspace({ 'out/f': CANARY, 'out/sub/f': CANARY, 'ws-evil/f': CANARY });
  const root = around.path('ws');
  mkdirSync(root);
  const path = (name: string) => `${root}/${name}`;
  const workspace: Workspace = {
    root,
    path,
    write: (name, content) => around.write(`ws/${name}`, content),
    read: (name) => around.read(`ws/${name}`),
    bytes: (name) => around.bytes(`ws/${name}`),
    remove: () => around.remove(),
  };
  workspace.write('own.txt', 'own');
  const client = await openClient(
    { door: 'stdio', era: 'modern' },
    // The sandbox keeps its caches there.
    {
      root,
      env: { XDG_CACHE_HOME: around.path('cache'), ...env },
      flags: ['--approve', 'always', '--log-level', 'silent'],
    },
  );
  const beside = () => ['out', 'ws-evil'].map((name) => treeOf(around.path(name)));

  const stage: AdvisoryStage = {
    workspace,
    around,
    client,
    async codeOf(tool, args) {
      const answer = await client.result(tool, args);
      expect(JSON.stringify(answer), tool).not.toContain(CANARY);
      return (JSON.parse(answer.content[0]?.text ?? '') as { error?: { code: number | string } }).error?.code;
    },
    async unharmed(steps) {
      const before = beside();
      const result = await steps();
      expect(beside()).toEqual(before);
      return result;
    },
    async refuses(given, codes = OUTSIDE, { isLink = false } = {}) {
      const before = treeOf(root);
      const answers: Record<string, unknown> = {};
      const expected: Record<string, unknown> = {};
      await stage.unharmed(async () => {
        for (const { set, tool, field, others, meansLinks = false } of PATH_CALLS) {
          if (isLink && meansLinks) continue;
          const written = set === 'editor' && !isAbsolute(given) ? path(given) : given;
          answers[`${tool} ${field}`] = await stage.codeOf(tool, { ...others, [field]: written });
          expected[`${tool} ${field}`] = codes[set];
        }
      });
      expect(answers, given).toEqual(expected);
      expect(treeOf(root)).toEqual(before);
    },
    async close() {
      await client.close();
      around.remove();
    },
  };
  return stage;
}
