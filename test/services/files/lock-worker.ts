// A process that uses the lock, for the tests between processes: `<task> <lock directory> <file> <name> <times>`.
import { readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createFileLocks, lockKey } from '../../../src/services/files/file-lock';

const [task = '', directory = '', file = '', name = '', times = '0'] = process.argv.slice(2);
const locks = createFileLocks({ directory });
const key = lockKey({ dev: 1n, ino: 1n }, 'counter');
const say = (word: string) => writeSync(1, `${word}\n`);

const tasks: Record<string, () => Promise<void>> = {
  /** Adds one, again and again, by a plain read and a plain write. */
  async count() {
    for (let i = 0; i < Number(times); i++) {
      await locks.run([key], async () => {
        await writeFile(file, String(Number(await readFile(file, 'utf8')) + 1));
      });
    }
  },
  /** Adds lines of its own and tells of each one that is in the file for good. */
  async append() {
    for (let i = 0; i < Number(times); i++) {
      await locks.run([key], async () => {
        const before = readFileSync(file, 'utf8');
        await new Promise((resolve) => setImmediate(resolve));
        writeFileSync(`${file}.${name}`, `${before}${name}-${i}\n`);
        renameSync(`${file}.${name}`, file);
      });
      say(`${name}-${i}`);
    }
  },
  /** Keeps the lock until its standard input ends. */
  async hold() {
    await locks.run([key], async () => {
      say('held');
      process.stdin.resume();
      await new Promise((resolve) => process.stdin.on('end', resolve));
    });
    say('released');
  },
  /** Uses the lock once and has nothing more to do. */
  async once() {
    await locks.run([key], async () => {});
    say('done');
  },
};
await tasks[task]?.();
