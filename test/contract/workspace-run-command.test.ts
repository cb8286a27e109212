import { expect, it, vi } from 'vitest';
import { eachWay } from '../harness/each-way';
import { ask, envelopeSchema, failure, invalid, invalidPath, isAlive, schemasOf, success } from './workspace-envelope';
import { LASTING, notAllowed, QUIET, text } from './workspace-run-answers';

eachWay('run_command', {}, (stage) => {
  const run = (args: object) => ask(stage.client, 'run_command', args);

  it('publishes the schemas of the contract [workspace.run.input, workspace.run.output]', async () => {
    expect(await schemasOf(stage.client, 'run_command')).toEqual({
      input: {
        type: 'object',
        additionalProperties: false,
        required: ['command'],
        properties: {
          command: { type: 'string', minLength: 1 },
          args: { type: 'array', items: { type: 'string', maxLength: 400 }, maxItems: 64, default: [] },
          cwd: { type: 'string', default: '.' },
          timeoutMs: { type: 'integer', minimum: 100, maximum: 60000, default: 15000 },
          maxOutputBytes: { type: 'integer', minimum: 1024, maximum: 262144, default: 65536 },
        },
      },
      output: envelopeSchema({
        command: { type: 'string' },
        args: { type: 'array', items: { type: 'string' } },
        cwd: { type: 'string' },
        exitCode: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        signal: { type: ['string', 'null'] },
        timedOut: { type: 'boolean' },
        stdout: { type: 'string' },
        stderr: { type: 'string' },
        stdoutTruncated: { type: 'boolean' },
        stderrTruncated: { type: 'boolean' },
      }),
    });
  });

  it('runs an allowed program [workspace.run.manual.1]', async () => {
    expect(await run({ command: 'npm', args: ['--version'] })).toEqual(
      success({
        ...QUIET,
        command: 'npm',
        args: ['--version'],
        stdout: text(/^\d+\.\d+\.\d+\n$/),
        stderr: expect.any(String),
      }),
    );
  });

  it('refuses any other, and says which are allowed [workspace.run.manual.2, workspace.run.error.COMMAND_NOT_ALLOWED, workspace.run.security.allowlist]', async () => {
    expect(await run({ command: 'bash', args: ['-lc', 'echo hi'] })).toEqual(notAllowed('bash'));
  });

  it('refuses to climb [workspace.run.manual.3, workspace.run.error.INVALID_PATH, workspace.run.security.cwd]', async () => {
    expect(await run({ command: 'npm', args: ['run', 'x'], cwd: '../' })).toEqual(
      invalidPath('../', 'contains a .. segment'),
    );
  });

  it('ends what takes too long, and that is a normal result [workspace.run.manual.4, workspace.run.security.timeout, workspace.run.ok-anyway]', async () => {
    const args = ['-e', 'setTimeout(()=>{},100000)'];
    expect(await run({ command: 'node', args, timeoutMs: 200 })).toEqual(
      success({ ...QUIET, command: 'node', args, exitCode: null, signal: 'SIGTERM', timedOut: true }),
    );
  });

  it('says that cwd is not there, or a file [workspace.run.error.NOT_FOUND, workspace.run.error.NOT_DIRECTORY]', async () => {
    stage.workspace.write('file.txt', '');
    expect(await run({ command: 'node', cwd: 'gone' })).toEqual(
      failure('NOT_FOUND', 'cwd not found: gone', { kind: 'directory_not_found', path: 'gone' }),
    );
    expect(await run({ command: 'node', cwd: 'file.txt' })).toEqual(
      failure('NOT_DIRECTORY', 'cwd file.txt is not a directory but a file', {
        kind: 'not_a_directory',
        path: 'file.txt',
        found: 'a file',
      }),
    );
  });

  it('names the parameter that is wrong [workspace.run.error.VALIDATION_ERROR]', async () => {
    expect(await run({ command: '' })).toEqual(invalid('command', 'must not be empty'));
    expect(await run({ command: 'node', shell: true })).toEqual(
      invalid('shell', 'is not a parameter here; expected: command, args, cwd, timeoutMs, maxOutputBytes', {
        expected: 'command, args, cwd, timeoutMs, maxOutputBytes',
      }),
    );
  });

  it('tells a client that asked for it that the command is alive [workspace.run.progress]', async () => {
    const heard: { progress: number; message?: string }[] = [];
    const args = ['-e', 'console.log("half way"); setTimeout(() => {}, 1300)'];
    const options = { onprogress: (progress: (typeof heard)[number]) => void heard.push(progress) };
    expect(await ask(stage.client, 'run_command', { command: 'node', args }, options)).toMatchObject({ ok: true });
    const messages = heard.map(({ progress, message }) => `${progress > 0}: ${message}`);
    expect(messages).toContainEqual(text(/^true: \d+ s, stdout 9 B, stderr 0 B: half way$/));
  });

  it('ends the whole tree when the client cancels [workspace.run.cancel, workspace.run.tree-ends]', async () => {
    stage.workspace.write('pids.json', '');
    const controller = new AbortController();
    const call = ask(
      stage.client,
      'run_command',
      { command: 'node', args: ['-e', LASTING], timeoutMs: 60_000 },
      { signal: controller.signal },
    );
    const refused = expect(call).rejects.toThrow();
    const pids = await vi.waitFor(() => JSON.parse(stage.workspace.read('pids.json')) as number[], {
      timeout: 15_000,
      interval: 20,
    });
    expect(pids.map(isAlive)).toEqual([true, true]);
    controller.abort('no longer needed');
    await refused;
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]), { timeout: 5000, interval: 20 });
  });
});
