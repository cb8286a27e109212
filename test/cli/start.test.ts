/** `npm start`, without npm: what its script serves. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, it } from 'vitest';
import { repository } from '../harness/binary';
import { makeWorkspace } from '../harness/workspace';

const here = makeWorkspace();
const elsewhere = makeWorkspace();
afterAll(() => {
  here.remove();
  elsewhere.remove();
});

/** The roots that the banner names. */
function rootsServed(args: readonly string[]): Promise<string> {
  const start = [join(repository, 'scripts', 'start.mjs'), '--http', '127.0.0.1:0', ...args];
  const child = spawn(process.execPath, start, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, INIT_CWD: here.root },
  });
  return new Promise((resolve, reject) => {
    let roots: string | undefined;
    createInterface({ input: child.stdout }).on('line', (line) => {
      roots ??= /^\s*Roots\s+(.+)$/.exec(line)?.[1];
      if (roots !== undefined) child.kill('SIGTERM');
    });
    child.once('exit', () => (roots === undefined ? reject(new Error('no roots were named')) : resolve(roots)));
  });
}

it('serves the directory from which it was called', async () => {
  expect(await rootsServed([])).toBe(here.root);
});

it('serves the directory that is named, and no other', async () => {
  expect(await rootsServed(['--root', elsewhere.root])).toBe(elsewhere.root);
  expect(await rootsServed([`--root=${elsewhere.root}`])).toBe(elsewhere.root);
});
