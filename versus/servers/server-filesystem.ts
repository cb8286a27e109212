import { join } from 'node:path';
import { install } from '../install';
import type { Server, ToolResult } from '../server';
import { toolPath } from '../tool-path';

const PACKAGE = '@modelcontextprotocol/server-filesystem';
const VERSION = '2026.8.31';
let entry = '';

/** The reference server. It has no tool to delete, to append or to run a program. */
export const serverFilesystem: Server = {
  name: 'server-filesystem',
  version: VERSION,
  isOurs: false,
  appendPath: '',
  async prepare() {
    const modules = await install({ folder: `server-filesystem-${VERSION}`, dependencies: { [PACKAGE]: VERSION } });
    entry = join(modules, PACKAGE, 'dist', 'index.js');
  },
  command: (root, { env = {} } = {}) => ({ command: process.execPath, args: [entry, root], env }),
  tools: (root) => ({
    read: (path) => ({ tool: 'read_text_file', args: { path: toolPath(root, path) } }),
    write: (path, content) => ({ tool: 'write_file', args: { path: toolPath(root, path), content } }),
    edit: (path, { from, to }) => ({
      tool: 'edit_file',
      args: { path: toolPath(root, path), edits: [{ oldText: from, newText: to }] },
    }),
    move: (from, to) => ({
      tool: 'move_file',
      args: { source: toolPath(root, from), destination: toolPath(root, to) },
    }),
    makeDirectory: (path) => ({ tool: 'create_directory', args: { path: toolPath(root, path) } }),
    list: (path) => ({ tool: 'list_directory', args: { path: toolPath(root, path) } }),
  }),
  judge: (result: ToolResult) => ({
    ok: result.isError !== true,
    text: (result.content ?? []).map(({ text }) => text ?? '').join('\n'),
  }),
};
