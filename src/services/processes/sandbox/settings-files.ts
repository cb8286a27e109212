/**
 * The settings files that a command finds: the person's and the system's npmrc without credentials (see npmrc), and a
 * git configuration that holds no more than who commits. They are handed over as bytes; none has a name on disk.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { filterNpmrc } from './npmrc';
import { PRIVATE_HOME } from './system-view';

export interface SettingsFile {
  /** Where the command finds it. */
  readonly path: string;
  readonly bytes: Buffer;
}

const SYSTEM_NPMRC = ['/etc/npmrc', '/usr/etc/npmrc', '/usr/local/etc/npmrc'];
const PIP_CONF = '/etc/pip.conf';
const GIT_LIMIT_MS = 2000;

export async function readSettingsFiles(options: {
  readonly home: string;
  readonly server: NodeJS.ProcessEnv;
  readonly roots: readonly string[];
  /** Undefined where commands may not use git. */
  readonly git: string | undefined;
}): Promise<SettingsFile[]> {
  const { home, server, roots, git } = options;
  const personal = read(server.NPM_CONFIG_USERCONFIG ?? server.npm_config_userconfig ?? join(home, '.npmrc')) ?? '';
  const pip = read(PIP_CONF);
  return [
    file(join(PRIVATE_HOME, '.npmrc'), filterNpmrc(personal)),
    file(join(PRIVATE_HOME, '.gitconfig'), gitConfig(git ? await askGit(git, home) : [], roots)),
    ...SYSTEM_NPMRC.flatMap((path) => {
      const text = read(path);
      return text === undefined ? [] : [file(path, filterNpmrc(text))];
    }),
    ...(pip === undefined || pip.includes('@') ? [] : [file(PIP_CONF, pip)]),
  ];
}

/** Name and address of the person, as git itself reads them from wherever they are configured. */
async function askGit(git: string, home: string): Promise<[key: string, value: string][]> {
  try {
    const args = ['config', '--global', '--null', '--get-regexp', '^user\\.(name|email)$'];
    // The root is the one directory in which no repository speaks.
    const options = { cwd: '/', env: { HOME: home, PATH: '/usr/bin:/bin' }, timeout: GIT_LIMIT_MS };
    const { stdout } = await promisify(execFile)(git, args, options);
    return stdout.split('\0').flatMap((entry): [string, string][] => {
      const end = entry.indexOf('\n');
      return end === -1 ? [] : [[entry.slice(0, end), entry.slice(end + 1)]];
    });
  } catch {
    return [];
  }
}

/** The roots are named as safe: their owner may be one whom the sandbox does not know. */
export function gitConfig(user: readonly (readonly [key: string, value: string])[], roots: readonly string[]): string {
  const lines = user.map(([key, value]) => `[user]\n\t${key.replace('user.', '')} = ${quote(value)}\n`);
  return [...lines, ...roots.map((root) => `[safe]\n\tdirectory = ${quote(root)}\n`)].join('');
}

function quote(value: string): string {
  return `"${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

function file(path: string, text: string): SettingsFile {
  return { path, bytes: Buffer.from(text) };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
