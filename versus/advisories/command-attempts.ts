/** The advisories about commands, tried with a server's tool for programs where it has one. */
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Command,
  connectingCommands,
  flagAttempts,
  gitCalls,
  MAKE_HOOK,
  makeFile,
  plantLinks,
  SETTINGS_FILES,
  spellings,
  TELL_ENVIRONMENT,
} from './commands';
import { tryPaths } from './file-attempts';
import { type Ground, type Layout, shown } from './ground';
import { connectionsDuring } from './listener';
import { plantedLinks } from './paths';
import { type Attempt, firstThrough, needsCommands, needsSandbox, type Verdict } from './verdict';

/** Harmless, and named as forbidden to the servers that have a list of forbidden programs. */
export const FORBIDDEN_PROGRAM = 'touch';

export const commandAttempts: readonly Attempt[] = [
  { advisory: 8, run: needsCommands((ground) => tryCommands(ground, gitCalls(ground.out))) },
  { advisory: 11, run: needsCommands(needsSandbox(trySettingsFiles)) },
  { advisory: 12, run: needsCommands(tryPlantedLinks) },
  { advisory: 14, run: needsCommands(trySpellings) },
  { advisory: 15, run: needsCommands(needsSandbox(tryFlags)) },
];

/** On a server that was started with the variables of `LOADING_VARIABLES`. */
export const environmentAttempt: Attempt = {
  advisory: 16,
  run: needsCommands(async (ground) => {
    const { text } = await ground.reachByCommand({ command: 'node', args: ['-p', TELL_ENVIRONMENT] });
    return text.includes('planted') ? 'got through: the variables reach the program' : 'refused';
  }),
};

function tryCommands(ground: Ground, commands: readonly Command[], layout?: Layout): Promise<Verdict> {
  ground.lay(layout);
  return firstThrough(
    commands.map(([command, ...args]) => async () => {
      const { outside } = await ground.reachByCommand({ command, args });
      return outside && `${command.trim()} ${shown(args[0] ?? '', ground)} ${outside}`;
    }),
  );
}

function trySettingsFiles(ground: Ground): Promise<Verdict> {
  const attempts = [...SETTINGS_FILES.map((name) => [name, makeFile(name)]), ['.git/hooks/pre-commit', MAKE_HOOK]];
  const steps = attempts.map(([name = '', script = '']) => async () => {
    ground.lay();
    if (script === MAKE_HOOK) mkdirSync(join(ground.root, '.git'));
    await ground.reachByCommand({ command: 'node', args: ['-e', script] });
    return existsSync(join(ground.root, name)) ? `a command made ${name}` : undefined;
  });
  return firstThrough(steps);
}

/** The links are made by a command of the server, and followed or not by its file tools. */
async function tryPlantedLinks(ground: Ground): Promise<Verdict> {
  for (const { links = {}, ...attack } of plantedLinks(ground)) {
    ground.lay();
    await ground.reachByCommand({ command: 'node', args: ['-e', plantLinks(links)] });
    const isPlanted = Object.keys(links).every((name) => isLink(join(ground.root, name)));
    const verdict = isPlanted ? await tryPaths(ground, [{ ...attack, links }]) : 'refused';
    if (verdict !== 'refused') return verdict;
  }
  return 'refused';
}

function trySpellings(ground: Ground): Promise<Verdict> {
  const names = [FORBIDDEN_PROGRAM, ...spellings(FORBIDDEN_PROGRAM)];
  return tryCommands(
    ground,
    names.map((name) => [name, `${ground.out}/planted`]),
  );
}

async function tryFlags(ground: Ground): Promise<Verdict> {
  const { outside, inside, commands } = flagAttempts(ground.out);
  const verdict = await tryCommands(ground, commands, { files: inside, outside });
  if (verdict !== 'refused') return verdict;
  const connections = await connectionsDuring(async (port) => {
    for (const [command, ...args] of connectingCommands(port)) await ground.reachByCommand({ command, args });
  });
  return connections > 0 ? 'got through: a connection was made' : 'refused';
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
