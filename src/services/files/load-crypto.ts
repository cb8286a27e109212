/**
 * node:crypto names locks and temporary files. To load it takes as long as a large edit, and reads do without; so it is
 * loaded with the first change, in a round of the loop of its own.
 */
import { randomUUID } from 'node:crypto';
import { ownTurn, yieldToLoop } from '../../text/yield-to-loop';

let loading: Promise<void> | undefined;
let isLoaded = false;

/** Undefined where it is there: then nobody has to wait. Who does goes on in the order in which they came, in turns. */
export function loadCrypto(): Promise<void> | undefined {
  if (isLoaded) return undefined;
  loading ??= load();
  return loading.then(yieldToLoop);
}

async function load(): Promise<void> {
  await ownTurn();
  randomUUID();
  await yieldToLoop();
  isLoaded = true;
}
