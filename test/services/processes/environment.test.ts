import { afterAll, describe, expect, it } from 'vitest';
import { commandEnvironment } from '../../../src/services/processes/environment';
import { makeBench } from './run-helper';

const bench = makeBench();
afterAll(bench.dispose);

const KEPT = {
  HOME: '/home/me',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  LC_CTYPE: 'C.UTF-8',
  TERM: 'xterm',
  TZ: 'UTC',
  TMPDIR: '/var/tmp',
  USER: 'me',
  LOGNAME: 'me',
  SHELL: '/bin/sh',
};
const SETTINGS = { CI: '1', NO_COLOR: '1', GIT_TERMINAL_PROMPT: '0', PAGER: 'cat', PYTHONUNBUFFERED: '1' };
const SECRETS = Object.fromEntries(
  [
    'GITHUB_TOKEN NPM_TOKEN OPENAI_API_KEY AWS_SECRET_ACCESS_KEY AWS_PROFILE GOOGLE_APPLICATION_CREDENTIALS',
    'AZURE_CLIENT_SECRET SSH_AUTH_SOCK DATABASE_URL TENON_TOKEN NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS',
    'LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES PYTHONPATH PYTHONSTARTUP PYTHONHOME GIT_SSH_COMMAND GIT_DIR',
    'npm_config_script_shell npm_config__authToken BASH_ENV ENV PS4 IFS DOCKER_HOST KUBECONFIG https_proxy HTTP_PROXY',
    'LC_ALL_TOKEN LC_secret MY_HOME home',
  ]
    .flatMap((line) => line.split(' '))
    .map((name) => [name, `planted-${name}`]),
);

describe('the environment of a command', () => {
  it('is the kept variables, the settings and the marker, and nothing else', () => {
    const { variables, marker } = commandEnvironment({
      server: { ...SECRETS, ...KEPT, PATH: '.:/evil', PWD: '/elsewhere', CI: 'false' },
      path: '/usr/bin',
      directory: '/workspace',
      platform: 'linux',
    });
    expect(variables).toEqual({ ...KEPT, ...SETTINGS, PATH: '/usr/bin', PWD: '/workspace', TENON_CALL: marker });
    expect(marker).toMatch(/^[0-9a-f]{32}$/);
  });

  it('reaches a real command just so', async () => {
    const code = 'process.stdout.write(JSON.stringify(process.env))';
    const { stdout } = await bench.run('node', ['-e', code], { serverEnvironment: { ...SECRETS, ...KEPT } });
    const { PATH, TENON_CALL, ...others } = JSON.parse(stdout) as Record<string, string>;
    expect(others).toEqual({ ...KEPT, ...SETTINGS, PWD: bench.directory });
    expect(PATH?.split(':').every((entry) => entry.startsWith('/'))).toBe(true);
    expect(TENON_CALL).toMatch(/^[0-9a-f]{32}$/);
  });

  it('has a marker of its own for every call', () => {
    const options = { server: {}, path: '', directory: '/' };
    expect(commandEnvironment(options).marker).not.toBe(commandEnvironment(options).marker);
  });

  it('has no PATH rather than an empty one', () => {
    expect(commandEnvironment({ server: {}, path: '', directory: '/' }).variables).not.toHaveProperty('PATH');
  });

  it('on Windows keeps what programs need there, in any case', () => {
    const kept = {
      SystemRoot: 'C:\\Windows',
      comspec: 'C:\\Windows\\System32\\cmd.exe',
      PATHEXT: '.EXE',
      TEMP: 'C:\\T',
      TMP: 'C:\\T',
      USERPROFILE: 'C:\\Users\\me',
      APPDATA: 'C:\\A',
      LocalAppData: 'C:\\L',
    };
    const { variables, marker } = commandEnvironment({
      server: { ...kept, Path: 'C:\\evil', GITHUB_TOKEN: 'planted', ProgramData: 'C:\\P' },
      path: 'C:\\bin',
      directory: 'C:\\workspace',
      platform: 'win32',
    });
    expect(variables).toEqual({
      ...kept,
      ...SETTINGS,
      NoDefaultCurrentDirectoryInExePath: '1',
      PATH: 'C:\\bin',
      PWD: 'C:\\workspace',
      TENON_CALL: marker,
    });
  });
});
