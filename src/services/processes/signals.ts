import type { Steps } from '../../text/steps';

/** In steps: whoever is signalled may well run before we go on. */
export function* signalAll(targets: readonly number[], name: NodeJS.Signals): Steps<void> {
  for (const target of targets) {
    signal(target, name);
    yield;
  }
}

/** Whether there was somebody to signal. Targets are those of kill(2): a negative one is a group. */
export function signal(target: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, name);
  } catch {
    return false;
  }
}
