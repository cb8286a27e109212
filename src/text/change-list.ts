import { lineEndSteps } from './lines';
import { type MovedLine, Piece, Source } from './piece';
import { PieceList } from './piece-list';
import type { Steps } from './steps';
import { trimCommon } from './trim-common';

/**
 * A text under edit, kept as pieces of the original and of what was put in, so that an edit costs what it changes and
 * not a copy of the text. All offsets are those of the current text unless named otherwise.
 */
export class ChangeList {
  readonly #original: Source;
  readonly #pieces: PieceList;

  constructor(original: string) {
    this.#original = new Source(original);
    this.#pieces = new PieceList(this.#original);
  }

  get original(): string {
    return this.#original.text;
  }

  /** Puts `text` in the place of a span. */
  *replace({ start, end }: CurrentSpan, text: string): Steps<Replacement> {
    const old = this.slice(start, end);
    const { lead, tail } = trimCommon(old, text);
    const place = { start: start + lead, end: end - tail };
    const taken = old.slice(lead, old.length - tail);
    const added = text.slice(lead, text.length - tail);
    if (taken === '' && added === '') return { lost: [], place };
    const parted = taken === '' ? this.#seamAt(place.start) : [];
    const { from, by } = this.#pieces.at(place.start - 1)?.lineAt(place.start) ?? { from: 0, by: 0 };
    const source = new Source(added, from);
    const lines = (yield* source.countLines()) - (yield* lineEndSteps(taken));
    const piece = added === '' ? undefined : new Piece(source, { start: place.start, lines: by });
    const gone = this.#pieces.replace(place, piece, lines).filter((one) => one.source.isOriginal);
    const lost = gone.map((one) => ({ start: one.from, end: one.to }));
    return { lost: [...lost, ...parted], place: { start: place.start, end: place.start + added.length } };
  }

  /** Whether a span borders or overlaps a change. */
  touches(span: CurrentSpan): boolean {
    const piece = this.#pieces.at(span.start);
    return !piece?.source.isOriginal || !this.#isUntouched(piece, span);
  }

  /** Where a span of the original stands now, unless it borders or overlaps a change. */
  whereIs(originalStart: number, originalEnd: number): number | undefined {
    const piece = this.#original.pieceAt(originalStart);
    if (piece === undefined) return undefined;
    const start = piece.start + originalStart - piece.from;
    return this.#isUntouched(piece, { start, end: start + originalEnd - originalStart }) ? start : undefined;
  }

  /** What finds a character again after more edits. */
  spotAt(offset: number): Spot | undefined {
    const piece = this.#pieces.at(offset);
    return piece && { source: piece.source, offset: piece.from + offset - piece.start };
  }

  /** Where it stands now; undefined: it is gone. */
  whereIsSpot({ source, offset }: Spot): number | undefined {
    const piece = source.pieceAt(offset);
    return piece && piece.start + offset - piece.from;
  }

  /** The line, 1-based, of a character, as one that moved from its place in the original. */
  lineAt(offset: number): MovedLine {
    return this.#pieces.at(offset)?.lineAt(offset) ?? { from: 0, by: 0 };
  }

  /**
   * The surroundings of all changes, or of some places in ascending order, `radius` characters to both sides; those
   * that meet are one.
   */
  neighbourhoods(radius: number, some?: Iterable<CurrentSpan>): Neighbourhood[] {
    const spans: { start: number; end: number }[] = [];
    for (const place of some ?? this.#changed()) {
      const [start, end] = [Math.max(0, place.start - radius), place.end + radius];
      const last = spans.at(-1);
      if (last !== undefined && start <= last.end) last.end = end;
      else spans.push({ start, end });
    }
    return spans.map(({ start, end }) => ({ start, text: this.slice(start, end) }));
  }

  /** The text between two offsets, which may lie outside of it. */
  slice(from: number, to: number): string {
    const start = Math.max(0, from);
    const parts: string[] = [];
    for (const piece of this.#pieces.from(start)) {
      if (piece.start >= to) break;
      const [first, last] = [Math.max(start, piece.start), Math.min(to, piece.end)];
      parts.push(piece.source.text.slice(piece.from + first - piece.start, piece.from + last - piece.start));
    }
    return parts.join('');
  }

  toString(): string {
    return this.slice(0, this.#pieces.length);
  }

  /** What turns the original into the current text, each change as small as its ends allow. */
  toChanges(): TextChange[] {
    const changes: TextChange[] = [];
    let added: string[] = [];
    let start = 0;
    const add = (end: number) => {
      const text = added.join('');
      const { lead, tail } = trimCommon(this.original.slice(start, end), text);
      const change = { start: start + lead, end: end - tail, text: text.slice(lead, text.length - tail) };
      if (change.start !== change.end || change.text !== '') changes.push(change);
    };
    for (const { source, from, to } of this.#pieces.from()) {
      if (!source.isOriginal) added.push(source.text.slice(from, to));
      else {
        add(from);
        [added, start] = [[], to];
      }
    }
    add(this.original.length);
    return changes;
  }

  /** Where two characters stand side by side that do so in the original, an insertion parts them. */
  #seamAt(offset: number): OriginalSpan[] {
    const [before, after] = [this.#pieces.at(offset - 1), this.#pieces.at(offset)];
    if (!before?.source.isOriginal || !after?.source.isOriginal) return [];
    const seam = before.from + offset - before.start;
    return seam === after.from + offset - after.start ? [{ start: seam, end: seam }] : [];
  }

  *#changed(): Generator<CurrentSpan, void> {
    for (const piece of this.#pieces.from()) {
      const { start, end } = piece;
      if (!piece.source.isOriginal) yield { start, end };
      else {
        if (!this.#isBeginning(piece)) yield { start, end: start };
        if (!this.#isEnd(piece)) yield { start: end, end };
      }
    }
  }

  /** Of a piece of the original. */
  #isUntouched(piece: Piece, { start, end }: CurrentSpan): boolean {
    return (
      (start > piece.start || (start === piece.start && this.#isBeginning(piece))) &&
      (end < piece.end || (end === piece.end && this.#isEnd(piece)))
    );
  }

  #isBeginning({ start, from }: Piece): boolean {
    return start === 0 && from === 0;
  }

  #isEnd({ end, to }: Piece): boolean {
    return end === this.#pieces.length && to === this.original.length;
  }
}

/** The span of the original that goes, and the text that stands there instead. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface CurrentSpan {
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
  /** Where what was put in stands; a point where nothing was. */
  readonly place: CurrentSpan;
}

/** A character, by where it came from. */
export interface Spot {
  readonly source: Source;
  readonly offset: number;
}
