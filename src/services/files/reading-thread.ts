/** What the other thread does (see `read-aside`): it reads the names in directories, and says which are the first. */
import { parentPort } from 'node:worker_threads';
import { runAtOnce } from '../../text/steps';
import { type FirstEntries, firstEntriesInSteps } from './first-entries';

export interface ReadingOrder {
  /** By which the system reaches the directory. */
  readonly path: string;
  readonly count: number;
  /** The names that were first when it was last read, in order; without them, those of the answer before. */
  readonly likely: readonly string[] | undefined;
}

/** Without names: the first are the likely ones. */
export type ReadingAnswer = Omit<FirstEntries, 'names'> & { readonly names: readonly string[] | undefined };

let former: readonly string[] = [];

parentPort?.on('message', ({ path, count, likely = former }: ReadingOrder) => {
  const { names, ...rest } = runAtOnce(firstEntriesInSteps({ at: () => path }, count, likely));
  former = names;
  parentPort?.postMessage({ names: names === likely ? undefined : names, ...rest } satisfies ReadingAnswer);
});
