/** The only file that knows everybody: makes the services, the engine and the doors from the settings. */

import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AgentParts } from './acp/agent';
import type { AppServer } from './acp/codex/app-server';
import type { CodexHandlers } from './acp/codex/connection';
import { type Endpoint, type Workshop, WorkshopError } from './acp/workshop';
import type { Doors } from './cli/doors';
import { printHttpBanner } from './cli/http-banner';
import { listenProblem, tokenFor, untilSignalled } from './cli/http-start';
import type { Settings } from './cli/settings';
import { UsageError } from './cli/usage-error';
import type { Editor } from './contract/editor';
import type { JailedPath } from './contract/ports';
import { createEngine, type Engine } from './engine/dispatch';
import { createRegistry } from './engine/registry';
import { createApprover } from './services/approvals';
import { systemClock } from './services/clock';
import { canPin } from './services/files/anchor';
import { type BufferWatch, createBufferWatch } from './services/files/buffer-watch';
import { createChangeGuard } from './services/files/change-guard';
import { createFileLocks } from './services/files/file-lock';
import { createJail, type Jail } from './services/files/jail';
import { createMemory } from './services/files/memory';
import { noteFiles } from './services/files/note-files';
import { rehearseFiles } from './services/files/rehearsal';
import { createFileStore } from './services/files/store';
import { holdDirectory } from './services/files/walk';
import { createLog, type Log } from './services/log';
import { createAllowlist } from './services/processes/allowlist';
import { createCommands } from './services/processes/commands';
import { createSandbox, type Sandbox } from './services/processes/sandbox/sandbox';
import listing from './tools/listing.generated.json';
import { toolsets } from './tools/toolsets';

declare const TENON_VERSION: string;

const SANDBOX_PROBE_AFTER_MS = 1000;

export const doors: Doors = {
  version: TENON_VERSION,
  openEngine: (settings) => openEngine(settings, createLog({ level: 'error', file: settings.logFile })),
  async serveStdio(settings) {
    const log = createLog({ level: settings.logLevel, file: settings.logFile });
    const engine = openEngine(settings, log);
    const { serveOverStdio } = await import('./mcp/stdio');
    const factory = await serverFactory(engine, settings);
    await Promise.race([serveOverStdio(factory, (error) => log.warn(error.message)), untilSignalled()]);
    // Closes the connection after a signal too: what is running is cancelled, and the process can end.
    process.stdin.destroy();
    return 0;
  },
  async serveHttp(settings, address) {
    const token = tokenFor(settings, address);
    const log = createLog({ level: settings.logLevel, file: settings.logFile });
    const engine = openEngine(settings, log);
    const { openHttp } = await import('./mcp/http');
    const onerror = (error: Error) => log.warn(error.message);
    const door = await openHttp({ ...address, factory: await serverFactory(engine, settings), token, onerror }).catch(
      (error: unknown) => {
        throw listenProblem(error, address);
      },
    );
    // Before the banner: whoever reads it may send a signal at once.
    const signalled = untilSignalled();
    const served = { version: TENON_VERSION, host: address.host, port: door.port, token };
    printHttpBanner({ ...served, toolCount: engine.registry.names.length }, settings);
    await signalled;
    await door.close();
    return 0;
  },
  async serveAcp(settings) {
    const log = createLog({ level: settings.logLevel, file: settings.logFile });
    const { serveAcp } = await import('./acp/agent');
    const agent = serveAcp(agentParts(settings, log));
    await Promise.race([agent.ended, untilSignalled()]);
    await agent.stop();
    return 0;
  },
};

/** What the agent of an editor needs of the house. */
function agentParts(settings: Settings, log: Log): AgentParts {
  const { mode, codexTools: tools, acpEvents: events } = settings;
  return {
    version: TENON_VERSION,
    mode,
    tools,
    events,
    onProblem: (message) => log.warn(message),
    openWorkshop: (folders, editor) => openWorkshop({ ...settings, roots: folders.map(servedFolder) }, log, editor),
    startCodex: (handlers) => startCodex(handlers, tools),
  };
}

async function startCodex(handlers: CodexHandlers, tools: Settings['codexTools']): Promise<AppServer> {
  const { findCodex, originatorFor, startAppServer } = await import('./acp/agent');
  return startAppServer({
    command: findCodex(process.env, [process.cwd(), __dirname]),
    environment: process.env,
    name: originatorFor(tools),
    version: TENON_VERSION,
    handlers,
  });
}

async function serverFactory(engine: Engine, settings: Settings) {
  const [{ createServerFactory }, { createApprovalDesk }] = await Promise.all([
    import('./mcp/server'),
    import('./mcp/approval'),
  ]);
  const served = new Set(engine.registry.names);
  return createServerFactory({
    engine,
    tools: listing.filter(({ name }) => served.has(name)),
    instructions: instructionsFor(settings, served),
    version: TENON_VERSION,
    toolErrors: settings.toolErrors,
    desk: createApprovalDesk(),
  });
}

