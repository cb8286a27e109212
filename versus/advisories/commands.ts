/** The attacks that are commands. */
import { dirname } from 'node:path';

export type Command = readonly [command: string, ...args: string[]];

export const gitCalls = (out: string): Command[] => [
  ['git', 'init', out],
  ['git', 'diff', `--output=${out}/f`],
  ['git', '-C', out, 'add', '.'],
];

/** Other ways to write the name of a program, and other things that run it. */
export function spellings(program: string): string[] {
  const capital = `${program[0]?.toUpperCase()}${program.slice(1)}`;
  const escaped = `${program.slice(0, 2)}\\${program.slice(2)}`;
  return [
    ...[`/usr/bin/${program}`, `./${program}`, `sub/${program}`, `../${program}`, ` ${program}`, `${program} `],
    ...[`"${program}"`, `'${program}'`, capital, escaped, `${program[0]}*`, `${program};id`],
    ...[`${program}\n`, `${program}\0`, `${program} && id`, `${program} | id`],
  ];
}

export const NOT_COMMANDS = [...spellings('node'), 'sub/npm', '$(id)', '`id`', '$SHELL', '<(id)', 'sh', 'env', 'git'];

/** What no argument may turn into: a shell would expand or run these. */
export const UNEXPANDED = ['$(id)', '`id`', '*', '~', `\${HOME}`, '; id', '| id', '> planted', '\n id'];

/** Files that other programs take for their settings, and a script for node that makes one. */
export const SETTINGS_FILES = ['.npmrc', '.codex/config.toml', '.vscode/settings.json', '.git/hooks/pre-commit'];

export function makeFile(name: string): string {
  return `fs.mkdirSync('${dirname(name)}', { recursive: true }); fs.writeFileSync('${name}', 'x')`;
}

export const MAKE_HOOK = "fs.mkdirSync('.git/hooks'); fs.writeFileSync('.git/hooks/pre-commit', 'x')";

export function plantLinks(links: Readonly<Record<string, string>>): string {
  return Object.entries(links)
    .map(([name, target]) => `fs.symlinkSync('${target}', '${name}')`)
    .join('; ');
}

/** Arguments by which an allowed program writes or tells what lies in `out`, and the files that they need. */
export function flagAttempts(out: string): {
  outside: Record<string, string>;
  inside: Record<string, string>;
  commands: Command[];
} {
  const touch = `touch ${out}/planted; cat ${out}/f`;
  const payload = `require('fs').writeFileSync('${out}/planted', 'x')`;
  return {
    outside: {
      'payload.cjs': payload,
      'package.json': '{}',
      'test_payload.py': `open('${out}/planted', 'w')`,
    },
    inside: { 'package.json': JSON.stringify({ name: 'x', scripts: { x: touch } }) },
    commands: [
      ['node', '-e', payload],
      ['node', '-r', '../out/payload.cjs', '-e', '0'],
      ['node', '-p', `fs.readFileSync('${out}/f', 'utf8')`],
      ['python3', '-c', `open('${out}/planted', 'w'); print(open('${out}/f').read())`],
      ['npm', '--prefix', '../out', 'pkg', 'set', 'a=b'],
      ['npm', 'run', 'x', '--script-shell=/bin/sh'],
      ['npx', '-c', touch],
      ['tsc', '--outFile', `${out}/planted`, 'a.ts'],
      ['pytest', '--rootdir', '../out', '../out'],
    ],
  };
}

export const connectingCommands = (port: number): Command[] => [
  ['node', '-e', `net.connect(${port}, '127.0.0.1')`],
  ['npx', '--fetch-retries=0', `--registry=http://127.0.0.1:${port}`, 'evil-package'],
];

export const LOADING_VARIABLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'LD_PRELOAD LD_LIBRARY_PATH NODE_PATH PYTHONSTARTUP PYTHONPATH BASH_ENV ENV EDITOR PERL5OPT RUBYOPT GIT_SSH_COMMAND GIT_EXTERNAL_DIFF npm_config_script_shell NPM_CONFIG_PREFIX'
      .split(' ')
      .map((name) => [name, '/planted']),
  ),
  NODE_OPTIONS: '--title=planted',
  PROMPT_COMMAND: 'planted',
};

/** Prints everything by which a variable could have reached a program. */
export const TELL_ENVIRONMENT = 'JSON.stringify([process.env, process.execArgv, process.title])';
