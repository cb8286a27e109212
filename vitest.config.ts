import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Two projects: `quick` is the gate, `long` holds the proofs that take minutes or fetch a foreign client.
// The contract's own form of run_command is tested without a sandbox, so that the tests say the same on every machine;
// the sandbox has tests of its own, which switch it on.
process.env.TENON_SANDBOX ??= 'off';

// Much of the time of a test goes into waiting for processes: with two cores, too, two files at a time.
const maxWorkers = Math.max(2, availableParallelism() - 1);

export default defineConfig({
  test: {
    maxWorkers,
    projects: [
      {
        test: {
          name: 'quick',
          include: ['test/**/*.test.ts'],
          exclude: ['test/long/**'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'long',
          include: ['test/long/**/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
