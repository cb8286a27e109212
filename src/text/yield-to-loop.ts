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

/**
 * Before something that takes long in one go: it gets a turn of its own, in which nothing else that is long has been
 * done or will be. Whoever waits for a common turn has one in between.
 */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    turns.alone.push(resolve);
    isTurnLong();
  });
}

interface Turns {
  /** When something long began in this turn of the loop. */
  began: number | undefined;
  /** Who shares turns with others, oldest first. */
  readonly waiting: (() => void)[];
  /** Who wants a turn alone, oldest first. */
  readonly alone: (() => void)[];
  wasAlone: boolean;
}

/** The doors and the engine are bundled apart, and have one loop. */
const TURNS = Symbol.for('tenon.turns');
const shared = globalThis as { [TURNS]?: Turns };
shared[TURNS] ??= { began: undefined, waiting: [], alone: [], wasAlone: false };
const turns = shared[TURNS];

const MAX_TURN_MS = 8;

/** Whether the loop has been held long enough. Ask between small steps; then `await yieldToLoop()`. */
export function isTurnLong(): boolean {
  const now = performance.now();
  turns.began ??= beginTurn(now);
  return now - turns.began > MAX_TURN_MS;
}

function beginTurn(at: number): number {
  setImmediate(lastRound);
  return at;
}

/**
 * What comes in and what was put off have their time one after the other, in one round of the loop: a turn that began
 * with the first ends only after the second, in the next round. Comes before whoever is let go there.
 */
function lastRound(): void {
  setImmediate(endTurn);
}

function endTurn(): void {
  turns.wasAlone = turns.alone.length > 0 && !(turns.wasAlone && turns.waiting.length > 0);
  const next = turns.wasAlone ? turns.alone.shift() : undefined;
  turns.began = next ? beginTurn(Number.NEGATIVE_INFINITY) : undefined;
  next?.();
  // Whoever wants a turn alone waits for the end of one.
  if (turns.alone.length > 0) turns.began ??= beginTurn(performance.now());
}

/** Whether to go through the text or the bytes takes a while, so that others should have their turn before or after. */
export function isLarge({ length }: { readonly length: number }): boolean {
  return length > LARGE_LENGTH;
}

const LARGE_LENGTH = 2 * 1_048_576;
