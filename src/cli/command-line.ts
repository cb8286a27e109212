/** Splits a command line into the command, its words and the flags, by Node's own parser. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { definitionOf, OPTION_NAMES, type OptionName } from './options';
import type { Given } from './settings';
import { UsageError } from './usage-error';

export interface CommandLine {
  readonly words: readonly string[];
  readonly flags: Given;
  readonly help: boolean;
  readonly version: boolean;
  readonly json: boolean;
}

export function readCommandLine(argv: readonly string[]): CommandLine {
  const { values, positionals } = parse(argv.flatMap(giveValue));
  const {
    help = false,
    version = false,
    json = false,
    ...flags
  } = values as Record<string, string | boolean | string[]>;
  return { words: positionals, flags: flags as Given, help: !!help, version: !!version, json: !!json };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: parserOptions(), allowPositionals: true, strict: true });
  } catch (error) {
    const [message = ''] = (error as Error).message.split(/\. (?:To specify|Did you)/);
    throw new UsageError(`${message.replace(/\.$/, '')}. See tenon --help`);
  }
}

function parserOptions(): NonNullable<ParseArgsConfig['options']> {
  const options: NonNullable<ParseArgsConfig['options']> = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
    json: { type: 'boolean' },
  };
  for (const name of OPTION_NAMES) {
    const { type } = definitionOf(name);
    options[name] = { type: type === 'switch' ? 'boolean' : 'string', ...(type === 'list' && { multiple: true }) };
  }
  return options;
}

/** Node's parser has no optional values: `--http` alone becomes `--http=`, and `--http HOST:PORT` one word. */
function giveValue(word: string, at: number, argv: readonly string[]): string[] {
  const isOptional = (flag: string | undefined) =>
    flag?.startsWith('--') && definitionOf(flag.slice(2) as OptionName)?.type === 'optional';
  const isAddress = (text: string | undefined) => text !== undefined && /^(?:\S+:)?\d+$/.test(text);
  if (isOptional(word)) return [`${word}=${isAddress(argv[at + 1]) ? argv[at + 1] : ''}`];
  return isOptional(argv[at - 1]) && isAddress(word) ? [] : [word];
}
