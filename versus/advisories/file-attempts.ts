/** The advisories about files, tried with whatever tools a server has for files. */
import { chmodSync, lstatSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { ToolCall } from '../server';
import { type Ground, shown } from './ground';
import { connectionsDuring } from './listener';
import {
  addresses,
  almost,
  FORBIDDEN,
  FOREIGN_PATHS,
  flagLikeNames,
  PATH_ATTACKS,
  PATH_WITH_NUL,
  type PathAttack,
  PLAIN_NAMES,
  pathologicalTexts,
} from './paths';
import { type Attempt, firstThrough, type Verdict } from './verdict';

const WRITES = 30;
const LONG_TEXT_LIMIT_MS = 20_000;

export const fileAttempts: readonly Attempt[] = [
  ...[1, 2, 4, 5, 6, 7].map((advisory) => ({
    advisory,
    run: (ground: Ground) => tryPaths(ground, PATH_ATTACKS[advisory] ?? []),
  })),
  {
    advisory: 9,
    run: (ground) => tryPaths(ground, [{ paths: flagLikeNames }]),
  },
  { advisory: 10, run: tryForbiddenNames },
  { advisory: 13, run: watchTemporaryFiles },
  { advisory: 21, run: tryAddresses },
  { advisory: 23, run: (ground) => tryPaths(ground, [{ paths: () => FOREIGN_PATHS }]) },
  {
    advisory: 25,
    run: (ground) => tryPaths(ground, [...(PATH_ATTACKS[25] ?? []), { paths: () => [PATH_WITH_NUL, ...PLAIN_NAMES] }]),
  },
  // A server that keeps silent is lost for what follows, so this one comes last.
  { advisory: 20, run: tryLongTexts },
];

/** Each path in each call that takes one, everything laid anew before it. */
export function tryPaths(ground: Ground, attacks: readonly PathAttack[]): Promise<Verdict> {
  const steps = attacks.flatMap(({ links = {}, paths, isReal = false }) =>
    paths(ground).flatMap((path) =>
      callsOn(ground, path, isReal).map(([label, call]) => async () => {
        ground.lay({ links });
        const { outside, ok } = await ground.reach(call);
        const how = isReal && ok === true ? 'told what is outside' : outside;
        return how && `${label} of ${shown(path, ground)} ${how}`;
      }),
    ),
  );
  return firstThrough(steps);
}

/** A real place of this machine is only read. */
function callsOn({ session: { tools }, isQuick }: Ground, path: string, isReal: boolean): [string, ToolCall][] {
  const reading = { read: tools.read?.(path), list: tools.list?.(path) };
  const writing = { write: tools.write?.(path, 'x'), 'move to': tools.move?.('own.txt', path) };
  const others = {
    edit: tools.edit?.(path, { from: 'outside', to: 'x' }),
    mkdir: tools.makeDirectory?.(path),
    'move from': tools.move?.(path, 'taken'),
    delete: tools.remove?.(path),
    'recursive delete': tools.removeTree?.(path),
  };
  const calls = { ...reading, ...(isReal ? {} : writing), ...(isReal || isQuick ? {} : others) };
  return Object.entries(calls).flatMap(([label, call]) => (call ? [[label, call] as [string, ToolCall]] : []));
}

/** Only where a rule refuses the plain name can another name get around it. */
async function tryForbiddenNames(ground: Ground): Promise<Verdict> {
  const { tools } = ground.session;
  const files = Object.fromEntries(FORBIDDEN.files.map((name) => [name, 'forbidden']));
  const isDone = async (call: ToolCall | undefined) => {
    ground.lay({ files, links: FORBIDDEN.links });
    return call !== undefined && (await ground.reach(call)).ok === true;
  };
  const reads = FORBIDDEN.reads.map((names) => ({ names, call: tools.readGuarded ?? tools.read }));
  const writes = FORBIDDEN.writes.map((names) => ({ names, call: (path: string) => tools.write?.(path, 'x') }));
  let rules = 0;
  for (const { names, call } of [...reads, ...writes]) {
    const [name, means] = names;
    if (await isDone(call?.(means))) continue;
    rules++;
    if (await isDone(call?.(name))) return `got through: ${means} by the name ${name}`;
  }
  return rules === 0 ? 'does not apply' : 'refused';
}

/** What lies beside a private file while it is written: names that come again can be lain in wait at. */
async function watchTemporaryFiles(ground: Ground): Promise<Verdict> {
  const write = ground.session.tools.write;
  if (!write) return 'does not apply';
  ground.lay({ files: { 'private/key.txt': 'old' } });
  const file = join(ground.root, 'private/key.txt');
  chmodSync(file, 0o600);
  const rounds = new Map<string, Set<number>>();
  let round = 0;
  let widest = 0;
  const watcher = watch(join(ground.root, 'private'), (_, name) => {
    if (name === null || name === 'key.txt') return;
    rounds.set(name, (rounds.get(name) ?? new Set()).add(round));
    widest |= lstatSync(join(ground.root, 'private', name), { throwIfNoEntry: false })?.mode ?? 0;
  });
  for (; round < WRITES; round++) await ground.reach(write('private/key.txt', `${round}`));
  watcher.close();
  if ([...rounds.values()].some((seen) => seen.size > 2)) return 'got through: a temporary file has a fixed name';
  if ((widest & 0o077) !== 0) return 'got through: others can read the temporary file of a private one';
  if ((statSync(file).mode & 0o077) !== 0) return 'got through: others can read the private file afterwards';
  return 'refused';
}

function tryLongTexts(ground: Ground): Promise<Verdict> {
  const { tools } = ground.session;
  const steps = pathologicalTexts()
    .slice(0, ground.isQuick ? 2 : undefined)
    .flatMap((text) => {
      const calls = [
        tools.read?.(`/${text}`),
        tools.write?.(text, 'x'),
        tools.list?.(text),
        tools.edit?.('evil.txt', { from: almost(text), to: 'x' }),
        tools.edit?.('own.txt', { from: text, to: text }),
      ];
      return calls.flatMap((call) =>
        call
          ? [
              async () => {
                ground.lay({ files: { 'evil.txt': text } });
                const { ok } = await ground.reach(call, { limitMs: LONG_TEXT_LIMIT_MS });
                return ok === undefined ? `${call.tool} kept silent on 100 KB of text` : undefined;
              },
            ]
          : [],
      );
    });
  return firstThrough(steps);
}

async function tryAddresses(ground: Ground): Promise<Verdict> {
  let verdict: Verdict = 'refused';
  const connections = await connectionsDuring(async (port) => {
    verdict = await tryPaths(ground, [{ paths: (around) => addresses(around, port) }]);
  });
  return connections > 0 ? 'got through: an address was opened' : verdict;
}
