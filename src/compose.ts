/** The only file that knows everybody: makes the services, the engine and the doors from the settings. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Transport } from '@modelcontextprotocol/server';
import type { Doors } from './cli/doors';
import { printHttpBanner } from './cli/http-banner';
import { listenProblem, tokenFor, untilSignalled } from './cli/http-start';
import type { Settings } from './cli/settings';
import { UsageError } from './cli/usage-error';
import type { JailedPath, Services } from './contract/ports';
import type { Shapes } from './contract/shape';
import type { PathRule } from './contract/toolset';
import { createEngine, type Engine } from './engine/dispatch';
import { createRegistry } from './engine/registry';
import { openLane } from './mcp/lane/lane';
import { LineStdio } from './mcp/line-stdio';
import type { Words } from './mcp/server';
import { createApprover } from './services/approvals';
import { systemClock } from './services/clock';
import { canPin } from './services/files/anchor';
import { createChangeGuard } from './services/files/change-guard';
import { createFileLocks, type FileLocks } from './services/files/file-lock';
import { createJail, type Jail } from './services/files/jail';
import { createMemory } from './services/files/memory';
import { createFileStore } from './services/files/store';
import { holdDirectory } from './services/files/walk';
import { createLog, type Log } from './services/log';
import { createAllowlist } from './services/processes/allowlist';
import { createCommands } from './services/processes/commands';
import { createSandbox, type Sandbox } from './services/processes/sandbox/sandbox';
import listing from './tools/listing.generated.json';
import shapes from './tools/shapes.generated.json';
import { toolsets } from './tools/toolsets';

declare const TENON_VERSION: string;

const SANDBOX_PROBE_AFTER_MS = 1000;

export const doors: Doors = {
  version: TENON_VERSION,
  openEngine: (settings) => openEngine(settings, createLog({ level: 'error', file: settings.logFile })),
  async serveStdio(settings) {
    const log = createLog({ level: settings.logLevel, file: settings.logFile });
    const engine = openEngine(settings, log);
    const wire = new LineStdio(process.stdin, process.stdout);
    const onerror = (error: Error) => log.warn(error.message);
    const words = wordsOf(engine, settings);
    const serveSdk = (transport: Transport) =>
      void mcpSdk().serveStdio(serverFactory(engine, settings, words), { transport, onerror });
    if (settings.sdkOnly) serveSdk(wire);
    else openLane({ ...words, wire, engine, toolErrors: settings.toolErrors, serveSdk, onerror });
    await Promise.race([wire.ended, untilSignalled()]);
    // Closes the connection after a signal too: what is running is cancelled, and the process can end.
    process.stdin.destroy();
    return 0;
  },
  async serveHttp(settings, address) {
    const token = tokenFor(settings, address);
    const log = createLog({ level: settings.logLevel, file: settings.logFile });
    const engine = openEngine(settings, log);
    const onerror = (error: Error) => log.warn(error.message);
    const factory = serverFactory(engine, settings, wordsOf(engine, settings));
    const door = await mcpSdk()
      .openHttp({ ...address, factory, token, onerror })
      .catch((error: unknown) => {
        throw listenProblem(error, address);
      });
    // Before the banner: whoever reads it may send a signal at once.
    const signalled = untilSignalled();
    const served = { version: TENON_VERSION, host: address.host, port: door.port, token };
    printHttpBanner({ ...served, toolCount: engine.registry.names.length }, settings);
    await signalled;
    await door.close();
    return 0;
  },
};

/** Loaded when it is needed: it takes as long as the rest of the start. */
function mcpSdk() {
  return require('./mcp/sdk') as typeof import('./mcp/sdk');
}

function serverFactory(engine: Engine, { toolErrors }: Settings, words: Words) {
  const { createServerFactory, createApprovalDesk } = mcpSdk();
  return createServerFactory({ ...words, engine, toolErrors, desk: createApprovalDesk() });
}

/** What the server says of itself. */
function wordsOf(engine: Engine, settings: Settings): Words {
  const served = new Set(engine.registry.names);
  return {
    version: TENON_VERSION,
    instructions: instructionsFor(settings, served),
    tools: listing.filter(({ name }) => served.has(name)),
  };
}

