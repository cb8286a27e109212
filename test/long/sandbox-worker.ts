/**
 * Runs the attacks or the everyday work as the user it was started as, in the sandbox or without, and prints the
 * results as JSON. Arguments: what, network, `sandboxed`, `waiting` (in a sandbox that was made before) or `naked`, and a
 * folder to work in.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandOutcome, JailedPath } from '../../src/contract/ports';
import { createAllowlist } from '../../src/services/processes/allowlist';
import { createCommands } from '../../src/services/processes/commands';
import { createSandbox } from '../../src/services/processes/sandbox/sandbox';
import { createSpares } from '../../src/services/processes/sandbox/spares';
import { ATTACKS, type Attack, hasSecret, programArguments } from './sandbox-attacks';
import { EVERYDAY, EXPECTED, prepareEveryday } from './sandbox-everyday';
import { type Listeners, leftAlive, makePlace, NEWS_MS, openListeners, type Place } from './sandbox-place';

const [, , what = '', network = 'on', how = 'sandboxed', given = '.'] = process.argv;
const folder = realpathSync(given);
const TIMEOUT_MS = 60_000;
/** A command that has outlived its call writes within this time. */
const LATE_MS = 1800;
/** Where an attack must succeed, its news are waited for this long. */
const SURE_NEWS_MS = 5000;
const ROUNDS = 40;
/** For a sandbox to be made, or to end. */
const MADE_MS = 60;
const MAX_LOOKS = 50;

const tasks: Record<string, () => Promise<unknown[]>> = { attacks: attack, everyday: work, rounds, linger };
const results = (await tasks[what]?.()) ?? [];
process.stdout.write(`${JSON.stringify(results)}\n`, () => process.exit());

async function attack(): Promise<unknown[]> {
  const listeners = await openListeners(folder);
  const rows: unknown[] = [];
  for (const entry of ATTACKS)
    if (how !== 'naked' || entry.naked !== 'never') rows.push(await tryOut(entry, listeners));
  listeners.close();
  return rows;
}

async function tryOut(entry: Attack, listeners: Listeners) {
  const place = makePlace(folder);
  listeners.heard();
  const { outcome, fault } = await run(place, entry.language, programArguments(entry, place, listeners));
  const alive = leftAlive(place).length;
  if (alive > 0 || entry.name.startsWith('stay')) await sleep(LATE_MS);
  // The descriptor 20 of this process is open to the file `leak`.
  if (existsSync(join(folder, 'leak')) && readFileSync(join(folder, 'leak'), 'utf8') !== '') {
    writeFileSync(join(place.outside, 'leak-used'), '');
    writeFileSync(join(folder, 'leak'), '');
  }
  const said = outcome ? outcome.stdout + outcome.stderr : '';
  const left = hasSecret(said) || (await hasReached(entry, place, listeners));
  place.decoy.kill('SIGKILL');
  rmSync(`/dev/shm/tenon-${process.pid}`, { force: true });
  return { name: entry.name, left, alive, fault, said: said.slice(0, 300) };
}

async function hasReached(entry: Attack, place: Place, listeners: Listeners): Promise<boolean> {
  const until = Date.now() + (how === 'naked' && entry.naked === 'leaves' ? SURE_NEWS_MS : NEWS_MS);
  const heard = listeners.heard();
  while (!entry.reached(place, heard) && Date.now() < until) {
    await sleep(10);
    heard.push(...listeners.heard());
  }
  return entry.reached(place, heard);
}

/** Many commands that make protected names as fast as they can; counts what is left of them. */
async function rounds(): Promise<unknown[]> {
  const root = join(folder, 'workspace');
  mkdirSync(root);
  const writers = 'for i in 1 2 3 4; do (while :; do echo {} > .mcp.json; mkdir -p .husky/x; done) & done; sleep 5';
  const rows: unknown[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { fault } = await run({ root, home: folder }, 'sh', ['-c', writers]);
    rows.push({ fault, left: readdirSync(root).length });
  }
  return rows;
}

/** Says that it has begun, and runs for longer than anybody waits. */
async function linger(): Promise<unknown[]> {
  const root = join(folder, 'workspace');
  mkdirSync(root);
  const running = run({ root, home: folder }, 'sh', ['-c', 'echo > begun; setsid sleep 50 & sleep 50']);
  while (!existsSync(join(root, 'begun'))) await sleep(20);
  process.kill(process.pid, 'SIGKILL');
  return [await running];
}

async function work(): Promise<unknown[]> {
  const [root, home] = [join(folder, 'workspace'), join(folder, 'home')];
  prepareEveryday(root);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Person\n\temail = person@example.com\n');
  execFileSync('git', ['init', '-q'], { cwd: root });
  const rows: unknown[] = [];
  for (const { name, command, args, prints, needs } of EVERYDAY) {
    const isSkipped = (needs === 'network' && network === 'off') || (needs === 'pytest' && !hasPytest(root));
    if (isSkipped) continue;
    const { outcome, fault } = await run({ root, home }, command, args);
    const done = outcome?.exitCode === 0 && prints.test(outcome.stdout);
    rows.push({ name, done, ...(done ? {} : { fault, outcome }) });
  }
  const debris = readdirSync(root).filter((name) => !EXPECTED.includes(name));
  return [...rows, { name: 'nothing else is left behind', done: debris.length === 0, debris }];
}

function hasPytest(root: string): boolean {
  try {
    return createAllowlist({ roots: [root] }).resolve('pytest').file !== '';
  } catch {
    return false;
  }
}

async function run(
  place: { root: string; home: string },
  command: string,
  args: readonly string[],
): Promise<{ outcome?: CommandOutcome; fault?: unknown }> {
  const { root, home } = place;
  const server = { ...process.env, HOME: home };
  const allowlist = createAllowlist({ roots: [root], extra: ['sh', 'git'] });
  const mode = how === 'naked' ? 'off' : 'required';
  const spares = createSpares();
  const sandbox = createSandbox({
    ...{ mode, network: network as 'on' | 'off', roots: [root], allowlist, server, home },
    ...(how === 'waiting' ? { spares } : {}),
  });
  const commands = createCommands({
    allowlist,
    sandbox,
    serverEnvironment: server,
    withDirectory: (_path, use) => use({ enter: root, real: root }),
  });
  const request = { command, args, cwd: { shown: '.' } as JailedPath, timeoutMs: TIMEOUT_MS, maxOutputBytes: 65_536 };
  const context = { signal: new AbortController().signal, progress: () => {} };
  try {
    if (how === 'waiting')
      await commands.run({ ...request, command: 'sh', args: ['-c', `sleep ${MADE_MS / 1000}`] }, context);
    return { outcome: await commands.run(request, context) };
  } catch (error) {
    return { fault: error instanceof Error && 'kind' in error ? error.kind : String(error) };
  } finally {
    spares.end();
    // Whatever the attack has left alive is still there after that.
    for (let looks = 0; how === 'waiting' && looks < MAX_LOOKS && leftAlive(place).length > 0; looks++)
      await sleep(MADE_MS);
  }
}
