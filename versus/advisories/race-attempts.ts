/** The advisories about a folder that is swapped between check and use. */
import type { Server } from '../server';
import { swapOperations } from '../swap-operations';
import type { Scale } from '../trial';
import { attackThroughDoor } from '../trials/symlink-swap';
import type { Verdict } from './verdict';

const LABELS: Readonly<Record<number, readonly string[]>> = {
  3: ['read', 'write', 'edit'],
  24: ['move', 'delete', 'mkdir', 'write'],
};
const COUNTS = { ours: 2_000, peers: 2_000, quick: 160 };
const LIMIT_MS = { ours: 20_000, peers: 8_000 };

export async function tryRace(server: Server, scale: Scale, advisory: number): Promise<Verdict> {
  const labels = LABELS[advisory]?.slice(0, scale.isQuick ? 2 : undefined) ?? [];
  for (const operation of swapOperations.filter(({ label }) => labels.includes(label))) {
    if (server.tools('/')[operation.needs] === undefined) continue;
    const { escapes, rounds } = await attackThroughDoor(server, operation, {
      rounds: scale.count(COUNTS),
      deadline: () => scale.deadline(LIMIT_MS),
      endsWithEscape: true,
    });
    if (rounds === 0) throw new Error(`${operation.label} was not tried`);
    if (escapes > 0) return `got through: ${operation.label} by a swapped folder`;
  }
  return 'refused';
}
