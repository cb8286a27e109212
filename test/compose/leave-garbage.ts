/**
 * A process of its own: calls come in long messages, each just after a collection, and in the end something large is
 * dropped. Prints how much is held then, and how much of that is still needed, in MB.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { tidyWhenIdle } from '../../src/compose/tidy-memory';
import type { Call, CallReport } from '../../src/contract/call';

const MB = 1_048_576;
const NEEDED_MB = 10;
const GARBAGE_MB = 16;
const NUMBERS_IN_A_MESSAGE = 1_500_000;
/** The collection comes 0.2 s after a call, and the next look 0.2 s later. */
const JUST_AFTER_MS = 280;
const PATIENCE_MS = 5_000;
const observer = tidyWhenIdle();

async function call(pauseMs: number): Promise<void> {
  observer.began?.({} as Call);
  observer.settled?.({} as CallReport);
  await sleep(pauseMs);
}

async function callInLongMessage(): Promise<void> {
  const message = Array.from({ length: NUMBERS_IN_A_MESSAGE }, (_, at) => at + 0.5);
  await call(0);
  message.length = 0;
  await sleep(JUST_AFTER_MS);
}

const needed = Buffer.alloc(NEEDED_MB * MB, 1);
await call(JUST_AFTER_MS);
for (let message = 0; message < 3; message++) await callInLongMessage();
Buffer.alloc(GARBAGE_MB * MB, 1);
await call(0);
const heldMb = () => Math.round(process.memoryUsage().arrayBuffers / MB);
for (const began = performance.now(); heldMb() > NEEDED_MB && performance.now() - began < PATIENCE_MS; )
  await sleep(50);
process.stdout.write(JSON.stringify({ held: heldMb(), needed: needed.length / MB }));
