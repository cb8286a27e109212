import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFileLocks, LockTimeout, lockKey } from '../../../src/services/files/file-lock';
import { createPatience } from '../../../src/services/files/lock-patience';
import { createPipeLock } from '../../../src/services/files/pipe-lock';
import { prepareWorkers, type StartWorker, temporaryDirectory, type Worker } from './lock-processes';

const key = lockKey({ dev: 1n, ino: 1n }, 'counter');
const bundle = temporaryDirectory();
let home: string;
let directory: string;
let startWorker: StartWorker;
let workers: Worker[] = [];

beforeAll(async () => {
  startWorker = await prepareWorkers(bundle);
});
afterAll(() => rmSync(bundle, { recursive: true }));
beforeEach(() => {
  home = temporaryDirectory();
  directory = join(home, 'locks');
});
afterEach(async () => {
  for (const { child } of workers) child.kill('SIGKILL');
  await Promise.all(workers.map(({ ended }) => ended));
  workers = [];
  rmSync(home, { recursive: true });
});

function start(...args: Parameters<StartWorker>): Worker {
  const worker = startWorker(...args);
  workers.push(worker);
  return worker;
}

async function startHolder(): Promise<Worker> {
  const holder = start('hold', directory);
  await holder.hears('held');
  return holder;
}

function socketsIn(directory: string): string[] {
  return readdirSync(directory).filter((name) => name.endsWith('.s'));
}

describe('in one process', () => {
  test('callers of one key run one at a time, in the order in which they came', async () => {
    const locks = createFileLocks({ directory });
    const events: string[] = [];
    const caller = (name: string) =>
      locks.run([key], async () => {
        events.push(`${name} in`);
        await sleep(2);
        events.push(`${name} out`);
      });
    await Promise.all(['a', 'b', 'c', 'd'].map(caller));
    expect(events).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out', 'd in', 'd out']);
  });

  test('different keys do not wait for each other', async () => {
    const locks = createFileLocks({ directory });
    const inner = await locks.run(['a'], () => locks.run(['b'], async () => 'both'));
    expect(inner).toBe('both');
  });

  test('two keys in opposite orders, again and again, do not deadlock', async () => {
    const [one, two] = [createFileLocks({ directory }), createFileLocks({ directory })];
    const moves = Array.from({ length: 40 }, (_, i) =>
      (i % 3 ? one : two).run(i % 2 ? ['a', 'b'] : ['b', 'a'], () => sleep(1, i)),
    );
    expect(await Promise.all(moves)).toEqual(moves.map((_, i) => i));
  });

  test('the same key twice is one key', async () => {
    expect(await createFileLocks({ directory }).run([key, key], async () => 'once')).toBe('once');
  });

  test('what the work throws reaches the caller, and the lock is free again', async () => {
    const locks = createFileLocks({ directory });
    await expect(locks.run([key], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await locks.run([key], async () => 'next', { timeoutMs: 0 })).toBe('next');
  });

  test('a caller that loses patience leaves the queue, and those behind it move up', async () => {
    const locks = createFileLocks({ directory });
    const order: string[] = [];
    const first = locks.run([key], () => sleep(60));
    const hasty = locks.run([key], async () => order.push('hasty'), { timeoutMs: 10 });
    const patient = locks.run([key], async () => order.push('patient'));
    await expect(hasty).rejects.toThrow(LockTimeout);
    await Promise.all([first, patient]);
    expect(order).toEqual(['patient']);
  });

  test('a caller that is cancelled while it waits gets the reason of its signal', async () => {
    const locks = createFileLocks({ directory });
    const first = locks.run([key], () => sleep(30));
    const cancelled = locks.run([key], async () => 'ran', { signal: AbortSignal.abort(new Error('before')) });
    const controller = new AbortController();
    const waiting = locks.run([key], async () => 'ran', { signal: controller.signal });
    controller.abort(new Error('while waiting'));
    await expect(cancelled).rejects.toThrow('before');
    await expect(waiting).rejects.toThrow('while waiting');
    await first;
  });
});

describe('between processes', () => {
  test('four processes that add to one number lose nothing', async () => {
    const file = join(home, 'number');
    writeFileSync(file, '0');
    const codes = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => start('count', directory, file, name, '50').ended),
    );
    expect({ codes, number: readFileSync(file, 'utf8') }).toEqual({ codes: [0, 0, 0, 0], number: '200' });
  });

  test('a killed holder blocks nobody', async () => {
    const holder = await startHolder();
    const waiting = createFileLocks({ directory }).run([key], async () => performance.now());
    await sleep(50);
    const killedAt = performance.now();
    holder.child.kill('SIGKILL');
    expect((await waiting) - killedAt).toBeLessThan(2_000);
  });

  test('a lock left by a process that died long ago is taken at once', async () => {
    const holder = await startHolder();
    holder.child.kill('SIGKILL');
    await holder.ended;
    expect(await createFileLocks({ directory }).run([key], async () => 'in', { timeoutMs: 5_000 })).toBe('in');
  });

  test('a stopped holder keeps its lock: waiters time out, and all goes on when it continues', async () => {
    const holder = await startHolder();
    const locks = createFileLocks({ directory });
    holder.child.kill('SIGSTOP');
    await expect(locks.run([key], async () => 'in', { timeoutMs: 300 })).rejects.toThrow(LockTimeout);
    const waiting = locks.run([key], async () => 'in');
    holder.child.kill('SIGCONT');
    holder.child.stdin?.end();
    expect(await waiting).toBe('in');
    expect(await holder.ended).toBe(0);
  });

  test('a wait for another process ends with its signal', async () => {
    await startHolder();
    const signal = AbortSignal.timeout(50);
    await expect(createFileLocks({ directory }).run([key], async () => 'in', { signal })).rejects.toThrow(
      signal.reason,
    );
  });

  test('a process that has used the lock ends by itself and leaves nothing behind', async () => {
    expect(await start('once', directory).ended).toBe(0);
    expect(readdirSync(directory)).toEqual([]);
  });

  test('a process that only waits for the lock stays alive until it has it', async () => {
    const holder = await startHolder();
    const waiter = start('once', directory);
    await sleep(400);
    expect(waiter.child.exitCode).toBe(null);
    holder.child.stdin?.end();
    expect(await waiter.ended).toBe(0);
    expect(waiter.said).toEqual(['done']);
  });
});

