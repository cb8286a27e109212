/** How long the heaviest calls keep the event loop. */
import { OFFICIAL, OURS } from '../contestants';
import type { Block } from '../loop-block';
import type { HeavyResult } from '../loop-blocks';
import type { Watched } from '../probed-session';
import { median } from '../stats';
import { figure, table } from './numbers';

export const MAX_BLOCK_MS = 50;

export function blocksTable(results: readonly HeavyResult[]): string {
  const head = [
    'call',
    'whole call, ms',
    'longest block (worst of three), ms',
    'without the machine’s part, ms',
    'of the worst: computing + waiting for a processor, ms',
    'slowest ping, ms',
    `≤ ${MAX_BLOCK_MS} ms`,
    OFFICIAL,
  ];
  return table(
    head,
    results.map((result) => [
      result.what,
      ...ourCells(result.by[OURS]),
      isShort(result) ? 'yes' : '**no**',
      theirs(result.by[OFFICIAL]),
    ]),
  );
}

/** The machine's part included. */
export function longestOf(results: readonly HeavyResult[]): number {
  const all = results.flatMap(({ by: { [OURS]: ours } }) => (isMeasured(ours) ? ours : []));
  return Math.max(0, ...all.map(({ block }) => block.ms));
}

/** By the worst of the rounds. */
export function isShort({ by }: HeavyResult): boolean {
  const ours = by[OURS];
  return isMeasured(ours) && worstOf(ours).ownMs <= MAX_BLOCK_MS;
}

export function told({ what, by: { [OURS]: ours } }: HeavyResult): string {
  if (!isMeasured(ours)) return what;
  const worst = worstOf(ours);
  return `${what} (${figure(worst.ownMs)} ms; computing + waiting for a processor: ${partsOf(worst)})`;
}

function ourCells(rounds: Rounds): string[] {
  if (!isMeasured(rounds)) return [rounds ?? '–', '–', '–', '–', '–'];
  const worst = worstOf(rounds);
  const middle = (of: (one: Watched) => number) => figure(median(rounds.map(of)));
  return [
    middle(({ ms }) => ms),
    `${middle(({ block }) => block.ms)} (${figure(Math.max(...rounds.map(({ block }) => block.ms)))})`,
    `${middle(({ block }) => block.ownMs)} (${figure(worst.ownMs)})`,
    partsOf(worst),
    middle(({ pingMs }) => pingMs),
  ];
}

function worstOf(rounds: readonly Watched[]): Block {
  return rounds.map(({ block }) => block).reduce((worst, one) => (one.ownMs > worst.ownMs ? one : worst));
}

export function partsOf({ computedMs, queuedMs }: Block): string {
  return computedMs === undefined || queuedMs === undefined ? '–' : `${figure(computedMs)} + ${figure(queuedMs)}`;
}

function theirs(rounds: Rounds): string {
  if (rounds === undefined) return 'no tool';
  if (!isMeasured(rounds)) return rounds;
  return `${figure(worstOf(rounds).ms)} of ${figure(rounds[0]?.ms)}`;
}

type Rounds = readonly Watched[] | string | undefined;

function isMeasured(rounds: Rounds): rounds is readonly Watched[] {
  return typeof rounds === 'object';
}
