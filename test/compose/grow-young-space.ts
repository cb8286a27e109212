/** A process of its own, since a space once grown stays so: prints how large its space for young objects gets, in MB. */
import { once } from 'node:events';
import { getHeapSpaceStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { limitYoungSpace } from '../../src/compose/young-space';
import type { CallReport } from '../../src/contract/call';

const MB = 1_048_576;
/** Of so many at once, most are still needed when the engine looks through them: that makes the space grow. */
const MANY = 60_000;
const FEW = 60;
/** Longer than it waits from one look to the next. */
const PAUSE_MS = 20;
const observer = limitYoungSpace();

async function settleACall(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  observer.settled?.({} as CallReport);
}

function makeObjects(atOnce: number): void {
  for (let made = 0; made < 60 * MANY; made += atOnce)
    Array.from({ length: atOnce }, (_, at) => ({ at, name: `${at}` }));
}

function youngMegabytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return (space?.space_size ?? 0) / MB;
}

for (let made = 0; youngMegabytes() < 16; made++) Array.from({ length: MANY }, () => [made]);
await settleACall();
makeObjects(MANY);
const alone = youngMegabytes();
// From here to the next look nothing may be a reason to grow: a thread that starts makes the engine collect.
makeObjects(FEW);
await once(new Worker('', { eval: true }), 'exit');
await settleACall();
makeObjects(MANY);
process.stdout.write(JSON.stringify({ alone, afterAnotherThread: youngMegabytes() }));
