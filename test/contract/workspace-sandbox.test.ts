/** The sandbox through the door, where there is one; its own tests are in test/services/processes/sandbox. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachWay } from '../harness/each-way';

const STDIO = [{ door: 'stdio', era: 'modern' }] as const;
const hasSandbox = process.platform === 'linux' && existsSync('/usr/bin/bwrap');
const node = (script: string) => ({ command: 'node', args: ['-e', script] });
interface Answer {
  readonly data: { stdout: string; sandbox?: string };
}

describe.skipIf(!hasSandbox)('with a sandbox', () => {
  eachWay(
    'run_command',
    { env: { TENON_SANDBOX: 'auto', SECRET_TOKEN: 'hunter2' } },
    (stage) => {
      const run = async (script: string) => ((await stage.client.call('run_command', node(script))) as Answer).data;

      it('writes inside the workspace and nowhere else [workspace.sandbox.confines]', async () => {
        const outside = mkdtempSync(join(tmpdir(), 'tenon-outside-'));
        const attempt = (path: string) =>
          `try { require('fs').writeFileSync(${JSON.stringify(path)}, 'x') } catch (e) { console.log(e.code) }`;
        await run(attempt(join(outside, 'planted')));
        await run(attempt('inside.txt'));
        expect(existsSync(join(outside, 'planted'))).toBe(false);
        expect(stage.workspace.read('inside.txt')).toBe('x');
        rmSync(outside, { recursive: true });
      });

      it('sees no home and no environment of the server [workspace.sandbox.home]', async () => {
        const script = `console.log(require('fs').existsSync(${JSON.stringify(join(homedir(), '.npm'))}));
          try { console.log(require('fs').readFileSync('/proc/' + process.ppid + '/environ', 'latin1')) } catch {}`;
        const { stdout, sandbox } = await run(script);
        expect(stdout).toMatch(/^false\n/);
        expect(stdout).not.toContain('hunter2');
        expect(sandbox).toBeUndefined();
      });
    },
    STDIO,
  );
});

describe.skipIf(hasSandbox)('without a sandbox', () => {
  eachWay(
    'run_command',
    { env: { TENON_SANDBOX: 'auto' } },
    (stage) => {
      it('says so, and what would help [workspace.sandbox.said]', async () => {
        const answer = (await stage.client.call('run_command', node(''))) as Answer;
        expect(answer.data.sandbox).toMatch(/^none: .+\. .+/);
      });
    },
    STDIO,
  );
});
