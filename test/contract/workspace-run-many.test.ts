/** Many commands at once: through the door, with programs that keep the processors busy. */
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { expect, it, vi } from 'vitest';
import { eachWay } from '../harness/each-way';
import { ask, ONE_WAY } from './workspace-envelope';
import { text } from './workspace-run-answers';

const MOST = Math.max(2, Math.floor(1.5 * availableParallelism()));

/** Says in a file when it began and when it was about to end, and computes in between. */
const busy = (name: string, ms: number) => `
  const began = Date.now();
  while (Date.now() - began < ${ms});
  require('node:fs').writeFileSync('${name}.times', JSON.stringify([began, Date.now()]));`;

eachWay(
  'many commands at once',
  {},
  (stage) => {
    const run = (code: string, options = {}) =>
      ask(stage.client, 'run_command', { command: 'node', args: ['-e', code], timeoutMs: 60_000 }, options);

    /** How many ran beside each other at the most. */
    const runAll = async (names: readonly string[], ms: number) => {
      const answers = await Promise.all(names.map((name) => run(busy(name, ms))));
      expect(answers.map(({ data }) => data?.exitCode)).toEqual(names.map(() => 0));
      const times = names.map((name) => JSON.parse(stage.workspace.read(`${name}.times`)) as [number, number]);
      return Math.max(...times.map(([began]) => times.filter(([from, to]) => from <= began && began < to).length));
    };

    it('run a few at a time where they keep the processors busy, and all of them run [workspace.run.many]', async () => {
      const names = Array.from({ length: MOST + 4 }, (_, at) => `busy-${at}`);
      expect(await runAll(names, 600)).toBeLessThanOrEqual(MOST);
    });

    it('count for nothing when they cannot run [workspace.run.many]', async () => {
      for (let left = 2 * MOST; left > 0; left--)
        expect(await ask(stage.client, 'run_command', { command: 'node', cwd: 'gone' })).toMatchObject({ ok: false });
      const names = Array.from({ length: MOST }, (_, at) => `beside-${at}`);
      expect(await runAll(names, 1_500)).toBe(MOST);
    });

    it('that wait are told as alive, and never run when they are cancelled [workspace.run.progress, workspace.run.cancel]', async () => {
      const heard: { progress: number; message?: string }[] = [];
      const onprogress = (progress: (typeof heard)[number]) => void heard.push(progress);
      const controller = new AbortController();
      const running = Array.from({ length: MOST }, (_, at) => run(busy(`first-${at}`, 2_500)));
      const cancelled = run(busy('never', 0), { signal: controller.signal, onprogress });
      const refused = expect(cancelled).rejects.toThrow();
      const last = run('setTimeout(() => {}, 1300)', { onprogress });
      const waiting = text(/^waiting to start: other commands/);
      await vi.waitFor(() => expect(heard.map(({ message }) => message)).toContainEqual(waiting), { timeout: 10_000 });
      controller.abort('no longer needed');
      await refused;
      heard.length = 0;
      await Promise.all([...running, last]);
      expect(heard.map(({ message }) => message)).toContainEqual(text(/^1 s, stdout 0 B/));
      expect(heard.map(({ progress }) => progress)).toEqual(
        heard.map(({ progress }) => progress).toSorted((a, b) => a - b),
      );
      expect(readdirSync(stage.workspace.root).filter((name) => name.startsWith('first-'))).toHaveLength(MOST);
      expect(existsSync(stage.workspace.path('never.times'))).toBe(false);
    });
  },
  ONE_WAY,
);
