/** Where the Codex CLI is: named by CODEX_PATH, on the PATH, or installed as a package beside us. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

/** A program and the first words of its command line. */
export type CodexCommand = readonly [program: string, ...args: string[]];

export class CodexMissing extends Error {}

const INSTALL = 'Install it with: npm install -g @openai/codex. Or set CODEX_PATH to the program';

export function findCodex(environment: NodeJS.ProcessEnv, folders: readonly string[]): CodexCommand {
  const named = environment.CODEX_PATH;
  if (named) {
    if (!existsSync(named)) throw new CodexMissing(`CODEX_PATH names ${named}, and there is nothing. ${INSTALL}`);
    return commandOf(named);
  }
  const found = onPath(environment.PATH ?? '') ?? installed(folders);
  if (!found) throw new CodexMissing(`The Codex CLI was not found on the PATH or as a package. ${INSTALL}`);
  return commandOf(found);
}

/** A script is run by the Node that runs us. */
function commandOf(file: string): CodexCommand {
  return /\.[cm]?js$/.test(file) ? [process.execPath, file] : [file];
}

function onPath(path: string): string | undefined {
  const name = process.platform === 'win32' ? 'codex.exe' : 'codex';
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function installed(folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    try {
      return createRequire(join(folder, 'any.js')).resolve('@openai/codex/bin/codex.js');
    } catch {
      // Not there: look in the next one.
    }
  }
  return undefined;
}
