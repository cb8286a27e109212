/** One served folder, home and outside for all scripts, laid anew for each: starting a server for each would be slow. */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { furnish, type Listeners, leftAlive, openListeners, type Place, SECRET } from '../test/long/sandbox-place';
import { makeFolder } from './places';
import type { LaunchOptions, Server, Session } from './server';
import { openSession } from './session';

export interface SandboxGround {
  readonly session: Session;
  readonly listeners: Listeners;
  lay(): Place;
  /** Takes away what a script left, programs included, and tells whether it used the leaked descriptor. */
  clear(place: Place): void;
  /** Notes the use of the descriptor that was left open where the scripts' own judges look for it. */
  noteLeak(place: Place): void;
}

export async function withSandboxGround(
  server: Server,
  options: LaunchOptions,
  work: (ground: SandboxGround) => Promise<void>,
): Promise<void> {
  const folder = makeFolder({ inMemory: false });
  const [root, home, outside, leak] = ['workspace', 'home', 'outside', 'leak'].map((name) => folder.at(name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const path of [root, home, outside]) mkdirSync(path);
  const leaked = openSync(leak, 'w');
  const listeners = await openListeners(folder.path);
  const session = await openSession(server, { root, home, env: { SERVER_TOKEN: SECRET }, leaked, ...options });
  try {
    await work({
      session,
      listeners,
      lay() {
        for (const path of [root, outside]) empty(path, []);
        empty(home, OWN_FOLDERS);
        return furnish({ root, home, outside, server: session.pid });
      },
      clear(place) {
        place.decoy.kill('SIGKILL');
        for (const pid of leftAlive(place)) if (pid !== session.pid) end(pid);
        rmSync(`/dev/shm/tenon-${session.pid}`, { force: true });
      },
      noteLeak() {
        if (readFileSync(leak, 'utf8') === '') return;
        writeFileSync(join(outside, 'leak-used'), '');
        writeFileSync(leak, '');
      },
    });
  } finally {
    await session.close();
    listeners.close();
    closeSync(leaked);
    folder.remove();
  }
}

/** What a server keeps in the home that it was given. */
const OWN_FOLDERS = ['.claude-server-commander', '.cache'];

/** The folder stays, since a server may hold it; a script may have moved it away, though. */
function empty(path: string, kept: readonly string[]): void {
  mkdirSync(path, { recursive: true });
  for (const name of readdirSync(path))
    if (!kept.includes(name)) rmSync(join(path, name), { recursive: true, force: true });
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}
