/**
 * A server whom file modes can stop: root is stopped by none, so under root it runs as nobody. The binary is copied to
 * where that user can read it.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { binary } from '../harness/binary';
import type { Caller } from './editor-answers';

export const NOBODY = 65_534;
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
const isRoot = process.getuid?.() === 0;

/** Why no such server can be had here, or undefined. */
export function whyNoOtherUser(): string | undefined {
  if (process.platform === 'win32') return 'Windows has no file modes';
  const works = !isRoot || spawnSync('setpriv', [...AS_NOBODY.slice(1), 'true']).status === 0;
  return works ? undefined : 'root cannot become another user here: setpriv fails';
}

export interface OtherUser extends Caller {
  /** A folder that the server may enter and read, but not change. */
  readonly root: string;
  close(): Promise<void>;
}

export async function openAsOtherUser(): Promise<OtherUser> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-other-user-')));
  const root = join(home, 'root');
  mkdirSync(root);
  cpSync(dirname(binary), join(home, 'dist'), { recursive: true });
  for (const open of [home, root, join(home, 'dist')]) chmodSync(open, 0o755);
  const command = [process.execPath, join(home, 'dist', 'tenon.cjs'), 'serve', '--root', root];
  const [program = '', ...args] = isRoot ? [...AS_NOBODY, ...command] : command;
  const client = new Client({ name: 'tenon-test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: program, args, cwd: root, stderr: 'ignore' }));
  return {
    root,
    result: async (name, given) =>
      (await client.callTool({ name, arguments: given as Record<string, unknown> })) as never,
    async close() {
      await client.close();
      chmodSync(root, 0o755);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
