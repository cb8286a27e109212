/** The services that the tools use, made from the settings. */
import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { Settings } from '../cli/settings';
import type { Editor } from '../contract/editor';
import type { JailedPath } from '../contract/ports';
import type { PathRule } from '../contract/toolset';
import { systemClock } from '../services/clock';
import { canPin } from '../services/files/anchor';
import type { BufferWatch } from '../services/files/buffer-watch';
import { createChangeGuard } from '../services/files/change-guard';
import { createFileLocks, type FileLocks } from '../services/files/file-lock';
import { createJail, type Jail } from '../services/files/jail';
import { createMemory } from '../services/files/memory';
import { holdDirectory } from '../services/files/pin';
import { createReadAside } from '../services/files/read-aside';
import { createStageAside } from '../services/files/stage-aside';
import { createFileStore, type FileStore } from '../services/files/store';
import type { Log } from '../services/log';
import { createAllowlist } from '../services/processes/allowlist';
import { createCommands } from '../services/processes/commands';
import { createSandbox, type Sandbox } from '../services/processes/sandbox/sandbox';
import { createSpares } from '../services/processes/sandbox/spares';
import { ownTurn } from '../text/yield-to-loop';
import { existingDirectory } from './folders';

/** When the first messages have been answered. */
const LATER_MS = 1000;
/** A call that follows the first messages at once comes before. */
const AHEAD_MS = 200;

export function openHouse(settings: Settings, log: Log, person: { editor?: Editor; watch?: BufferWatch } = {}) {
  const roots = settings.roots.map((root) => existingDirectory(root));
  const pinned = canPin();
  const jail = createJail(roots, { pinned, synced: settings.durability === 'synced' });
  const locks = lockAtFirstChange({ isAhead: !settings.readOnly });
  const allowlist = createAllowlist({ roots, extra: settings.allowCommand });
  const sandbox = createSandbox({
    mode: settings.sandbox,
    network: settings.sandboxNetwork,
    roots,
    allowlist,
    spares: createSpares(),
  });
  const guardFor = (guarded: Jail, isProtecting: boolean) =>
    createChangeGuard({ jail: guarded, isProtecting, isWatched: sandbox.watches });
  const files = createFileStore({
    ...person,
    jail,
    locks,
    guard: guardFor(jail, settings.protect === 'on'),
    stageAside: createStageAside(join(__dirname, 'staging-process.cjs')),
    readAside: createReadAside(join(__dirname, 'reading-thread.cjs')),
  });
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
  const mend = mendOnce(files);
  if (settings.toolsets.includes('workspace') && !settings.readOnly) warnOfMissingSandbox(sandbox, log);
  if (!jail.isRaceFree) log.warn('Directories cannot be held by descriptor here: see docs/safety.md, The wall');
  const servicesBy = (rule: PathRule) => ({ ...shared, paths: jail.paths(rule) });
  const byRule = {
    absolute: servicesBy('absolute'),
    relative: servicesBy('relative'),
    repository: servicesBy('repository'),
  };
  const servicesFor = (rule: PathRule) => {
    mend();
    return byRule[rule];
  };
  return { jail, servicesFor, sandbox };
}

/** What a killed process left is removed soon, at the latest before the first call; a client waits for the opening. */
function mendOnce(files: FileStore): () => void {
  let isMended = false;
  const mend = () => {
    if (!isMended) void files.mend();
    isMended = true;
  };
  setTimeout(mend, LATER_MS).unref();
  return mend;
}

/**
 * Locks are made when the first change comes, or a little before, while the client thinks: what they need of Node takes
 * 25 ms to load (they listen, and whatever listens loads `cluster`). A part at a time: others have their turn between.
 */
function lockAtFirstChange({ isAhead }: { isAhead: boolean }): FileLocks {
  let made: FileLocks | undefined;
  let making: Promise<FileLocks> | undefined;
  const make = async () => {
    for (const load of [() => randomUUID(), () => isIP(''), () => cluster.isPrimary]) {
      await ownTurn();
      load();
    }
    made = createFileLocks();
    return made;
  };
  const ready = () => {
    making ??= make();
    return making;
  };
  if (isAhead) setTimeout(ready, AHEAD_MS).unref();
  return {
    async run(keys, work, options) {
      return (made ?? (await ready())).run(keys, work, options);
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
  setTimeout(() => void tryIt().catch((error: Error) => log.warn(error.message)), LATER_MS).unref();
}

/** The memory folder lies under the first root, or is a root of its own. Its entries are always synced. */
function memoryPlace({ memoryDir }: Settings, [first = '.']: readonly string[], pinned: boolean) {
  const jail = createJail([memoryDir === undefined ? first : existingDirectory(memoryDir)], { pinned });
  const folder = memoryDir === undefined ? '.claude/memory/' : '';
  return { jail, admit: (file: string): JailedPath => jail.paths('relative').admit(folder + file) };
}
