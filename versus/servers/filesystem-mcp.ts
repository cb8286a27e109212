import { spawn } from 'node:child_process';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { install, installNode24 } from '../install';
import type { HttpDoor, Server, ToolResult } from '../server';
import { toolPath } from '../tool-path';

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
  command: (root, { env = {} } = {}) => ({ command: node, args: [entry, root], env }),
  http: {
    start: async (root, { secured = true } = {}) => startOnPort(root, await freePort(), secured ? TOKEN : ''),
    exposed: (root) => ({ command: node, args: [entry, root, '--port', '9', '--http-host', '0.0.0.0'] }),
  },
  tools: (root) => ({
    read: (path) => ({ tool: 'read', args: { path: toolPath(root, path) } }),
    write: (path, content) => ({
      tool: 'create',
      args: { files: [{ path: toolPath(root, path), content, overwrite: true }] },
    }),
    edit: (path, { from, to }) => ({
      tool: 'edit',
      args: { path: toolPath(root, path), edits: [{ oldText: from, newText: to }] },
    }),
    remove: (path) => ({ tool: 'delete', args: { paths: [toolPath(root, path)] } }),
    removeTree: (path) => ({ tool: 'delete', args: { paths: [toolPath(root, path)], recursive: true } }),
    move: (from, to) => ({
      tool: 'move',
      args: { moves: [{ source: toolPath(root, from), destination: toolPath(root, to) }] },
    }),
    list: (path) => ({ tool: 'list', args: { path: toolPath(root, path) } }),
    append: (line) => ({
      tool: 'create',
      args: { files: [{ path: toolPath(root, APPEND_PATH), content: `${line}\n`, append: true }] },
    }),
  }),
  judge(result: ToolResult) {
    const text = `${(result.content ?? []).map((block) => block.text ?? '').join('\n')}\n${JSON.stringify(result.structuredContent ?? '')}`;
    return { ok: result.isError !== true, text };
  },
};

const TOKEN = 'versus-token-0123456789abcdef';
const START_LIMIT_MS = 30_000;

/** Its limit of requests for each minute is raised: what is tried here is whom it lets in. */
async function startOnPort(root: string, port: number, token: string): Promise<HttpDoor> {
  const args = [entry, root, '--port', String(port), '--http-host', '127.0.0.1'];
  const env = { ...process.env, FS_RATE_LIMIT_RPM: '100000', ...(token ? { FS_API_KEY: token } : {}) };
  const child = spawn(node, args, { stdio: ['ignore', 'ignore', 'ignore'], env });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}/mcp`;
  const until = performance.now() + START_LIMIT_MS;
  while (!(await isListening(port))) {
    if (child.exitCode !== null || performance.now() > until) {
      child.kill('SIGKILL');
      throw new Error('filesystem-mcp does not listen');
    }
    await sleep(50);
  }
  return {
    url,
    token,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
