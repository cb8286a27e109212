/**
 * The sandbox under attack and at everyday work, as root and as an ordinary user, with the network on and off. Each
 * attack that is harmless enough is also tried without the sandbox, where it must succeed: otherwise it proves nothing.
 */
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBubblewrap } from '../services/processes/sandbox/sandbox-bench';
import { run } from './run';
import { ATTACKS } from './sandbox-attacks';
import { leftAlive, SECRET } from './sandbox-place';

interface AttackRow {
  readonly name: string;
  /** Whether it left the sandbox. */
  readonly left: boolean;
  readonly alive: number;
  readonly fault?: string;
  readonly said: string;
}

const isRoot = process.getuid?.() === 0;
const ORDINARY_USER = 1234;
const LEAKED_DESCRIPTOR = 20;
const users = isRoot ? (['root', 'an ordinary user'] as const) : (['an ordinary user'] as const);
const networks = ['on', 'off'] as const;
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-long-')));
const bundle = join(folder, 'worker.mjs');
const isOnline = (await run('npm', ['ping'], { limitMs: 20_000 }).catch(() => undefined))?.code === 0;
let count = 0;

beforeAll(async () => {
  chmodSync(folder, 0o755);
  const entryPoints = [join(import.meta.dirname, 'sandbox-worker.ts')];
  await build({ entryPoints, outfile: bundle, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!hasBubblewrap).each(users)('as %s', (user) => {
  it('the attacks bite where there is no sandbox', async () => {
    const rows = await work<AttackRow>(user, 'attacks', 'on', 'naked');
    const mustLeave = ATTACKS.filter(({ naked }) => naked === 'leaves' || (naked === 'root leaves' && user === 'root'));
    expect(rows.filter(({ left }) => left).map(({ name }) => name)).toEqual(
      expect.arrayContaining(mustLeave.map(({ name }) => name)),
    );
  });

  it.each([
    ['the sandbox', 'on', 'sandboxed'],
    ['the sandbox', 'off', 'sandboxed'],
    ['a sandbox that was waiting', 'off', 'waiting'],
  ])('no attack leaves %s, network %s', async (_, network, how) => {
    const rows = await work<AttackRow>(user, 'attacks', network, how);
    const open = ATTACKS.filter(({ needsNetwork }) => needsNetwork && network === 'on').map(({ name }) => name);
    expect(rows).toHaveLength(ATTACKS.length);
    expect(rows.filter(({ name, left }) => left !== open.includes(name))).toEqual([]);
    expect(rows.filter(({ alive }) => alive > 0)).toEqual([]);
    // A sandbox that could not be made would hold everything.
    expect(rows.filter(({ fault }) => fault !== undefined && fault !== 'protected_name')).toEqual([]);
  });

  it('no protected name outlives the command that made it', async () => {
    const rows = await work<{ fault: string; left: number }>(user, 'rounds', 'on', 'sandboxed');
    expect(rows.filter(({ fault, left }) => fault !== 'protected_name' || left > 0)).toEqual([]);
  });

  it('nothing outlives the server', async () => {
    await expect(work(user, 'linger', 'on', 'sandboxed')).rejects.toThrow('worker ended');
    await expect.poll(() => leftAlive({ root: join(folder, `linger-${count - 1}`) })).toEqual([]);
  });

  it.skipIf(!isOnline).each(networks)('everyday work is done, network %s', async (network) => {
    const rows = await work<{ name: string; done: boolean }>(user, 'everyday', network, 'sandboxed');
    expect(rows.filter(({ done }) => !done)).toEqual([]);
  });
});

function work<Row>(user: string, what: string, network: string, how: string): Promise<Row[]> {
  const place = join(folder, `${what}-${count++}`);
  mkdirSync(place);
  const leak = openSync(join(place, 'leak'), 'w');
  const isOther = user !== 'root' && isRoot;
  if (isOther) for (const path of [place, join(place, 'leak')]) chownSync(path, ORDINARY_USER, ORDINARY_USER);
  const drop = [`--reuid=${ORDINARY_USER}`, `--regid=${ORDINARY_USER}`, '--clear-groups', process.execPath];
  const [program, ...front] = isOther ? ['setpriv', ...drop] : [process.execPath];
  const child = spawn(program ?? '', [...front, bundle, what, network, how, place], {
    cwd: place,
    env: {
      ...process.env,
      HOME: place,
      XDG_CACHE_HOME: '',
      SERVER_TOKEN: SECRET,
      ...(isOther ? { PATH: '/usr/local/bin:/usr/bin:/bin' } : {}),
    },
    stdio: ['ignore', 'pipe', 'pipe', ...Array(LEAKED_DESCRIPTOR - 3).fill('ignore'), leak],
  });
  closeSync(leak);
  return new Promise((resolve, reject) => {
    let [said, complained] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complained += text;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code !== 0) reject(new Error(complained || `worker ended with ${code}`));
      else resolve(JSON.parse(said));
    });
  });
}
