/** The longer attacks of the advisories, and the lists of what they try. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname } from 'node:path';
import { startAttack } from '../../versus/attack';
import { sampleCalls } from '../contract/sample-calls';
import { type AdvisoryStage, PATH_CALLS } from './advisory-stage';

export type Call = readonly [tool: string, args: object];

const RACE_CALLS = 500;
const PATHOLOGICAL_CHARACTERS = 100_000;
const PATHOLOGICAL_UNITS = ['a', ' ', '\t\n', '../', '\\', '.git.', '{x}', '\u200d'];

/** Other ways to write an allowed name, and other things to run. */
export const NOT_COMMANDS =
  String.raw`/usr/bin/node|./node|sub/npm|../node| node|node |"node"|'node'|Node|no\de|n*|node;id`
    .split('|')
    .concat(['node\n', 'node\0', 'node && id', 'node | id', '$(id)', '`id`', '$SHELL', '<(id)', 'sh', 'env', 'git']);

export const LOADING_VARIABLES =
  'LD_PRELOAD LD_LIBRARY_PATH NODE_PATH PYTHONSTARTUP PYTHONPATH BASH_ENV ENV EDITOR PERL5OPT RUBYOPT GIT_SSH_COMMAND GIT_EXTERNAL_DIFF npm_config_script_shell NPM_CONFIG_PREFIX'.split(
    ' ',
  );

export const NOT_WINDOWS_NAMES = 'a.txt:x a.txt::$DATA NUL CON.txt com1 LPT9.log a. sub/aux C:x a? a|b'
  .split(' ')
  .concat(['a ', 'a\u0007']);

export const NOT_WINDOWS_PATHS = String.raw`\\?\C:\ws\f \\.\C:\ws\f \\?\UNC\server\share\f \ws\f C:f`.split(' ');

export const FOREIGN_PATHS = String.raw`C:\out\f c:/out/f \\server\share \\?\C:\f ..\out\f`
  .split(' ')
  .concat(['a\nb', 'a\u001b[31mb', 'a\u0085b']);

/** Names that a careless decoder would read as `..` or as a home folder. */
export const PLAIN_NAMES = '%2e%2e/out/f %2e%2e%2fout ..%c0%af ....//out/f ~/f ~root/f \u2024\u2024/f'.split(' ');

export function plantLink(stage: AdvisoryStage, name: string, target: string): void {
  mkdirSync(dirname(stage.workspace.path(name)), { recursive: true });
  symlinkSync(target, stage.workspace.path(name));
}

/** Calls on a file in a folder that changes places with a link to the outside; gives the codes that were answered. */
export async function race(stage: AdvisoryStage, folder: string, calls: (file: string) => Call[]): Promise<unknown[]> {
  stage.workspace.write(`${folder}/f`, 'inside');
  plantLink(stage, `${folder}-link`, '../out');
  const codes = new Set<unknown>();
  await stage.unharmed(async () => {
    const attack = await startAttack([[stage.workspace.path(folder), stage.workspace.path(`${folder}-link`)]]);
    try {
      for (let done = 0; done < RACE_CALLS; ) {
        const batch = calls(`${folder}/f`);
        done += batch.length;
        for (const code of await Promise.all(batch.map((call) => stage.codeOf(...call)))) codes.add(code);
      }
    } finally {
      await attack.stop();
    }
  });
  return [...codes];
}

/** How many connections a listener on loopback gets while the steps run. */
export async function connectionsDuring(steps: (port: number) => Promise<void>): Promise<number> {
  let connections = 0;
  const listener = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  await steps((listener.address() as AddressInfo).port);
  listener.close();
  return connections;
}

/** Texts on which careless expressions need quadratic or exponential time. */
export function pathologicalTexts(): string[] {
  return PATHOLOGICAL_UNITS.map((unit) => `${unit.repeat(PATHOLOGICAL_CHARACTERS / unit.length)}!`);
}

/** Calls with this text in each text parameter; `evil.txt` holds it, and is searched for what almost matches. */
export function callsWith(evil: string, { workspace }: AdvisoryStage): Call[] {
  const near = { old_string: `${evil.slice(9)}?`, new_string: 'x' };
  const path = workspace.path('evil.txt');
  return [
    ...sampleCalls(workspace).flatMap(({ tool, succeeds }) =>
      variants(succeeds, evil).map((args): Call => [tool, args]),
    ),
    ...PATH_CALLS.map(({ tool, field, others }): Call => [tool, { ...others, [field]: `/${evil}` }]),
    ['run_command', { command: 'node', cwd: evil }],
    ['edit_text_file', { path, ...near }],
    ['edit_file', { file: 'evil.txt', find: near.old_string, replace: 'x' }],
    ['multi_edit_text_file', { path, edits: [near] }],
  ];
}

/** The arguments once for each text in them, with that one replaced. */
function variants<T extends object>(value: T, text: string): T[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const replaced = typeof inner === 'string' ? [text] : typeof inner === 'object' ? variants(inner, text) : [];
    return replaced.map(
      (each) => Object.assign(Array.isArray(value) ? [...value] : { ...value }, { [key]: each }) as T,
    );
  });
}