function instructionsFor(settings: Settings, served: ReadonlySet<string>): string {
  const sets = toolsets.flatMap((set) => {
    const names = set.tools.map(({ contract }) => contract.name).filter((name) => served.has(name));
    return names.length > 0 ? [`- ${set.name} (${names.join(', ')}): ${set.instructions}`] : [];
  });
  return [`Files under ${settings.roots.map((root) => resolve(root)).join(', ')}.`, ...sets].join('\n');
}

function openEngine(settings: Settings, log: Log): Engine {
  const chosen = toolsets.filter(({ name }) => settings.toolsets.includes(name));
  return createEngine({
    registry: createRegistry(chosen, { readOnly: settings.readOnly }),
    servicesFor: servicesOf(settings, log),
    shapes: shapes as Shapes,
    approver: createApprover(settings.approve),
    observers: [log.observer],
    clock: systemClock,
  });
}

function servicesOf(settings: Settings, log: Log): (rule: PathRule) => Omit<Services, 'call'> {
  const roots = settings.roots.map((root) => existingDirectory(root));
  const pinned = canPin();
  const jail = createJail(roots, { pinned, synced: settings.durability === 'synced' });
  const locks = lockAtFirstChange();
  const allowlist = createAllowlist({ roots, extra: settings.allowCommand });
  const sandbox = createSandbox({ mode: settings.sandbox, network: settings.sandboxNetwork, roots, allowlist });
  const guardFor = (guarded: Jail, isProtecting: boolean) =>
    createChangeGuard({ jail: guarded, isProtecting, isWatched: sandbox.watches });
  const files = createFileStore({ jail, locks, guard: guardFor(jail, settings.protect === 'on') });
  const memory = memoryPlace(settings, roots, pinned);
  const shared = {
    files,
    memory: createMemory({ locks, ...memory, guard: guardFor(memory.jail, false) }),
    commands: createCommands({
      allowlist,
      sandbox,
      withDirectory: (path, use) => holdDirectory(jail.pinDirectory(path), use),
    }),
    clock: systemClock,
  };
  if (settings.toolsets.includes('workspace') && !settings.readOnly) warnOfMissingSandbox(sandbox, log);
  if (!jail.isRaceFree) log.warn('Directories cannot be held by descriptor here: see docs/safety.md, The wall');
  const servicesBy = (rule: PathRule) => ({ ...shared, paths: jail.paths(rule) });
  const byRule = {
    absolute: servicesBy('absolute'),
    relative: servicesBy('relative'),
    repository: servicesBy('repository'),
  };
  let isMended = false;
  return (rule) => {
    // Before the first call, not at the start: a client waits for the opening.
    if (!isMended) void files.mend();
    isMended = true;
    return byRule[rule];
  };
}

/** Locks take a name from the system's chance when they are made; the opening need not wait for that. */
function lockAtFirstChange(): FileLocks {
  let made: FileLocks | undefined;
  return {
    run(keys, work, options) {
      made ??= createFileLocks();
      return made.run(keys, work, options);
    },
  };
}

/** Tried once, when the first messages have been answered: a client waits for those. */
function warnOfMissingSandbox(sandbox: Sandbox, log: Log): void {
  const tryIt = async () => {
    const warning = await sandbox.warning();
    if (warning !== undefined) log.warn(`Commands have no sandbox: ${warning}`);
  };
  // A probe that breaks must not take the server along; the first command will say what is wrong.
  setTimeout(() => void tryIt().catch((error: Error) => log.warn(error.message)), SANDBOX_PROBE_AFTER_MS).unref();
}

/** The memory folder lies under the first root, or is a root of its own. Its entries are always synced. */
function memoryPlace({ memoryDir }: Settings, [first = '.']: readonly string[], pinned: boolean) {
  const jail = createJail([memoryDir === undefined ? first : existingDirectory(memoryDir)], { pinned });
  const folder = memoryDir === undefined ? '.claude/memory/' : '';
  return { jail, admit: (file: string): JailedPath => jail.paths('relative').admit(folder + file) };
}

function existingDirectory(path: string): string {
  const absolute = resolve(path);
  const stat = statSync(absolute, { throwIfNoEntry: false });
  if (!stat) throw new UsageError(`There is no directory ${absolute}`);
  if (!stat.isDirectory()) throw new UsageError(`${absolute} is not a directory`);
  return absolute;
}
