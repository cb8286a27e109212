/**
 * Looks at entries of a directory that is held: what each of them is, and how large. Names that are only likely to be
 * wanted can be looked at early. What runs thousands of times is a method: the engine throws away what it compiled for
 * a function when it collects the last one of that kind, as with shapes (see `lastSeen`).
 */
import { lstatSync, type Stats } from 'node:fs';
import type { DirectoryEntry } from '../../contract/ports';
import { isTurnLong, yieldToLoop } from '../../text/yield-to-loop';
import type { Anchor } from './anchor';
import { errnoOf } from './errno';
import type { Kinds } from './first-entries';
import { lastSeen } from './last-seen';
import { standIn } from './stand-in';

/** For fewer names, to go there and back costs more than it saves. */
const WORTH_GOING = 8;
/** So many are looked at before anybody asks what time it is, which takes a twentieth of a look. */
const LOOKS_AT_ONCE = 8;
const IF_THERE = { throwIfNoEntry: false } as const;

export class EntryLooks {
  readonly #directory: Anchor;
  readonly #prefix: string;
  /** Names that were looked at early, in order, and what they were. */
  readonly #names: string[] = [];
  readonly #early: DirectoryEntry[] = [];
  #next = 0;

  /** The paths of the entries are shown with the prefix. */
  constructor(directory: Anchor, prefix: string) {
    this.#directory = directory;
    this.#prefix = prefix;
    lastSeen.looks = this;
  }

  /** What fails is left to whoever wants to know. */
  async lookEarly(names: readonly string[]): Promise<void> {
    try {
      for (let done = 0; done < names.length; ) {
        if (isTurnLong()) await yieldToLoop();
        done = standIn(this.#directory, () => this.#lookEarly(names, done));
      }
    } catch (thrown) {
      if (errnoOf(thrown) === undefined) throw thrown;
    }
  }

  /**
   * Adds the entries of these names, at least one of them, until others have to have their turn; says how many names
   * those were. Of what is no file by its kind, no more has to be known.
   */
  add(names: readonly string[], kinds: Kinds, entries: DirectoryEntry[]): number {
    const add = () => this.#add(names, kinds, entries);
    return names.length < WORTH_GOING ? add() : standIn(this.#directory, add);
  }

  #lookEarly(names: readonly string[], from: number): number {
    let at = from;
    while (at < names.length && (at % LOOKS_AT_ONCE !== 0 || !isTurnLong())) {
      const name = names[at++] as string;
      const entry = this.#look(name);
      if (!entry) continue;
      this.#names.push(name);
      this.#early.push(entry);
    }
    return at;
  }

  #add(names: readonly string[], kinds: Kinds, entries: DirectoryEntry[]): number {
    let done = 0;
    do {
      const name = names[done++] as string;
      const type = kinds.get(name);
      const entry = type ? { path: this.#prefix + name, type } : (this.#takeEarly(name) ?? this.#look(name));
      if (entry) entries.push(entry);
    } while (done < names.length && (done % LOOKS_AT_ONCE !== 0 || !isTurnLong()));
    return done;
  }

  /** They are asked for in order too: those that nobody asked for are gone by now. */
  #takeEarly(name: string): DirectoryEntry | undefined {
    while ((this.#names[this.#next] ?? name) < name) this.#next++;
    return this.#names[this.#next] === name ? this.#early[this.#next] : undefined;
  }

  #look(name: string): DirectoryEntry | undefined {
    const stat = lstatSync(this.#directory.near(name), IF_THERE);
    if (!stat) return undefined;
    const entry = entryOf(stat, this.#prefix + name);
    lastSeen.stat = stat;
    lastSeen.entry = entry;
    return entry;
  }
}

function entryOf(stat: Stats, path: string): DirectoryEntry {
  if (stat.isDirectory()) return { path, type: 'dir' };
  if (stat.isSymbolicLink()) return { path, type: 'symlink' };
  return { path, type: 'file', size: stat.size };
}
