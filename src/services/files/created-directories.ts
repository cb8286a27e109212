/** Directories that a call made on its way: kept when it succeeds, removed again when it fails. */
import { mkdirSync, rmdirSync } from 'node:fs';
import { isTurnLong, yieldToLoop } from '../../text/yield-to-loop';
import type { Anchor } from './anchor';
import { errnoOf } from './errno';
import { syncDirectoryAside } from './sync';

export interface CreatedDirectories {
  /** Creates the directory `name` and enters it; one that somebody else just made is as good. */
  create(parent: Anchor, name: string): Anchor;
  /** Whether it is the last that was created: nothing is in it yet. */
  isNew(directory: Anchor): boolean;
  /** Brings them to disk; undefined where there is none, as mostly. */
  sync(): Promise<void> | undefined;
  settle(outcome: 'done' | 'failed'): void;
}

export function createdDirectories(): CreatedDirectories {
  const made: { parent: Anchor; name: string }[] = [];
  let newest: Anchor | undefined;
  return {
    create(parent, name) {
      if (!makeUnlessThere(parent, name)) return parent.enter(name);
      made.push({ parent: parent.share(), name });
      newest = parent.enter(name);
      return newest;
    },
    isNew: (directory) => directory === newest,
    sync: () => (made.length === 0 ? undefined : syncAll(made.map(({ parent }) => parent))),
    settle(outcome) {
      if (made.length === 0) return;
      for (const { parent, name } of made.splice(0).reverse()) {
        if (outcome === 'failed') removeIfEmpty(parent, name);
        parent.close();
      }
    },
  };
}

async function syncAll(parents: readonly Anchor[]): Promise<void> {
  for (const parent of parents) {
    await syncDirectoryAside(parent);
    if (isTurnLong()) await yieldToLoop();
  }
}

function makeUnlessThere(parent: Anchor, name: string): boolean {
  try {
    mkdirSync(parent.at(name));
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') return false;
    throw thrown;
  }
  return true;
}

/** Somebody may have put something into it meanwhile: then it stays. */
function removeIfEmpty(parent: Anchor, name: string): void {
  try {
    rmdirSync(parent.at(name));
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
  }
}
