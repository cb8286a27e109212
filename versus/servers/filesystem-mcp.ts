import { join } from 'node:path';
import { install, installNode24 } from '../install';
import type { Server, ToolResult } from '../server';

const PACKAGE = '@j0hanz/filesystem-mcp';
const VERSION = '2.5.0';
const APPEND_PATH = 'd/log.md';
let entry = '';
let node = '';

/** Needs Node.js 24. It has no tool to run a program, and none to make a directory alone. */
export const filesystemMcp: Server = {
  name: 'filesystem-mcp',
  version: VERSION,
  isOurs: false,
  appendPath: APPEND_PATH,
  async prepare() {
    node = await installNode24();
    const modules = await install({
      folder: `filesystem-mcp-${VERSION}`,
      dependencies: { [PACKAGE]: VERSION },
      overrides: { '@adguard/re2-wasm': '1.2.0' },
    });
    entry = join(modules, PACKAGE, 'dist', 'index.js');
  },
  command: (root) => ({ command: node, args: [entry, root] }),
  tools: (root) => ({
    read: (path) => ({ tool: 'read', args: { path: join(root, path) } }),
    write: (path, content) => ({
      tool: 'create',
      args: { files: [{ path: join(root, path), content, overwrite: true }] },
    }),
    edit: (path, { from, to }) => ({
      tool: 'edit',
      args: { path: join(root, path), edits: [{ oldText: from, newText: to }] },
    }),
    remove: (path) => ({ tool: 'delete', args: { paths: [join(root, path)] } }),
    removeTree: (path) => ({ tool: 'delete', args: { paths: [join(root, path)], recursive: true } }),
    move: (from, to) => ({
      tool: 'move',
      args: { moves: [{ source: join(root, from), destination: join(root, to) }] },
    }),
    list: (path) => ({ tool: 'list', args: { path: join(root, path) } }),
    append: (line) => ({
      tool: 'create',
      args: { files: [{ path: join(root, APPEND_PATH), content: `${line}\n`, append: true }] },
    }),
  }),
  judge(result: ToolResult) {
    const text = `${(result.content ?? []).map((block) => block.text ?? '').join('\n')}\n${JSON.stringify(result.structuredContent ?? '')}`;
    return { ok: result.isError !== true, text };
  },
};
