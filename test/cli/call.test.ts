import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorkspace, type Workspace } from '../harness/workspace';
import { runAtTerminal, runTenon } from './run-tenon';

let workspace: Workspace;
beforeAll(() => {
  workspace = makeWorkspace({ 'a.txt': 'a\n' });
});
afterAll(() => workspace.remove());

const call = (args: readonly string[], input = '') => runTenon(['call', ...args], { cwd: workspace.root, input });
const ENTRY = '{"file": "best_practices.md", "entry": "from the shell"}';

describe('tenon call', () => {
  it('prints the answer of a success as one line of JSON, exit code 0 [every.cli.call]', async () => {
    expect(await call(['read_file', '{"file": "a.txt"}'])).toEqual({
      code: 0,
      stdout: '{"ok":true,"data":{"file":"a.txt","content":"a\\n","bytes":2}}\n',
      stderr: '',
    });
  });

  it('prints the answer of a failure the same way, exit code 1 [every.cli.call]', async () => {
    const { code, stdout, stderr } = await call(['read_file', '{"file": "missing.txt"}']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
  });

  it('needs no arguments where the tool needs none [every.cli.call]', async () => {
    const { code, stdout } = await call(['list_dir']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ data: { entries: [{ path: 'a.txt', type: 'file', size: 2 }] } });
  });

  it('takes what is JSON and no object as a failure of the tool [every.cli.call]', async () => {
    const { code, stdout } = await call(['hello', '[1]']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'INVALID_ARGUMENT' } });
  });

  it('reads the arguments from stdin for - [every.cli.call-stdin]', async () => {
    const { code, stdout } = await call(['hello', '-'], '{"name": "Grüße 🪵"}\n');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ message: 'Hello, Grüße 🪵!' });
  });

  it('says in one line when stdin is no JSON, exit code 2 [every.cli.call-stdin, every.cli.usage-error]', async () => {
    const { code, stdout, stderr } = await call(['hello', '-'], 'two\nlines\n');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^tenon: The arguments are not valid JSON: [^\n]+\n$/);
  });

  it('writes a large answer whole [every.cli.call]', async () => {
    workspace.write('large.txt', 'x'.repeat(1_000_000));
    const { code, stdout } = await call(['read_file', '{"file": "large.txt", "maxBytes": 1048576}']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ data: { bytes: 1_000_000 } });
  });

  it('refuses a memory entry without a terminal, and says how to allow it [every.cli.call-approval]', async () => {
    const { code, stdout } = await call(['write_memory_entry', ENTRY]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'NOT_APPROVED', message: expect.stringMatching(/terminal.*--approve always/) },
    });
    expect(existsSync(workspace.path('.claude'))).toBe(false);
  });

  it.each([
    ['n', 1],
    ['', 1],
    ['y', 0],
  ])('asks at the terminal, and takes %j for what it is [every.cli.call-approval]', async (answer, exitCode) => {
    const { code, stdout } = await runAtTerminal(['call', 'write_memory_entry', ENTRY], {
      cwd: workspace.root,
      input: `${answer}\n`,
    });
    expect(stdout).toContain('Append this entry to the memory file best_practices.md?');
    expect(stdout).toContain('from the shell');
    expect(code).toBe(exitCode);
    expect(existsSync(workspace.path('.claude'))).toBe(exitCode === 0);
  });
});
