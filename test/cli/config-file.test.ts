import { afterEach, describe, expect, it } from 'vitest';
import { makeWorkspace, type Workspace } from '../harness/workspace';
import { runTenon } from './run-tenon';

const places: Workspace[] = [];
const makePlace = (files: Record<string, string>) => {
  const place = makeWorkspace(files);
  places.push(place);
  return place;
};
afterEach(() => {
  for (const place of places.splice(0)) place.remove();
});

const read = (flags: string[], cwd: string, env: NodeJS.ProcessEnv = {}) =>
  runTenon(['call', 'read_file', '{"file": "a.txt"}', ...flags], { cwd, env });

describe('the order of the settings', () => {
  it('is flag, environment, config file [every.cli.precedence]', async () => {
    const place = makePlace({ 'flag/a.txt': 'flag', 'env/a.txt': 'env', 'config/a.txt': 'config', 'a.txt': 'none' });
    const config = place.write('config.json', JSON.stringify({ root: [place.path('config')] }));
    const TENON_ROOT = place.path('env');
    const flag = ['--root', place.path('flag')];

    expect((await read([], place.root)).stdout).toContain('none');
    expect((await read(['--config', config], place.root)).stdout).toContain('config');
    expect((await read([], place.root, { TENON_CONFIG: config })).stdout).toContain('config');
    expect((await read(['--config', config], place.root, { TENON_ROOT })).stdout).toContain('"env"');
    expect((await read(['--config', config, ...flag], place.root, { TENON_ROOT })).stdout).toContain('flag');
  });

  it('lets the environment switch off what the config file switched on [every.cli.precedence]', async () => {
    const place = makePlace({ 'config.json': '{"readOnly": true}' });
    const mkdir = (env: NodeJS.ProcessEnv) =>
      runTenon(['call', 'mkdir', '{"dir": "x"}', '--config', 'config.json'], { cwd: place.root, env });
    expect(await mkdir({})).toMatchObject({ code: 2 });
    expect(await mkdir({ TENON_READ_ONLY: 'false' })).toMatchObject({ code: 0 });
  });

  it('takes an empty variable for an unset one [every.cli.precedence]', async () => {
    const place = makePlace({ 'a.txt': 'here' });
    expect((await read([], place.root, { TENON_ROOT: '', TENON_APPROVE: '', TENON_READ_ONLY: '' })).stdout).toContain(
      'here',
    );
  });
});

describe('the config file', () => {
  it('of the person is read without being named [every.cli.options]', async () => {
    const place = makePlace({ 'root/a.txt': 'mine' });
    place.write('home/tenon/config.json', JSON.stringify({ root: place.path('root') }));
    expect((await read([], place.root, { XDG_CONFIG_HOME: place.path('home') })).stdout).toContain('mine');
  });

  it('inside the root is not read by itself [every.cli.config-not-from-root]', async () => {
    const config = JSON.stringify({ approve: 'always', allowCommand: ['true'] });
    const names = [
      'config.json',
      'tenon.json',
      '.tenon.json',
      'tenon/config.json',
      '.tenon/config.json',
      '.config/tenon/config.json',
    ];
    const place = makePlace(Object.fromEntries(names.map((name) => [name, config])));
    expect(await runTenon(['call', 'run_command', '{"command": "true"}'], { cwd: place.root })).toMatchObject({
      code: 1,
    });
    const entry = '{"file": "best_practices.md", "entry": "x"}';
    expect(await runTenon(['call', 'write_memory_entry', entry], { cwd: place.root })).toMatchObject({ code: 1 });
  });

  it.each<[string, string, RegExp]>([
    ['an unknown key', '{"roots": ["."]}', /Unknown key "roots" in .*config\.json; known: root, toolsets, http/],
    ['a flag for a key', '{"read-only": true}', /Unknown key "read-only"/],
    ['another config file', '{"config": "other.json"}', /Unknown key "config"/],
    ['a key of every object', '{"__proto__": 1, "constructor": 1}', /Unknown key/],
    ['a switch that is a word', '{"readOnly": "yes"}', /"readOnly" in .* must be true or false/],
    ['a text that is a number', '{"logLevel": 3}', /"logLevel" in .* must be a string/],
    ['a list with a number', '{"root": ["a", 1]}', /"root" in .* must be a list of strings/],
    ['an empty root', '{"root": [""]}', /--root needs a value/],
    ['a bad choice', '{"approve": "yes"}', /must be one of ask, always, never, not yes/],
    ['an unknown toolset', '{"toolsets": ["nope"]}', /Unknown toolset "nope"/],
    ['no object', '[]', /must hold one JSON object/],
    ['no JSON', '{\n  "root": \n', /Cannot read the config file .*config\.json/],
    ['nothing', '', /Cannot read the config file/],
  ])('with %s is an error of one line that names it [every.cli.config-checked]', async (_, content, message) => {
    const place = makePlace({ 'config.json': content });
    const { code, stdout, stderr } = await read(['--config', 'config.json'], place.root);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^tenon: [^\n]+\n$/);
    expect(stderr).toMatch(message);
  });

  it('may give a list as one string, and toolsets as a list [every.cli.options]', async () => {
    const place = makePlace({ 'sub/a.txt': 'sub', 'config.json': '{"root": "sub", "toolsets": ["workspace"]}' });
    expect((await read(['--config', 'config.json'], place.root)).stdout).toContain('sub');
    expect(await runTenon(['call', 'hello', '--config', 'config.json'], { cwd: place.root })).toMatchObject({
      code: 2,
    });
  });
});
