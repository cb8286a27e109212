import { setTimeout as sleep } from 'node:timers/promises';
import { ATTACKS, type Attack, programArguments } from '../../test/long/sandbox-attacks';
import { NEWS_MS, SECRET } from '../../test/long/sandbox-place';
import { NoAnswer, RpcError } from '../mcp-client';
import { hasSandbox } from '../sandbox';
import { type SandboxGround, withSandboxGround } from '../sandbox-ground';
import type { Server } from '../server';
import { failures, NO_COMMANDS, notRun, type Scale, type Trial } from '../trial';

const TIMEOUT_MS = 6_000;
/** A program that has outlived its call writes within this time. */
const LATE_MS = 1_800;
/** In a quick run each eighth script. */
const QUICK_STEP = 8;
const ROWS = {
  wrote: 'scripts that try to leave the sandbox: changed what is outside, or what others run',
  connected: 'the same: connected to a service',
  read: 'the same: read a secret',
  rights: 'the same: got rights or saw what is not theirs',
} as const;

export const sandboxEscapes: Trial = {
  name: 'sandbox-escapes',
  isLight: true,
  what: `${ATTACKS.length} shell and Python scripts, run by the server’s own tool for programs, try to write outside the served folder, to plant what other programs would run later, to read keys and tokens of the home folder, to reach sockets, processes and devices, to get more rights. Home, outside, services and processes are decoys. Our server runs all of them with the network off, and with the network on those that are not meant to reach it. Peers run the scripts that touch nothing but decoys.`,
  async run(server, scale) {
    if (!server.run) return Object.fromEntries(Object.values(ROWS).map((row) => [row, NO_COMMANDS]));
    if (server.isOurs && !hasSandbox())
      return Object.fromEntries(Object.values(ROWS).map((row) => [row, notRun('bubblewrap is not installed')]));
    const seen: Seen = { runs: 0, wrote: [], connected: [], read: [], rights: [], silent: [] };
    for (const { network, attacks } of plan(server, scale))
      await withSandboxGround(server, { network, allowed: ['sh', 'git'] }, async (ground) => {
        for (const attack of attacks) await tryOut(server, ground, attack, seen);
      });
    return Object.fromEntries(
      (['wrote', 'connected', 'read', 'rights'] as const).map((effect) => [
        ROWS[effect],
        failures(seen[effect].length, seen.runs, notesOf(seen, effect)),
      ]),
    );
  },
};

interface Seen {
  runs: number;
  readonly wrote: string[];
  readonly connected: string[];
  readonly read: string[];
  readonly rights: string[];
  readonly silent: string[];
}

function plan(server: Server, { isQuick }: Scale): { network: 'on' | 'off'; attacks: readonly Attack[] }[] {
  const pick = (attacks: readonly Attack[]) => attacks.filter((_, at) => !isQuick || at % QUICK_STEP === 0);
  if (!server.isOurs)
    return [
      { network: 'on', attacks: pick(ATTACKS.filter(({ naked, looksAround }) => naked !== 'never' && !looksAround)) },
    ];
  return [
    { network: 'off', attacks: pick(ATTACKS) },
    { network: 'on', attacks: pick(ATTACKS.filter(({ needsNetwork }) => !needsNetwork)) },
  ];
}

async function tryOut(server: Server, ground: SandboxGround, attack: Attack, seen: Seen): Promise<void> {
  const place = ground.lay();
  try {
    const args = programArguments(attack, place, ground.listeners);
    ground.listeners.heard();
    const text = await runScript(server, ground, { command: attack.language, args, cwd: place.root });
    await sleep(attack.name.startsWith('stay') ? LATE_MS : NEWS_MS);
    ground.noteLeak(place);
    const heard = ground.listeners.heard();
    seen.runs++;
    if (text === undefined) seen.silent.push(attack.name);
    if (text?.includes(SECRET)) seen.read.push(attack.name);
    if (text?.includes('ESCAPED')) seen.rights.push(attack.name);
    if (heard.length > 0) seen.connected.push(attack.name);
    else if (attack.reached(place, heard)) seen.wrote.push(attack.name);
  } finally {
    ground.clear(place);
  }
}

/** Everything that was answered; undefined where there was no answer. */
async function runScript(
  server: Server,
  { session }: SandboxGround,
  request: { command: string; args: readonly string[]; cwd: string },
): Promise<string | undefined> {
  try {
    return (await server.run?.(session, { ...request, timeoutMs: TIMEOUT_MS }))?.text;
  } catch (error) {
    if (error instanceof RpcError) return error.message;
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

function notesOf(seen: Seen, effect: keyof typeof ROWS): string[] {
  const names = [...new Set(seen[effect])];
  return [
    ...(names.length > 0 ? [`${ROWS[effect].replace(/^.*: /, '')}: ${names.join(', ')}`] : []),
    ...(seen.silent.length > 0 ? [`no answer: ${seen.silent.join(', ')}`] : []),
  ];
}
