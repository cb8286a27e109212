/**
 * Long work lets the others of the process have their turn: other calls, a cancellation, the lock's waiting room. All
 * that is long shares one turn of the loop: of many calls at once, each would otherwise take a whole turn's time, one
 * after the other, before anybody else is heard. Who has waited longest goes on first.
 */
export function yieldToLoop(): Promise<void> {
  return new Promise((resolve) => {
    turns.waiting.push(resolve);
    setImmediate(letOneGo);
  });
}

function letOneGo(): void {
  if (isTurnLong()) setImmediate(letOneGo);
  else turns.waiting.shift()?.();
}

interface Turns {
  /** When something long began in this turn of the loop. */
  began: number | undefined;
  /** Oldest first. */
  readonly waiting: (() => void)[];
}

/** The doors and the engine are bundled apart, and have one loop. */
const TURNS = Symbol.for('tenon.turns');
const shared = globalThis as { [TURNS]?: Turns };
shared[TURNS] ??= { began: undefined, waiting: [] };
const turns = shared[TURNS];

const MAX_TURN_MS = 8;

/** Whether the loop has been held long enough. Ask between small steps; then `await yieldToLoop()`. */
export function isTurnLong(): boolean {
  const now = performance.now();
  if (turns.began === undefined) {
    turns.began = now;
    // Comes before whoever is let go in the next turn.
    setImmediate(endTurn);
  }
  return now - turns.began > MAX_TURN_MS;
}

function endTurn(): void {
  turns.began = undefined;
}

/**
 * Before something that takes long in one go. Whoever yields while the loop hands out what has come goes on in the same
 * round, before anybody else: only the next round is a fresh one.
 */
export async function nextRound(): Promise<void> {
  await yieldToLoop();
  await yieldToLoop();
}

/** Whether to go through the text or the bytes takes a while, so that others should have their turn before or after. */
export function isLarge({ length }: { readonly length: number }): boolean {
  return length > LARGE_LENGTH;
}

const LARGE_LENGTH = 2 * 1_048_576;
