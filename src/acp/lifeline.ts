/**
 * Ties a session to its thread while Codex comes and goes. A thread that was lost is taken up when it is next needed,
 * not at once: a Codex that dies of the thread would otherwise be started again without end.
 */
export interface LifelineParts {
  readonly threadId: string;
  /** Takes the thread up in the Codex of now; gives its id. */
  readonly takeUp: () => Promise<string>;
}

export interface Lifeline {
  readonly threadId: string;
  /** Codex has gone. False where that was known already. */
  cut(): boolean;
  /** Resolves when Codex has the thread; each call after a failure tries anew. */
  ready(): Promise<void>;
}

export function createLifeline({ threadId, takeUp }: LifelineParts): Lifeline {
  let current = threadId;
  let isCut = false;
  let takingUp: Promise<void> | undefined;

  async function begin(): Promise<void> {
    try {
      current = await takeUp();
      isCut = false;
    } finally {
      takingUp = undefined;
    }
  }

  return {
    get threadId() {
      return current;
    },
    cut() {
      const isNews = !isCut;
      isCut = true;
      return isNews;
    },
    async ready() {
      if (!isCut) return;
      takingUp ??= begin();
      await takingUp;
    },
  };
}
