/** The command line: finds the command, and says what went wrong in one line. */
import { callTool } from './call';
import { type CommandLine, readCommandLine } from './command-line';
import type { Doors } from './doors';
import { helpText } from './help';
import { gatherSettings } from './settings';
import { isUsageError, UsageError } from './usage-error';

export async function main(argv: readonly string[], doors: Doors): Promise<number> {
  try {
    return await run(readCommandLine(argv), doors);
  } catch (error) {
    if (!isUsageError(error)) throw error;
    process.stderr.write(`tenon: ${error.message.replaceAll(/\s*\n\s*/g, ' ')}\n`);
    return 2;
  }
}

async function run(line: CommandLine, doors: Doors): Promise<number> {
  const [command = defaultCommand(line), ...words] = line.words;
  if (line.version) return print(doors.version);
  if (line.help || command === 'help') return print(helpText(doors.version));
  switch (command) {
    case 'serve': {
      if (words.length > 0)
        throw new UsageError(`serve takes no argument, got ${words.join(' ')}. Use --root ${words[0]}`);
      const settings = gatherSettings(line.flags, process.env);
      return settings.http ? doors.serveHttp(settings, settings.http) : doors.serveStdio(settings);
    }
    case 'acp':
      if (words.length > 0) throw new UsageError(`acp takes no argument, got ${words.join(' ')}`);
      return doors.serveAcp(gatherSettings(line.flags, process.env));
    case 'call':
      return callTool(words, gatherSettings(line.flags, process.env), doors);
    case 'tools':
      return doors.showTools(words, { json: line.json });
    default:
      throw new UsageError(`Unknown command "${command}"; there are serve, acp, call, tools and help`);
  }
}

/** A person at a terminal gets an explanation; a client, which has no terminal, gets a server. */
function defaultCommand(line: CommandLine): string {
  const isAtTerminal = process.stdin.isTTY && Object.keys(line.flags).length === 0;
  return isAtTerminal ? 'help' : 'serve';
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
