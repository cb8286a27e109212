/** How long the heaviest calls keep the event loop. */
import { OFFICIAL, OURS } from '../contestants';
import type { Block } from '../loop-blocks';
import type { Watched } from '../probed-session';
import { figure, table } from './numbers';

export const MAX_BLOCK_MS = 50;

export function blocksTable(blocks: readonly Block[]): string {
  const head = [
    'call',
    'whole call, ms',
    'longest block (worst of three), ms',
    'meanwhile, a process that does nothing, ms',
    'slowest ping, ms',
    `≤ ${MAX_BLOCK_MS} ms`,
    OFFICIAL,
  ];
  return table(
    head,
    blocks.map((block) => {
      const ours = block.by[OURS];
      const cells = isFigure(ours)
        ? [figure(ours.ms), ...blockOf(ours), figure(ours.pingMs)]
        : [ours ?? '–', '–', '–', '–'];
      return [block.what, ...cells, isShort(block) ? 'yes' : '**no**', theirs(block.by[OFFICIAL])];
    }),
  );
}

/** By the worst of the rounds. */
export function isShort({ by }: Block): boolean {
  const ours = by[OURS];
  return isFigure(ours) && (ours.worst ?? ours).blockMs <= MAX_BLOCK_MS;
}

export function told({ what, by: { [OURS]: ours } }: Block): string {
  if (!isFigure(ours)) return what;
  const { blockMs, besideMs } = ours.worst ?? ours;
  return `${what} (${figure(blockMs)} ms, and a process that does nothing ${figure(besideMs)} ms)`;
}

function blockOf({ blockMs, besideMs, worst }: Watched): string[] {
  const both = (one: number, atWorst: number | undefined) =>
    atWorst === undefined ? figure(one) : `${figure(one)} (${figure(atWorst)})`;
  return [both(blockMs, worst?.blockMs), both(besideMs, worst?.besideMs)];
}

function theirs(watched: Watched | string | undefined): string {
  if (watched === undefined) return 'no tool';
  return isFigure(watched) ? `${figure(watched.blockMs)} of ${figure(watched.ms)}` : watched;
}

function isFigure(watched: Watched | string | undefined): watched is Watched {
  return typeof watched === 'object';
}
