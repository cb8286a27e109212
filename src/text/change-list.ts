import { firstIndex } from './first-index';
import { countLineEnds, lineEndSteps } from './lines';
import type { Steps } from './steps';
import { trimCommon } from './trim-common';

/**
 * A text under edit, kept as the original and the list of what changed in it, so that an edit costs what it changes
 * and not a copy of the text.
 *
 * The changes are sorted, and no two of them touch: an edit that reaches or borders older changes is merged with them.
 * Each knows where it stands in the text as it is now (`at`) and by how much it and all before it moved the line
 * numbers, so that positions are found by halving. All offsets are those of the current text unless named otherwise.
 */
export class ChangeList {
  readonly original: string;
  readonly #changes: PlacedChange[] = [];

  constructor(original: string) {
    this.original = original;
  }

  get isUnchanged(): boolean {
    return this.#changes.length === 0;
  }

  /** Puts `text` in the place of a span. */
  *replace({ start, end }: CurrentSpan, text: string): Steps<Replacement> {
    const { lead, tail } = trimCommon(this.slice(start, end), text);
    const from = start + lead;
    const to = end - tail;
    const added = text.slice(lead, text.length - tail);
    if (from === to && added === '') return { lost: [], change: undefined };
    const low = this.#firstEndingFrom(from);
    const high = this.#firstStartingAfter(to);
    const lost = this.#originalWithin(from, to, low, high);
    return { lost, change: yield* this.#insert(from, to, added, low, high) };
  }

  /** Whether a span borders or overlaps a change. */
  touches({ start, end }: CurrentSpan): boolean {
    const change = this.#changes[this.#firstEndingFrom(start)];
    return change !== undefined && change.at <= end;
  }

  /** Where a span of the original stands now, unless it borders or overlaps a change. */
  whereIs(originalStart: number, originalEnd: number): number | undefined {
    const index = firstIndex(this.#changes, (change) => change.end >= originalStart);
    const next = this.#changes[index];
    if (next !== undefined && next.start <= originalEnd) return undefined;
    const previous = this.#changes[index - 1];
    return previous === undefined ? originalStart : endOf(previous) + originalStart - previous.end;
  }

  /** The line, 1-based, of an offset, as one that moved from its place in the original. */
  lineAt(offset: number): MovedLine {
    const next = this.#firstStartingAfter(offset);
    const change = this.#changes[next - 1];
    if (change === undefined) return { from: offset, by: 0 };
    const inside = offset - change.at;
    if (inside >= change.text.length) return { from: this.#toOriginal(offset, next), by: change.lineShift };
    const shift = this.#changes[next - 2]?.lineShift ?? 0;
    return { from: change.start, by: shift + countLineEnds(change.text.slice(0, inside)) };
  }

  /** The surroundings of all changes or of some, `radius` characters to both sides; those that meet are one. */
  neighbourhoods(radius: number, some?: Iterable<PlacedChange>): Neighbourhood[] {
    const changes = some === undefined ? this.#changes : sortSurvivors(some);
    const spans: { start: number; end: number }[] = [];
    for (const change of changes) {
      const start = Math.max(0, change.at - radius);
      const end = endOf(change) + radius;
      const last = spans.at(-1);
      if (last !== undefined && start <= last.end) last.end = end;
      else spans.push({ start, end });
    }
    return spans.map(({ start, end }) => ({ start, text: this.slice(start, end) }));
  }

  /** The text between two offsets, which may lie outside of it. */
  slice(from: number, to: number): string {
    const start = Math.max(0, from);
    const end = Math.min(to, this.#length());
    const parts: string[] = [];
    let done = start;
    let index = this.#firstEndingFrom(start);
    for (let change = this.#changes[index]; change !== undefined && change.at < end; change = this.#changes[++index]) {
      if (done < change.at) parts.push(this.original.slice(change.start - (change.at - done), change.start));
      const stop = Math.min(end, endOf(change));
      parts.push(change.text.slice(Math.max(0, done - change.at), stop - change.at));
      done = stop;
    }
    if (done < end) parts.push(this.original.slice(this.#toOriginal(done, index), this.#toOriginal(end, index)));
    return parts.join('');
  }

  toString(): string {
    return this.slice(0, this.#length());
  }

  /** What turns the original into the current text, each change as small as its ends allow. */
  toChanges(): TextChange[] {
    return this.#changes.flatMap(({ start, end, text }) => {
      const { lead, tail } = trimCommon(this.original.slice(start, end), text);
      const change = { start: start + lead, end: end - tail, text: text.slice(lead, text.length - tail) };
      return change.start === change.end && change.text === '' ? [] : [change];
    });
  }

  #length(): number {
    const last = this.#changes.at(-1);
    return last === undefined ? this.original.length : endOf(last) + this.original.length - last.end;
  }

  #firstEndingFrom(offset: number): number {
    return firstIndex(this.#changes, (change) => endOf(change) >= offset);
  }

  #firstStartingAfter(offset: number): number {
    return firstIndex(this.#changes, (change) => change.at > offset);
  }

  /** The original offset of one that lies between the changes `index - 1` and `index`. */
  #toOriginal(offset: number, index: number): number {
    const previous = this.#changes[index - 1];
    return previous === undefined ? offset : previous.end + offset - endOf(previous);
  }

  #originalWithin(from: number, to: number, low: number, high: number): OriginalSpan[] {
    if (from === to) {
      const point = this.#toOriginal(from, low);
      return low === high ? [{ start: point, end: point }] : [];
    }
    const lost: OriginalSpan[] = [];
    let done = from;
    for (const change of this.#changes.slice(low, high)) {
      if (done < change.at) lost.push({ start: change.start - (change.at - done), end: change.start });
      done = endOf(change);
    }
    if (done < to) lost.push({ start: this.#toOriginal(done, high), end: this.#toOriginal(to, high) });
    return lost;
  }

  /** Merges the new text with the changes `low` to `high - 1`, which it covers or borders. */
  *#insert(from: number, to: number, added: string, low: number, high: number): Steps<PlacedChange> {
    const covered = this.#changes.slice(low, high);
    const first = covered.find((change) => change.at <= from);
    const last = covered.findLast((change) => endOf(change) >= to);
    const start = first?.start ?? this.#toOriginal(from, low);
    const end = last?.end ?? this.#toOriginal(to, high);
    const head = first?.text.slice(0, from - first.at) ?? '';
    const rest = last?.text.slice(to - last.at) ?? '';
    const text = head + added + rest;
    const linesAdded = (yield* lineEndSteps(text)) - (yield* lineEndSteps(this.original.slice(start, end)));
    const lineShift = (this.#changes[low - 1]?.lineShift ?? 0) + linesAdded;
    const shiftBefore = this.#changes[high - 1]?.lineShift ?? 0;
    const at = first?.at ?? from;
    const merged: PlacedChange = { start, end, text, at, lineShift, mergedInto: undefined };
    for (const change of covered) change.mergedInto = merged;
    this.#changes.splice(low, high - low, merged);
    for (let later = low + 1; later < this.#changes.length; later++) {
      const change = this.#changes[later] as PlacedChange;
      change.at += added.length - (to - from);
      change.lineShift += lineShift - shiftBefore;
    }
    return merged;
  }
}

/** The span of the original that goes, and the text that stands there instead. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The line in which the original has the offset `from`, so many lines further on. The original need not be counted yet. */
export interface MovedLine {
  readonly from: number;
  readonly by: number;
}

interface CurrentSpan {
  readonly start: number;
  readonly end: number;
}

export interface OriginalSpan {
  readonly start: number;
  readonly end: number;
}

export interface Neighbourhood {
  readonly start: number;
  readonly text: string;
}

export interface Replacement {
  /** What was lost of the original: what of it still stood there, or the point where an insertion parted it. */
  readonly lost: OriginalSpan[];
  /** The change in which the replacement went, if it changes anything. */
  readonly change: PlacedChange | undefined;
}

/** A change and its place in the current text. One that was merged into another has no place any more. */
export interface PlacedChange extends TextChange {
  at: number;
  lineShift: number;
  mergedInto: PlacedChange | undefined;
}

function endOf(change: PlacedChange): number {
  return change.at + change.text.length;
}

function sortSurvivors(changes: Iterable<PlacedChange>): PlacedChange[] {
  return [...new Set(Array.from(changes, survivorOf))].sort((one, other) => one.at - other.at);
}

function survivorOf(change: PlacedChange): PlacedChange {
  let survivor = change;
  while (survivor.mergedInto !== undefined) survivor = survivor.mergedInto;
  return survivor;
}
