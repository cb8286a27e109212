import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { environmentInside, networkVariables } from '../../../../src/services/processes/sandbox/environment';
import { gitConfig } from '../../../../src/services/processes/sandbox/settings-files';
import { showSystem } from '../../../../src/services/processes/sandbox/system-view';
import { showToolchains } from '../../../../src/services/processes/sandbox/toolchains';
import { createView } from '../../../../src/services/processes/sandbox/view';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-home-')));
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe.skipIf(process.platform !== 'linux')('the system', () => {
  it('is there by a list, and nothing else of it', () => {
    const view = createView();
    showSystem(view);
    expect(['/usr/bin/env', '/bin', '/etc/passwd'].map(view.shows)).toEqual([true, true, true]);
    const hidden = [
      '/',
      '/root',
      '/home',
      '/var',
      '/run',
      '/sys',
      '/etc',
      '/etc/shadow',
      '/etc/ssh',
      '/etc/ssl/private',
    ];
    expect(hidden.filter(view.shows)).toEqual([]);
  });

  it('its small files are handed over on the descriptors that the plan names, after what was handed before', () => {
    const view = createView(['filter']);
    showSystem(view);
    const files = view.mounts.filter(([flag]) => flag === '--file');
    expect(view.handed).toEqual(['filter', ...files.map(([, , path]) => path)]);
    expect(files.map(([, descriptor]) => descriptor)).toEqual(files.map((_, index) => String(4 + index)));
    expect(files.map(([, , path]) => path)).toContain('/etc/passwd');
  });

  it('nothing is written where something is shown', () => {
    const view = createView();
    showSystem(view);
    const mounted = view.mounts.filter(([flag]) => flag === '--ro-bind').map(([, , path = '']) => path);
    const written = view.mounts.filter(([flag]) => flag === '--file').map(([, , path = '']) => path);
    expect(written.filter((path) => mounted.some((folder) => path.startsWith(`${folder}/`)))).toEqual([]);
  });
});

describe('toolchains', () => {
  it('a version manager brings its own folder, where it looks for it too', () => {
    const shim = program('.pyenv/shims/python3');
    expect(mountsFor(shim)).toEqual([
      ['--ro-bind', join(home, '.pyenv'), join(home, '.pyenv')],
      ['--symlink', join(home, '.pyenv'), '/sandbox-home/.pyenv'],
    ]);
  });

  it('a program in a prefix brings the prefix', () => {
    const tool = program('tools/thing/bin/thing');
    expect(mountsFor(tool)).toEqual([['--ro-bind', join(home, 'tools/thing'), join(home, 'tools/thing')]]);
  });

  it.each(['bin/mine', '.local/bin/mine', '.cargo/mine', 'mine'])('%s comes alone', (path) => {
    const file = program(path);
    expect(mountsFor(file)).toEqual([['--ro-bind', file, file]]);
  });

  it('a link brings what it leads to, and itself', () => {
    const real = program('.local/share/uv/tools/x/bin/x');
    const link = join(home, '.local/bin/x');
    symlinkSync(real, link);
    const uv = join(home, '.local/share/uv');
    expect(mountsFor(link)).toEqual([
      ['--ro-bind', uv, uv],
      ['--symlink', uv, '/sandbox-home/.local/share/uv'],
      ['--symlink', real, link],
    ]);
  });

  it('a virtual environment comes whole, although its program is a link to the system', () => {
    const link = join(home, 'venv/bin/python3');
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync('/usr/bin/env', link);
    expect(mountsFor(link)).toEqual([['--ro-bind', join(home, 'venv'), join(home, 'venv')]]);
  });

  it('cargo brings rustup, and not its credentials', () => {
    const cargo = program('.cargo/bin/cargo');
    mkdirSync(join(home, '.rustup'));
    const paths = mountsFor(cargo).map(([, , path]) => path);
    expect(paths).toEqual([
      join(home, '.cargo/bin'),
      '/sandbox-home/.cargo/bin',
      join(home, '.rustup'),
      '/sandbox-home/.rustup',
    ]);
  });

  function program(path: string): string {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 });
    return file;
  }

  function mountsFor(...programs: string[]) {
    const view = createView();
    view.readOnly('/usr');
    showToolchains(view, { programs, home });
    return view.mounts.slice(1);
  }
});

describe('the environment inside', () => {
  it('has the private home, and a PATH of what is there', () => {
    const view = createView();
    view.readOnly('/usr');
    view.link('/home/me/bin/tool', '/usr/bin/tool');
    const given = {
      HOME: '/home/me',
      TMPDIR: '/home/me/tmp',
      SHELL: '/home/me/fish',
      PATH: '/usr/bin:/home/me/bin:/home/me/other:/srv/bin',
      PWD: '/work',
    };
    expect(environmentInside(given, { NO_PROXY: 'a' }, view)).toEqual({
      HOME: '/sandbox-home',
      PATH: '/usr/bin:/home/me/bin',
      PWD: '/work',
      NO_PROXY: 'a',
      npm_config_cache: '/sandbox-home/.cache/npm',
    });
  });

  it('gets certificates that it can see, and proxies without credentials', () => {
    const view = createView();
    view.readOnly('/etc/ssl/certs');
    const own = join(home, 'ca.pem');
    writeFileSync(own, '');
    const server = {
      SSL_CERT_DIR: '/etc/ssl/certs',
      NODE_EXTRA_CA_CERTS: own,
      PIP_CERT: join(home, 'missing.pem'),
      CURL_CA_BUNDLE: home,
      HTTP_PROXY: 'http://proxy.example:8080',
      https_proxy: 'http://me:secret@proxy.example:8080',
      ALL_PROXY: 'me@proxy.example',
      NPM_TOKEN: 'secret',
    };
    expect(networkVariables(server, view)).toEqual({
      SSL_CERT_DIR: '/etc/ssl/certs',
      NODE_EXTRA_CA_CERTS: own,
      HTTP_PROXY: 'http://proxy.example:8080',
    });
    expect(view.mounts.at(-1)).toEqual(['--ro-bind', own, own]);
  });
});

describe('the git configuration inside', () => {
  it('says who commits and which repositories are trusted', () => {
    const user = [['user.name', 'A "B" \\ C']] as const;
    expect(gitConfig(user, ['/project/x'])).toBe(
      '[user]\n\tname = "A \\"B\\" \\\\ C"\n[safe]\n\tdirectory = "/project/x"\n',
    );
  });
});
