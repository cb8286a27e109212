/** The real Codex CLI with our server in its config: no model, or a scripted one on loopback. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import listing from '../../src/tools/listing.generated.json';
import { startHttpServer } from '../harness/http-server';
import { makeWorkspace, type Workspace } from '../harness/workspace';
import { type AppServer, type ServerRequest, startAppServer } from './app-server';
import { type CodexHome, makeCodexHome } from './codex-home';
import { CODEX, install } from './foreign';
import { run } from './run';
import { type ScriptedCall, type ScriptedModel, startScriptedModel } from './scripted-model';

const LIMIT_MS = 120_000;
const ALL_TOOLS = listing.map(({ name }) => name).sort();

interface ToolResult {
  readonly content: { readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

// Fetching it is no part of any test's time.
beforeAll(() => install(CODEX));

describe('codex app-server', () => {
  let workspace: Workspace;
  let home: CodexHome;
  let codex: AppServer;
  let call: (tool: string, args: object) => Promise<ToolResult>;
  let action: 'accept' | 'decline' = 'accept';
  const questions: ServerRequest[] = [];

  beforeAll(async () => {
    workspace = makeWorkspace({ 'a.txt': 'one\ntwo\n' });
    home = await makeCodexHome({ server: { root: workspace.root } });
    codex = await startAppServer(home, (question) => {
      questions.push(question);
      return { action, content: action === 'accept' ? { approve: true } : null, _meta: null };
    });
    const { thread } = await codex.request<{ thread: { id: string } }>('thread/start', { cwd: workspace.root });
    call = (tool, args) =>
      codex.request('mcpServer/tool/call', { threadId: thread.id, server: 'tenon', tool, arguments: args });
  });
  afterAll(async () => {
    await codex?.stop();
    home?.remove();
    workspace?.remove();
  });

  it('lists the fifteen tools', async () => {
    expect(ALL_TOOLS).toHaveLength(15);
    expect(await toolsSeenBy(codex)).toEqual(ALL_TOOLS);
  });

  it('calls a tool of each toolset', async () => {
    expect(bodyOf(await call('read_text_file', { path: workspace.path('a.txt') }))).toEqual({
      content: 'one\ntwo\n',
      _meta: { total_lines: 2, returned_lines: 2, has_more: false },
    });
    expect(bodyOf(await call('list_dir', { dir: '.' }))).toMatchObject({
      ok: true,
      data: { dir: '.', entries: [{ path: 'a.txt', type: 'file', size: 8 }] },
    });
    expect(bodyOf(await call('hello', { name: 'Codex' }))).toMatchObject({ message: 'Hello, Codex!' });
  });

  it('gets a failure as a result that says why', async () => {
    const result = await call('read_text_file', { path: workspace.path('none.txt') });
    expect(result.isError).toBe(true);
    expect(bodyOf(result)).toMatchObject({ error: { code: -32001 } });
    expect(result.structuredContent).toEqual(bodyOf(result));
  });

  it('asks its user before a memory entry is written, and writes it after a yes', async () => {
    action = 'accept';
    const entry = 'Measure before tuning.';
    const result = await call('write_memory_entry', { file: 'best_practices.md', entry });
    expect(bodyOf(result)).toEqual({ success: true, file: 'best_practices.md', bytes_written: 23 });
    expect(workspace.read('.claude/memory/best_practices.md')).toBe(`${entry}\n`);
    expect(questions.at(-1)).toMatchObject({
      method: 'mcpServer/elicitation/request',
      params: { serverName: 'tenon', mode: 'form', message: expect.stringContaining(entry) },
    });
  });

  it('writes nothing after a no', async () => {
    action = 'decline';
    const result = await call('write_memory_entry', { file: 'decisions.jsonl', entry: '{"decision": "none"}' });
    expect(result.isError).toBe(true);
    expect(bodyOf(result)).toMatchObject({ error: { code: 'NOT_APPROVED' } });
    expect(existsSync(workspace.path('.claude/memory/decisions.jsonl'))).toBe(false);
  });
});

it(
  'codex app-server finds the same tools over HTTP, with the token in its config',
  async () => {
    const workspace = makeWorkspace();
    const server = await startHttpServer(['--root', workspace.root]);
    const home = await makeCodexHome({ server });
    const codex = await startAppServer(home, () => ({}));
    try {
      expect(await toolsSeenBy(codex)).toEqual(ALL_TOOLS);
    } finally {
      await codex.stop();
      await server.stop();
      home.remove();
      workspace.remove();
    }
  },
  LIMIT_MS,
);

describe('codex exec in its default approval mode', () => {
  /** Each tool once, with what would happen if it ran. */
  const SCRIPT: readonly ScriptedCall[] = [
    { tool: 'read_text_file', arguments: { path: 'ROOT/a.txt' } },
    { tool: 'read_file', arguments: { file: 'a.txt' } },
    { tool: 'read_repo_file', arguments: { path: 'a.txt' } },
    { tool: 'list_dir', arguments: { dir: '.' } },
    { tool: 'hello', arguments: {} },
    { tool: 'mkdir', arguments: { dir: 'made' } },
    { tool: 'write_memory_entry', arguments: { file: 'best_practices.md', entry: 'x' } },
    { tool: 'write_text_file', arguments: { path: 'ROOT/a.txt', content: 'lost' } },
    { tool: 'edit_text_file', arguments: { path: 'ROOT/a.txt', old_string: 'one', new_string: 'lost' } },
    {
      tool: 'multi_edit_text_file',
      arguments: { path: 'ROOT/a.txt', edits: [{ old_string: 'one', new_string: 'lost' }] },
    },
    { tool: 'write_file', arguments: { file: 'a.txt', content: 'lost' } },
    { tool: 'edit_file', arguments: { file: 'a.txt', find: 'one', replace: 'lost' } },
    { tool: 'delete_file', arguments: { path: 'a.txt' } },
    { tool: 'move_file', arguments: { from: 'a.txt', to: 'lost.txt' } },
    { tool: 'run_command', arguments: { command: 'node', args: ['-e', 'fs.rmSync("a.txt")'] } },
  ];
  const RUN_AT_ONCE = ['read_text_file', 'read_file', 'read_repo_file', 'list_dir', 'hello', 'mkdir'];
  const NEEDS_APPROVAL = /requires approval/;

  interface CallItem {
    readonly type: string;
    readonly tool: string;
    readonly status: string;
    readonly error: { readonly message: string } | null;
  }
  let workspace: Workspace;
  let model: ScriptedModel;
  let home: CodexHome;
  let items: CallItem[];

  beforeAll(async () => {
    workspace = makeWorkspace({ 'a.txt': 'one\n' });
    model = await startScriptedModel(
      JSON.parse(JSON.stringify(SCRIPT).replaceAll('ROOT', JSON.stringify(workspace.root).slice(1, -1))),
    );
    home = await makeCodexHome({ server: { root: workspace.root }, modelUrl: model.url });
    const [program, launcher] = home.command;
    const { code, stdout, stderr } = await run(
      program,
      [launcher, 'exec', '--json', '--skip-git-repo-check', 'Use the tools.'],
      { limitMs: LIMIT_MS, env: home.env, cwd: workspace.root },
    );
    expect(code, stderr).toBe(0);
    items = stdout
      .split('\n')
      .filter((line) => line.includes('"item.completed"'))
      .map((line) => (JSON.parse(line) as { item: CallItem }).item)
      .filter(({ type }) => type === 'mcp_tool_call');
  });
  afterAll(async () => {
    await model?.stop();
    home?.remove();
    workspace?.remove();
  });

  it('is given every tool once', () => {
    expect(items.map(({ tool }) => tool)).toEqual(SCRIPT.map(({ tool }) => tool));
    expect(items.map(({ tool }) => tool).sort()).toEqual(ALL_TOOLS);
  });

  it('runs what only reads or creates without asking', () => {
    const completed = items.filter(({ status }) => status === 'completed').map(({ tool }) => tool);
    expect(completed).toEqual(RUN_AT_ONCE);
    expect(existsSync(workspace.path('made'))).toBe(true);
  });

  it('holds what changes, removes or runs something for approval, and nothing happens', () => {
    const held = items.filter(({ error }) => NEEDS_APPROVAL.test(error?.message ?? '')).map(({ tool }) => tool);
    const annotated = listing.filter(({ annotations: { destructiveHint } }) => destructiveHint).map(({ name }) => name);
    expect(held.sort()).toEqual(annotated.sort());
    expect(workspace.read('a.txt')).toBe('one\n');
  });

  it('lets a memory entry through to our own question, which nobody is there to answer', () => {
    const output = model.outputs()[SCRIPT.findIndex(({ tool }) => tool === 'write_memory_entry')];
    expect(output).toContain('"code":"NOT_APPROVED"');
    expect(existsSync(workspace.path('.claude/memory/best_practices.md'))).toBe(false);
  });

  it('shows the model what the tool answered', () => {
    expect(model.outputs()[0]).toContain(
      '{"content":"one\\n","_meta":{"total_lines":1,"returned_lines":1,"has_more":false}}',
    );
  });
});

async function toolsSeenBy(codex: AppServer): Promise<string[]> {
  const { data } = await codex.request<{ data: { name: string; tools: object }[] }>('mcpServerStatus/list');
  return Object.keys(data.find(({ name }) => name === 'tenon')?.tools ?? {}).sort();
}

function bodyOf(result: ToolResult): unknown {
  return JSON.parse(result.content[0]?.text ?? '');
}