function instructionsFor(settings: Settings, served: ReadonlySet<string>): string {
  const sets = toolsets.flatMap((set) => {
    const names = set.tools.map(({ contract }) => contract.name).filter((name) => served.has(name));
    return names.length > 0 ? [`- ${set.name} (${names.join(', ')}): ${set.instructions}`] : [];
  });
  return [`Files under ${settings.roots.map((root) => resolve(root)).join(', ')}.`, ...sets].join('\n');
}

function openEngine(settings: Settings, log: Log): Engine {
  const { jail, shared } = openHouse(settings, log);
  return createEngine({
    ...engineParts(settings, log),
    servicesFor: (rule) => ({ ...shared, paths: jail.paths(rule) }),
  });
}

function engineParts(settings: Settings, log: Log) {
  const chosen = toolsets.filter(({ name }) => settings.toolsets.includes(name));
  return {
    registry: createRegistry(chosen, { readOnly: settings.readOnly }),
    approver: createApprover(settings.approve),
    observers: [log.observer],
    clock: systemClock,
  };
}

/** The tools of one editor's session: its folders are the roots, its buffers come before the disk. */
function openWorkshop(settings: Settings, log: Log, editor: Editor): Workshop {
  const watch = createBufferWatch();
  const { jail, shared, sandbox } = openHouse(settings, log, { editor, watch });
  const placeOf = (path: JailedPath) => jail.written(path).real;
  const engine = createEngine({
    ...engineParts(settings, log),
    servicesFor: (rule, { notes }) => ({
      ...shared,
      files: notes ? noteFiles(shared.files, notes, placeOf) : shared.files,
      paths: jail.paths(rule),
    }),
    rehearsalFor(rule) {
      const { files, diffs } = rehearseFiles(shared.files, placeOf);
      return { services: { ...shared, files, paths: jail.paths(rule) }, diffs };
    },
  });
  const served = new Set(engine.registry.names);
  return {
    engine,
    tools: listing.filter(({ name }) => served.has(name)),
    instructions: instructionsFor(settings, served),
    isConfined: async () => (await sandbox.warning()) === undefined && settings.sandbox !== 'off',
    commandRan: watch.commandRan,
    openEndpoint: (endpointEngine) => openEndpoint(endpointEngine, settings, log),
  };
}

/** For Codex alone: on loopback, at a free port, with a token that only it is told. */
async function openEndpoint(engine: Engine, settings: Settings, log: Log): Promise<Endpoint> {
  const { openHttp } = await import('./mcp/http');
  const [host, token] = ['127.0.0.1', randomBytes(32).toString('base64url')];
  const onerror = (error: Error) => log.warn(error.message);
  const door = await openHttp({ host, port: 0, factory: await serverFactory(engine, settings), token, onerror });
  return { url: `http://${host}:${door.port}/mcp`, token, close: () => door.close() };
}

function openHouse(settings: Settings, log: Log, person: { editor?: Editor; watch?: BufferWatch } = {}) {
  const roots = settings.roots.map((root) => existingDirectory(root));
  const pinned = canPin();
  const jail = createJail(roots, { pinned, synced: settings.durability === 'synced' });
  const locks = createFileLocks();
  const allowlist = createAllowlist({ roots, extra: settings.allowCommand });
  const sandbox = createSandbox({ mode: settings.sandbox, network: settings.sandboxNetwork, roots, allowlist });
  const guardFor = (guarded: Jail, isProtecting: boolean) =>
    createChangeGuard({ jail: guarded, isProtecting, isWatched: sandbox.watches });
  const files = createFileStore({ ...person, jail, locks, guard: guardFor(jail, settings.protect === 'on') });
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
  setImmediate(() => void files.mend());
  if (settings.toolsets.includes('workspace') && !settings.readOnly) warnOfMissingSandbox(sandbox, log);
  if (!jail.isRaceFree) log.warn('Directories cannot be held by descriptor here: see docs/safety.md, The wall');
  return { jail, shared, sandbox };
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

function servedFolder(path: string): string {
  try {
    return existingDirectory(path);
  } catch (thrown) {
    throw thrown instanceof UsageError ? new WorkshopError(thrown.message) : thrown;
  }
}

function existingDirectory(path: string): string {
  const absolute = resolve(path);
  const stat = statSync(absolute, { throwIfNoEntry: false });
  if (!stat) throw new UsageError(`There is no directory ${absolute}`);
  if (!stat.isDirectory()) throw new UsageError(`${absolute} is not a directory`);
  return absolute;
}
