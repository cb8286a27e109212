import type { CallContext } from '../../contract/ports';

/** A call under way. Its signal is made when somebody asks for it: most calls never do. */
export class RunningCall implements CallContext {
  readonly progress: CallContext['progress'];
  isCancelled = false;
  #controller: AbortController | undefined;

  constructor(progress: CallContext['progress']) {
    this.progress = progress;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.isCancelled) this.#controller.abort();
    return this.#controller.signal;
  }

  cancel(): void {
    this.isCancelled = true;
    this.#controller?.abort();
  }
}