describe('the lock directory', () => {
  test('is private, and is made by the first run and not before', async () => {
    const locks = createFileLocks({ directory });
    expect(existsSync(directory)).toBe(false);
    await locks.run([key], async () => {});
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  test('is refused, with advice, when others can reach it, and used as soon as it is mended', async () => {
    mkdirSync(directory);
    chmodSync(directory, 0o755);
    const locks = createFileLocks({ directory });
    await expect(locks.run([key], async () => {})).rejects.toThrow(
      `Cannot use the lock directory ${directory}: other users can reach it (mode 755). Run: chmod 700 '${directory}'.`,
    );
    chmodSync(directory, 0o700);
    expect(await locks.run([key], async () => 'in')).toBe('in');
  });

  test('is refused when it is a symbolic link, a file, or too deep for a socket', async () => {
    const [link, file, deep] = [join(home, 'link'), join(home, 'file'), join(home, 'd'.repeat(100))];
    symlinkSync(home, link);
    writeFileSync(file, '');
    const run = (directory: string) => createFileLocks({ directory }).run([key], async () => {});
    await expect(run(link)).rejects.toThrow('it is a symbolic link');
    await expect(run(file)).rejects.toThrow('it is not a directory');
    await expect(run(deep)).rejects.toThrow('too long for a socket');
  });

  test('may vanish between two runs', async () => {
    const locks = createFileLocks({ directory });
    await locks.run([key], async () => {});
    rmSync(directory, { recursive: true });
    expect(await locks.run([key], async () => 'in')).toBe('in');
  });

  test('an owner whose socket was cleaned away listens again, and still excludes', async () => {
    const locks = createFileLocks({ directory });
    await locks.run([key], async () => {});
    for (const name of socketsIn(directory)) rmSync(join(directory, name));
    await locks.run([key], async () => {
      expect(socketsIn(directory)).toHaveLength(1);
      const other = createFileLocks({ directory }).run([key], async () => 'in', { timeoutMs: 100 });
      await expect(other).rejects.toThrow(LockTimeout);
    });
  });

  test('an owner whose socket is cleaned away while it holds the lock gets the time to finish', async () => {
    const events: string[] = [];
    const holder = createFileLocks({ directory }).run([key], async () => {
      for (const name of socketsIn(directory)) rmSync(join(directory, name));
      await sleep(200);
      events.push('holder out');
    });
    await sleep(50);
    await createFileLocks({ directory }).run([key], async () => events.push('other in'));
    await holder;
    expect(events).toEqual(['holder out', 'other in']);
  });

  test('an owner that was taken for dead does not take the lock of the next one away', async () => {
    const events: string[] = [];
    const [one, two, three] = [1, 2, 3].map(() => createFileLocks({ directory }));
    const lost = one?.run([key], async () => {
      for (const name of socketsIn(directory)) rmSync(join(directory, name));
      await sleep(1_500);
      // Listens again, so that its socket is there at the release.
      await one.run(['another'], async () => {});
    });
    await sleep(20);
    const next = two?.run([key], async () => {
      await lost;
      events.push('lost out');
      await sleep(200);
      events.push('next out');
    });
    await lost;
    await three?.run([key], async () => events.push('third in'));
    await next;
    expect(events).toEqual(['lost out', 'next out', 'third in']);
  });

  test('is swept of what killed processes left', async () => {
    const holder = await startHolder();
    holder.child.kill('SIGKILL');
    await holder.ended;
    const left = readdirSync(directory);
    const longAgo = new Date(Date.now() - 60_000);
    for (const name of left) utimesSync(join(directory, name), longAgo, longAgo);
    await createFileLocks({ directory }).run(['another'], async () => {});
    await expect
      .poll(() => readdirSync(directory).filter((name) => left.includes(name)), { timeout: 5_000 })
      .toEqual([]);
  });
});

describe('keys', () => {
  test('tell files apart by directory and name, and hold names together that some system takes for one', () => {
    const parent = { dev: 1n, ino: 2n };
    const same = ['Caf\u00e9 Stra\u00dfe', 'CAFE\u0301 STRASSE', 'cafe\u0301 stra\u00dfe'];
    expect(new Set(same.map((name) => lockKey(parent, name))).size).toBe(1);
    const different = [
      lockKey(parent, 'a'),
      lockKey(parent, 'b'),
      lockKey({ dev: 1n, ino: 3n }, 'a'),
      lockKey({ dev: 2n, ino: 2n }, 'a'),
    ];
    expect(new Set(different).size).toBe(4);
  });

  test('that could leave the lock directory are refused', async () => {
    await expect(createFileLocks({ directory }).run(['../a'], async () => {})).rejects.toThrow('Not a lock key');
  });
});

// The named pipes of Windows behave like the abstract sockets of Linux in all that this lock uses.
describe.runIf(process.platform === 'linux')('the pipe lock', () => {
  test('excludes, times out, and wakes who waits', async () => {
    const name = (key: string) => `\0tenon-test-${process.pid}-${key}`;
    const [one, two] = [createPipeLock(name), createPipeLock(name)];
    const release = await one.acquire('a', createPatience({ timeoutMs: 1_000 }));
    await expect(two.acquire('a', createPatience({ timeoutMs: 50 }))).rejects.toThrow(LockTimeout);
    const next = two.acquire('a', createPatience({ timeoutMs: 1_000 }));
    await sleep(20);
    expect(await release()).toEqual({ awaited: true });
    expect(await (await next)()).toEqual({ awaited: false });
  });
});
