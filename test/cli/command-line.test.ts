import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environmentName, OPTION_NAMES } from '../../src/cli/options';
import { repository } from '../harness/binary';
import { makeWorkspace, type Workspace } from '../harness/workspace';
import { openLines } from '../mcp/line-client';
import { runAtTerminal, runTenon } from './run-tenon';

const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
let workspace: Workspace;
beforeAll(() => {
  workspace = makeWorkspace({ 'a.txt': 'a' });
});
afterAll(() => workspace.remove());

describe('tenon', () => {
  it.each([['--help'], ['-h'], ['help'], ['serve', '--help'], ['call', '-h']])(
    '%s %s explains the commands and every option [every.cli.help]',
    async (...args) => {
      const { code, stdout, stderr } = await runTenon(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      for (const command of ['tenon serve', 'tenon call', 'tenon tools']) expect(stdout).toContain(command);
      for (const option of OPTION_NAMES) {
        expect(stdout).toContain(`--${option}`);
        expect(stdout).toContain(environmentName(option));
      }
    },
  );

  it.each([['--version'], ['-v'], ['serve', '--version']])(
    '%s %s prints the version [every.cli.version]',
    async (...args) => {
      expect(await runTenon(args)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    },
  );

  it('alone, without a terminal, serves the current directory on stdio [every.cli.default-serves]', async () => {
    const client = openLines([], { cwd: workspace.root });
    await client.initialize();
    const { result } = await client.request('tools/call', { name: 'read_file', arguments: { file: 'a.txt' } });
    expect(result?.isError).toBeFalsy();
    expect(await client.end()).toEqual({ code: 0, signal: null });
  });

  it('with options only, without a terminal, serves with them [every.cli.default-serves]', async () => {
    const client = openLines(['--toolsets', 'repo'], { cwd: workspace.root });
    await client.initialize();
    expect((await client.request('tools/list')).result?.tools).toHaveLength(3);
    await client.end();
  });

  it('alone at a terminal explains itself [every.cli.help]', async () => {
    const { code, stdout } = await runAtTerminal([], { cwd: workspace.root });
    expect(code).toBe(0);
    expect(stdout).toContain('tenon serve [options]');
  });
});

describe.concurrent('a mistake in the command line', () => {
  it.each<[string, string[], RegExp]>([
    ['an unknown flag', ['serve', '--nope'], /--nope.*tenon --help/],
    ['an unknown flag with a value', ['serve', '--nope=1'], /--nope/],
    ['an unknown command', ['nope'], /Unknown command "nope"; there are serve, acp, call, tools and help/],
    ['an argument to serve', ['serve', '/tmp'], /serve takes no argument, got \/tmp\. Use --root \/tmp/],
    ['a flag without its value', ['serve', '--root'], /--root/],
    ['a value for a switch', ['serve', '--read-only=maybe'], /--read-only/],
    ['an empty value', ['serve', '--root', ''], /--root needs a value/],
    ['an empty value for a text', ['serve', '--memory-dir='], /--memory-dir needs a value/],
    ['a root that is not there', ['serve', '--root', '/no/such/root'], /There is no directory \/no\/such\/root/],
    ['a root that is a file', ['serve', '--root', 'a.txt'], /a\.txt is not a directory/],
    [
      'a second root that is not there',
      ['serve', '--root', '.', '--root', '/no/such'],
      /There is no directory \/no\/such/,
    ],
    ['a memory folder that is not there', ['serve', '--memory-dir', '/no/such'], /There is no directory \/no\/such/],
    [
      'an unknown toolset',
      ['serve', '--toolsets', 'editor,nope'],
      /Unknown toolset "nope"; known: editor, workspace, repo/,
    ],
    ['no toolset', ['serve', '--toolsets', ','], /Unknown toolset ""/],
    ['a bad choice', ['serve', '--approve', 'maybe'], /--approve must be one of ask, always, never, not maybe/],
    ['another bad choice', ['serve', '--tool-errors', 'x'], /--tool-errors must be one of result, rpc, not x/],
    ['a bad log level', ['serve', '--log-level', 'loud'], /--log-level must be one of .*, not loud/],
    ['a log file that is a folder', ['serve', '--log-file', '.'], /Cannot write the log file \.: EISDIR/],
    ['a log file below a file', ['serve', '--log-file', 'a.txt/x.log'], /Cannot write the log file a\.txt\/x\.log/],
    ['a bad address', ['serve', '--http=nope:port'], /--http expects HOST:PORT/],
    ['a port that is none', ['serve', '--http', '127.0.0.1:99999'], /--http expects HOST:PORT/],
    ['a short token', ['serve', '--token', 'short'], /at least 16/],
    ['a config file that is not there', ['serve', '--config', '/no/such.json'], /config file \/no\/such\.json/],
    ['call without a tool', ['call'], /call expects a tool/],
    ['call with too much', ['call', 'hello', '{}', 'more'], /call expects a tool/],
    ['call of an unknown tool', ['call', 'nope', '{}'], /Unknown tool: nope\. Tools here: .*hello/],
    ['call with bad JSON', ['call', 'hello', '{name: 1}'], /not valid JSON/],
    ['tools with an unknown name', ['tools', 'nope'], /Unknown tool "nope"; there are .*hello/],
    ['tools with two names', ['tools', 'hello', 'mkdir'], /tools takes one name, or none/],
  ])('%s: one line on stderr, exit code 2 [every.cli.usage-error]', async (_, args, message) => {
    const { code, stdout, stderr } = await runTenon(args, { cwd: workspace.root });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^tenon: [^\n]+\n$/);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\bat .*:\d+:\d+|Error:|ERR_/);
  });
});

describe('tenon tools', () => {
  it('shows every tool under its toolset [every.cli.tools]', async () => {
    const { code, stdout } = await runTenon(['tools']);
    expect(code).toBe(0);
    expect(stdout.match(/^\w+$/gm)).toEqual(['editor', 'workspace', 'repo']);
    expect(stdout.match(/^ {2}\w+ +\S/gm)).toHaveLength(15);
  });

  it('shows one contract as a page: input, output, constraints, errors, examples [every.cli.tools]', async () => {
    const { code, stdout } = await runTenon(['tools', 'write_memory_entry']);
    expect(code).toBe(0);
    expect(stdout.match(/^#+ .*$/gm)).toEqual([
      '## write_memory_entry',
      '### Input',
      '### Output',
      '### Constraints',
      '### Errors',
      '### Examples',
    ]);
    expect(stdout).toContain('Requires approval');
  });

  it('shows them as the JSON of tools/list with --json [every.cli.tools]', async () => {
    const client = openLines(['serve'], { cwd: workspace.root });
    await client.initialize();
    const listed = (await client.request('tools/list')).result?.tools as { name: string }[];
    await client.end();
    expect(JSON.parse((await runTenon(['tools', '--json'])).stdout)).toEqual(listed);
    expect(JSON.parse((await runTenon(['tools', 'hello', '--json'])).stdout)).toEqual(
      listed.find(({ name }) => name === 'hello'),
    );
  });
});
