/** Gathers the settings: a flag wins over the environment, the environment over the config file. */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import {
  configKey,
  DEFAULT_HTTP,
  definitionOf,
  environmentName,
  OPTION_NAMES,
  type OptionName,
  TOOLSETS,
} from './options';
import { UsageError } from './usage-error';

export interface Settings {
  /** Absolute, like every folder here: the process does not stay where it was started. */
  readonly roots: readonly string[];
  readonly toolsets: readonly string[];
  readonly http: { host: string; port: number } | undefined;
  readonly token: string | undefined;
  readonly toolErrors: 'result' | 'rpc';
  readonly approve: 'ask' | 'always' | 'never';
  readonly memoryDir: string | undefined;
  readonly allowCommand: readonly string[];
  readonly sandbox: 'auto' | 'required' | 'off';
  readonly sandboxNetwork: 'on' | 'off';
  readonly protect: 'on' | 'off';
  readonly durability: 'synced' | 'fast';
  readonly mode: 'read-only' | 'agent' | 'full-access' | 'editor-only';
  readonly codexTools: 'auto' | 'dynamic' | 'mcp';
  readonly acpEvents: 'acp' | 'seed';
  readonly sdkOnly: boolean;
  readonly readOnly: boolean;
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  readonly logFile: string | undefined;
}

export type Given = Partial<Record<OptionName, string | boolean | readonly string[]>>;

const MIN_TOKEN_CHARACTERS = 16;

export function gatherSettings(flags: Given, environment: NodeJS.ProcessEnv): Settings {
  const fromEnvironment = readEnvironment(environment);
  const configFile = text(flags.config ?? fromEnvironment.config) ?? userConfigFile(environment);
  const given: Given = { ...(configFile && readConfig(configFile)), ...fromEnvironment, ...flags };
  for (const option of OPTION_NAMES) {
    checkEmpty(option, given[option]);
    checkChoice(option, given[option]);
  }
  return {
    roots: (list(given.root).length > 0 ? list(given.root) : ['.']).map((root) => resolve(root)),
    toolsets: toolsetNames(text(given.toolsets)),
    http: given.http === undefined ? undefined : address(String(given.http)),
    token: checkToken(text(given.token)),
    toolErrors: (text(given['tool-errors']) ?? 'result') as Settings['toolErrors'],
    approve: (text(given.approve) ?? 'ask') as Settings['approve'],
    memoryDir: folder(text(given['memory-dir'])),
    allowCommand: list(given['allow-command']),
    sandbox: (text(given.sandbox) ?? 'auto') as Settings['sandbox'],
    sandboxNetwork: (text(given['sandbox-network']) ?? 'on') as Settings['sandboxNetwork'],
    protect: (text(given.protect) ?? 'on') as Settings['protect'],
    durability: (text(given.durability) ?? 'synced') as Settings['durability'],
    mode: (text(given.mode) ?? 'agent') as Settings['mode'],
    codexTools: (text(given['codex-tools']) ?? 'auto') as Settings['codexTools'],
    acpEvents: (text(given['acp-events']) ?? 'acp') as Settings['acpEvents'],
    sdkOnly: isOn(given['sdk-only']),
    readOnly: isOn(given['read-only']),
    logLevel: (text(given['log-level']) ?? 'info') as Settings['logLevel'],
    logFile: checkLogFile(text(given['log-file'])),
  };
}

function readEnvironment(environment: NodeJS.ProcessEnv): Given {
  const given: Given = {};
  for (const option of OPTION_NAMES) {
    const value = environment[environmentName(option)];
    if (value === undefined || value === '') continue;
    given[option] = definitionOf(option).type === 'list' ? value.split(delimiter) : value;
  }
  return given;
}

