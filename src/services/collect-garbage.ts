/** Asks the engine to collect its garbage now: all of it, or the young objects alone. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collector = (options?: { type: 'minor' }) => void;

let collector: Collector | undefined;

export function collectGarbage(which: 'all' | 'young'): void {
  readyCollector()(which === 'young' ? { type: 'minor' } : undefined);
}

/** The first time, a module is loaded and a context is made for it: a few milliseconds. */
export function readyCollector(): Collector {
  if (!collector) {
    setFlagsFromString('--expose-gc');
    collector = runInNewContext('gc') as Collector;
  }
  return collector;
}
