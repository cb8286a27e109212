/**
 * The environment of a command, built from nothing: a short list of the server's variables that programs need to find
 * their way, the settings below, and a marker. No token, and no variable that makes a program load code (NODE_OPTIONS,
 * LD_PRELOAD, PYTHONPATH, npm_config_*), gets from the server to a command.
 *
 * The settings keep a command from waiting for a person who is not there, and its output readable:
 * - CI: tools neither ask, nor watch, nor animate.  NO_COLOR: some tools colour their output because of CI.
 * - GIT_TERMINAL_PROMPT: git fails instead of asking for a password.  PAGER: nothing stops after one screen.
 * - PYTHONUNBUFFERED: what python printed before a time-out is in the answer.
 * - NoDefaultCurrentDirectoryInExePath: Windows does not look for programs in the working directory.
 * npm needs no `yes`: without a terminal npx goes on by itself, and a person's own `yes=false` keeps its force.
 */
import { randomBytes } from 'node:crypto';

/** Found in /proc/<pid>/environ, it names the call to which a process belongs. */
export const MARKER_VARIABLE = 'TENON_CALL';

const KEPT = ['HOME', 'LANG', 'TERM', 'TZ', 'TMPDIR', 'USER', 'LOGNAME', 'SHELL'];
const KEPT_ON_WINDOWS = [
  'SYSTEMROOT',
  'COMSPEC',
  'PATHEXT',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
] as const;
const SETTINGS = { CI: '1', NO_COLOR: '1', GIT_TERMINAL_PROMPT: '0', PAGER: 'cat', PYTHONUNBUFFERED: '1' };
const SETTINGS_ON_WINDOWS = { NoDefaultCurrentDirectoryInExePath: '1' };

export function createMarker(): string {
  return randomBytes(16).toString('hex');
}

export interface CommandEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  readonly marker: string;
}

export function commandEnvironment(options: {
  readonly server: NodeJS.ProcessEnv;
  /** The PATH for the command; empty means none. */
  readonly path: string;
  /** The working directory as the command should call it. */
  readonly directory: string;
  readonly platform?: NodeJS.Platform;
}): CommandEnvironment {
  const { server, path, directory, platform = process.platform } = options;
  const windows = platform === 'win32';
  const marker = createMarker();
  const kept = Object.entries(server).filter(([name]) => isKept(name, windows));
  const variables = {
    ...Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    // An empty PATH would mean the working directory.
    ...(path === '' ? {} : { PATH: path }),
    PWD: directory,
    ...SETTINGS,
    ...(windows ? SETTINGS_ON_WINDOWS : {}),
    [MARKER_VARIABLE]: marker,
  };
  return { variables, marker };
}

/** Windows does not tell the case of names apart. */
function isKept(name: string, windows: boolean): boolean {
  if (!windows) return KEPT.includes(name) || /^LC_[A-Z]+$/.test(name);
  const upper = name.toUpperCase();
  return [...KEPT, ...KEPT_ON_WINDOWS].includes(upper) || /^LC_[A-Z]+$/.test(upper);
}