function readConfig(file: string): Given {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`Cannot read the config file ${file}: ${(error as Error).message}`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new UsageError(`The config file ${file} must hold one JSON object`);
  // A config file names no other: there is one of them.
  const options = OPTION_NAMES.filter((option) => option !== 'config');
  const keys = new Map(options.map((option) => [configKey(option), option]));
  const given: Given = {};
  for (const [key, value] of Object.entries(content)) {
    const option = keys.get(key);
    if (!option) throw new UsageError(`Unknown key "${key}" in ${file}; known: ${[...keys.keys()].join(', ')}`);
    given[option] = checkConfigValue(file, key, option, value);
  }
  return given;
}

function checkConfigValue(file: string, key: string, option: OptionName, value: unknown): string | boolean | string[] {
  const { type } = definitionOf(option);
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (type === 'list' && (isList || typeof value === 'string')) return value;
  if (option === 'toolsets' && isList) return value.join(',');
  if (type === 'switch' && typeof value === 'boolean') return value;
  if (type === 'optional' && (typeof value === 'string' || value === true)) return value === true ? '' : value;
  if (type === 'text' && typeof value === 'string') return value;
  const expected = {
    list: 'a list of strings',
    switch: 'true or false',
    optional: 'a string or true',
    text: 'a string',
  };
  throw new UsageError(`"${key}" in ${file} must be ${expected[type]}`);
}

/** Only the person's own folder is looked at: a config file that comes with a repository is not the person's word. */
function userConfigFile(environment: NodeJS.ProcessEnv): string | undefined {
  const folder = environment.XDG_CONFIG_HOME || environment.APPDATA || join(homedir(), '.config');
  const file = join(folder, 'tenon', 'config.json');
  return existsSync(file) ? file : undefined;
}

/** `--root "$DIR"` with an unset variable must not serve the current directory. */
function checkEmpty(option: OptionName, value: Given[OptionName]): void {
  if (definitionOf(option).type === 'optional') return;
  if (value === '' || (Array.isArray(value) && value.includes(''))) throw new UsageError(`--${option} needs a value`);
}

function checkChoice(option: OptionName, value: Given[OptionName]): void {
  const { choices, type } = definitionOf(option);
  if (type === 'switch' && typeof value === 'string' && !/^(?:1|0|true|false)$/.test(value))
    throw new UsageError(`${option} must be true or false, not ${value}`);
  if (!choices || value === undefined || choices.includes(String(value))) return;
  throw new UsageError(`--${option} must be one of ${choices.join(', ')}, not ${value}`);
}

function toolsetNames(value: string | undefined): string[] {
  if (value === undefined) return [...TOOLSETS];
  const names = value.split(',').map((name) => name.trim());
  const known: readonly string[] = TOOLSETS;
  for (const name of names)
    if (!known.includes(name)) throw new UsageError(`Unknown toolset "${name}"; known: ${TOOLSETS.join(', ')}`);
  return known.filter((name) => names.includes(name));
}

function address(value: string): { host: string; port: number } {
  const [, host = '127.0.0.1', port] =
    /^(?:(\[[0-9a-f:.]+\]|[^:]+):)?(\d{1,5})$/i.exec(value === '' ? DEFAULT_HTTP : value) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new UsageError(`--http expects HOST:PORT, such as ${DEFAULT_HTTP}, not ${value}`);
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function checkToken(token: string | undefined): string | undefined {
  if (token === undefined || /^[\x21-\x7e]{16,}$/.test(token)) return token;
  throw new UsageError(`The token must have at least ${MIN_TOKEN_CHARACTERS} printable characters and no spaces`);
}

/** Better known at the start than at the first call. */
function checkLogFile(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    // One missing folder is made, no more: the recursive form never returns under /proc.
    if (!existsSync(dirname(file))) mkdirSync(dirname(file));
    closeSync(openSync(file, 'a'));
  } catch (error) {
    throw new UsageError(`Cannot write the log file ${file}: ${(error as Error).message}`);
  }
  return file;
}

function text(value: Given[OptionName]): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function folder(path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(path);
}

function list(value: Given[OptionName]): readonly string[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? [value] : [];
}

function isOn(value: Given[OptionName]): boolean {
  return value === true || value === '1' || value === 'true';
}
