/** How long the heaviest calls keep the event loop. */
import { OFFICIAL, OURS } from '../contestants';
import type { HeavyResult } from '../loop-blocks';
import type { Watched } from '../probed-session';
import { median } from '../stats';
import type { Block } from '../watched-loop';
import { figure, table } from './numbers';

export const MAX_BLOCK_MS = 50;

export function blocksTable(results: readonly HeavyResult[]): string {
  const head = [
    'call',
    'whole call, ms',
    'longest block (worst of three), ms',
    'of the worst: computing + waiting for a processor, ms',
    'meanwhile, a process that does nothing, ms',
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

/** By the worst of the rounds. */
export function isShort({ by }: HeavyResult): boolean {
  const ours = by[OURS];
  return isMeasured(ours) && worstOf(ours).block.ms <= MAX_BLOCK_MS;
}

export function told({ what, by: { [OURS]: ours } }: HeavyResult): string {
  if (!isMeasured(ours)) return what;
  const { block, besideMs } = worstOf(ours);
  return `${what} (${figure(block.ms)} ms, of them ${partsOf(block)} computing and waiting for a processor; a process that does nothing ${figure(besideMs)} ms)`;
}

function ourCells(rounds: Rounds): string[] {
  if (!isMeasured(rounds)) return [rounds ?? '–', '–', '–', '–', '–'];
  const worst = worstOf(rounds);
  const middle = (of: (one: Watched) => number) => figure(median(rounds.map(of)));
  return [
    middle(({ ms }) => ms),
    `${middle(({ block }) => block.ms)} (${figure(worst.block.ms)})`,
    partsOf(worst.block),
    `${middle(({ besideMs }) => besideMs)} (${figure(worst.besideMs)})`,
    middle(({ pingMs }) => pingMs),
  ];
}

export function worstOf(rounds: readonly Watched[]): Watched {
  return rounds.reduce((worst, one) => (one.block.ms > worst.block.ms ? one : worst));
}

export function partsOf({ computedMs, queuedMs }: Block): string {
  return computedMs === undefined || queuedMs === undefined ? '–' : `${figure(computedMs)} + ${figure(queuedMs)}`;
}

function theirs(rounds: Rounds): string {
  if (rounds === undefined) return 'no tool';
  if (!isMeasured(rounds)) return rounds;
  const { block, ms } = worstOf(rounds);
  return `${figure(block.ms)} of ${figure(ms)}`;
}

type Rounds = readonly Watched[] | string | undefined;

function isMeasured(rounds: Rounds): rounds is readonly Watched[] {
  return typeof rounds === 'object';
}
