import { countNewlines } from './newlines';
import type { Steps } from './steps';

/**
 * Some whole lines of a text in UTF-8, around the only place where a string stands. They are found by the bytes: to
 * make all of a text costs more than the edit of one line of it, and as much memory again.
 */
export interface Excerpt {
  readonly text: string;
  /** Where the string begins in it. */
  readonly at: number;
  /** Where its bytes begin and end. */
  readonly from: number;
  readonly to: number;
  /** How many lines come before. */
  linesBefore(): Steps<number>;
  /** The whole text, with others in the place of these lines. */
  inPlace(lines: string): string;
}

/** Lines around the match: what a diff shows, and one more where a change reaches into the next line. */
const LINES_AROUND = 4;
const MAX_WANTED_BYTES = 8_192;
const MAX_REACH_BYTES = 65_536;
const BYTES_PER_STEP = 4 * 1_048_576;

/** Undefined: the string does not stand there exactly once, or its lines are long. `bytes` are valid UTF-8. */
export function* excerptSteps(bytes: Uint8Array, wanted: string): Steps<Excerpt | undefined> {
  const place = OnlyPlace.of(wanted);
  if (!place) return undefined;
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let from = 0; from < all.length && !place.isElsewhere; from += BYTES_PER_STEP) {
    place.add(all.subarray(from, from + BYTES_PER_STEP));
    yield;
  }
  const reach = place.reach(all.length);
  const lines = reach && linesAround(all.subarray(reach.from, reach.to), reach);
  if (!lines) return undefined;
  const { from, to } = lines;
  return {
    ...lines,
    linesBefore: () => countSteps(all.subarray(0, from)),
    inPlace: (text) => all.toString('utf8', 0, from) + text + all.toString('utf8', to),
  };
}

/** The search of the platform takes (text × wanted) steps in repetitive text, so that it looks for the end alone. */
const PROBE_BYTES = 128;
/** Where the end stands more often, the text is repetitive. */
const MAX_HITS = 64;

/** Looks for the only place where a string stands, in bytes that come slice by slice. */
export class OnlyPlace {
  readonly #needle: Buffer;
  readonly #lead: number;
  /** The last bytes that have come: the string may begin in them. */
  #tail: Buffer = Buffer.alloc(0);
  #seen = 0;
  #hits = 0;
  #at: number | undefined;
  /** Whether it stands there twice, or too often to be looked for like this. */
  isElsewhere = false;

  private constructor(needle: Buffer) {
    this.#needle = needle;
    this.#lead = Math.max(0, needle.length - PROBE_BYTES);
  }

  /** Undefined: it is too long, empty, or has half a character, for which there are no bytes. */
  static of(wanted: string): OnlyPlace | undefined {
    if (wanted === '' || wanted.length > MAX_WANTED_BYTES || !wanted.isWellFormed()) return undefined;
    const needle = Buffer.from(wanted);
    return needle.length > MAX_WANTED_BYTES ? undefined : new OnlyPlace(needle);
  }

  add(slice: Buffer): void {
    const open = this.#needle.length - 1;
    const seam = Buffer.concat([this.#tail, slice.subarray(0, open)]);
    this.#look(seam, this.#seen - this.#tail.length);
    if (slice.length > open) this.#look(slice, this.#seen);
    this.#seen += slice.length;
    // Copied: the caller may fill the slice anew.
    this.#tail = Buffer.from(lastBytes(slice.length < open ? seam : slice, open));
  }

  /** The stretch in which its lines have to be; undefined where it does not stand exactly once. */
  reach(end: number): Reach | undefined {
    if (this.isElsewhere || this.#at === undefined) return undefined;
    const [start, after] = [this.#at, this.#at + this.#needle.length];
    return {
      from: Math.max(0, start - MAX_REACH_BYTES),
      start,
      after,
      to: Math.min(end, after + MAX_REACH_BYTES),
      end,
    };
  }

  #look(bytes: Buffer, offset: number): void {
    const [needle, lead] = [this.#needle, this.#lead];
    const probe = needle.subarray(lead);
    for (let hit = bytes.indexOf(probe, lead); hit !== -1 && !this.isElsewhere; hit = bytes.indexOf(probe, hit + 1)) {
      const at = hit - lead;
      const isWhole = lead === 0 || bytes.subarray(at, at + needle.length).equals(needle);
      this.isElsewhere = ++this.#hits > MAX_HITS || (isWhole && this.#at !== undefined);
      if (isWhole) this.#at = offset + at;
    }
  }
}

function lastBytes(bytes: Buffer, count: number): Buffer {
  return bytes.subarray(Math.max(0, bytes.length - count));
}

/** Where the string stands, and how far its lines may go; all counted from the beginning of the text. */
export interface Reach {
  readonly from: number;
  readonly start: number;
  readonly after: number;
  readonly to: number;
  /** Of the text. */
  readonly end: number;
}

/** The lines in the bytes of that stretch; undefined where they go beyond it. */
export function linesAround(bytes: Buffer, reach: Reach): Pick<Excerpt, 'text' | 'at' | 'from' | 'to'> | undefined {
  const before = linesBack(bytes.subarray(0, reach.start - reach.from), reach.from === 0);
  const after = linesOn(bytes.subarray(reach.after - reach.from), reach.to === reach.end);
  if (before === undefined || after === undefined) return undefined;
  const [from, to] = [reach.from + before, reach.after + after];
  const lead = bytes.toString('utf8', before, reach.start - reach.from);
  return { text: lead + bytes.toString('utf8', reach.start - reach.from, to - reach.from), at: lead.length, from, to };
}

function linesBack(near: Buffer, isBeginning: boolean): number | undefined {
  let start = near.length;
  for (let line = 0; line <= LINES_AROUND; line++) {
    // A line begins after the end of another; with nothing before that, none is left.
    const end = start === 0 ? -1 : near.lastIndexOf('\n', start - 1);
    if (end === -1) return isBeginning ? 0 : undefined;
    start = line === LINES_AROUND ? end + 1 : end;
  }
  return start;
}

function linesOn(near: Buffer, isEnd: boolean): number | undefined {
  let next = 0;
  for (let line = 0; line <= LINES_AROUND; line++) {
    const end = near.indexOf('\n', next);
    if (end === -1) return isEnd ? near.length : undefined;
    next = end + 1;
  }
  return next;
}

function* countSteps(bytes: Buffer): Steps<number> {
  let count = 0;
  for (let from = 0; from < bytes.length; from += BYTES_PER_STEP) {
    count += countNewlines(bytes.subarray(from, from + BYTES_PER_STEP));
    yield;
  }
  return count;
}
