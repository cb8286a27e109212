/** One turn of a session: from the person's prompt to the end that Codex tells, or that befalls it. */
export type TurnEnd =
  | { readonly kind: 'completed' }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly message: string; readonly info: string }
  | { readonly kind: 'lost'; readonly why: string };

export interface Turn {
  /** Aborted when the person cancels, and at the end. */
  readonly signal: AbortSignal;
  readonly ended: Promise<TurnEnd>;
  /** Known as soon as Codex tells it; the last name holds, since a review is announced under another one. */
  id(): Promise<string>;
  /** Whether Codex has heard of it: before that, it cannot have done anything for it. */
  readonly isKnown: boolean;
  readonly isCancelled: boolean;
  /** Resolves when the person cancels. */
  readonly cancelled: Promise<void>;
  named(id: string): void;
  cancel(): void;
  end(how: TurnEnd): void;
}

export function beginTurn(): Turn {
  const abort = new AbortController();
  const [ended, end] = later<TurnEnd>();
  const [firstName, name] = later<string>();
  const [cancelled, tellCancelled] = later<void>();
  let lastName: string | undefined;
  let isCancelled = false;
  return {
    signal: abort.signal,
    ended,
    id: async () => lastName ?? firstName,
    get isKnown() {
      return lastName !== undefined;
    },
    get isCancelled() {
      return isCancelled;
    },
    cancelled,
    named(id) {
      lastName = id;
      name(id);
    },
    cancel() {
      isCancelled = true;
      tellCancelled();
      abort.abort(new Error('The user cancelled the turn'));
    },
    end(how) {
      end(how);
      abort.abort(new Error('The turn is over'));
    },
  };
}

function later<T>(): [Promise<T>, (value: T) => void] {
  let settle: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return [promise, settle];
}
