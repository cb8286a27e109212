import { countNewlines } from './newlines';
import type { Steps } from './steps';

/**
 * Some whole lines of a text in UTF-8, around the only place where a string stands. They are found by the bytes: to
 * make all of a text costs more than the edit of one line of it, and as much memory again.
 */
export interface Excerpt {
  readonly text: string;
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

/** Undefined: the string does not stand there exactly once, or its lines are long. `bytes` are valid UTF-8. */
export function* excerptSteps(bytes: Uint8Array, wanted: string): Steps<Excerpt | undefined> {
  if (wanted.length > MAX_WANTED_BYTES) return undefined;
  const needle = Buffer.from(wanted);
  if (needle.length === 0 || needle.length > MAX_WANTED_BYTES) return undefined;
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = yield* onlyPlace(all, needle);
  if (at === undefined) return undefined;
  const from = linesBack(all, at);
  const to = linesOn(all, at + needle.length);
  if (from === undefined || to === undefined) return undefined;
  return {
    text: all.toString('utf8', from, to),
    from,
    to,
    linesBefore: () => countSteps(all.subarray(0, from)),
    inPlace: (lines) => all.toString('utf8', 0, from) + lines + all.toString('utf8', to),
  };
}

const BYTES_PER_STEP = 4 * 1_048_576;
/** The search of the platform takes (text × wanted) steps in repetitive text, so that it looks for the end alone. */
const PROBE_BYTES = 128;
/** Where the end stands more often, the text is repetitive. */
const MAX_HITS = 64;

function* onlyPlace(bytes: Buffer, needle: Buffer): Steps<number | undefined> {
  const lead = Math.max(0, needle.length - PROBE_BYTES);
  const probe = needle.subarray(lead);
  let [found, hits]: [number | undefined, number] = [undefined, 0];
  for (let from = lead; from < bytes.length; from += BYTES_PER_STEP) {
    const slice = bytes.subarray(from, from + BYTES_PER_STEP + probe.length - 1);
    for (let hit = slice.indexOf(probe); hit !== -1; hit = slice.indexOf(probe, hit + 1)) {
      const at = from + hit - lead;
      if (++hits > MAX_HITS) return undefined;
      if (lead > 0 && !bytes.subarray(at, at + needle.length).equals(needle)) continue;
      if (found !== undefined) return undefined;
      found = at;
    }
    yield;
  }
  return found;
}

function linesBack(bytes: Buffer, at: number): number | undefined {
  const floor = Math.max(0, at - MAX_REACH_BYTES);
  const near = bytes.subarray(floor, at);
  let start = near.length;
  for (let line = 0; line <= LINES_AROUND; line++) {
    // A line begins after the end of another; with nothing before that, none is left.
    const end = start === 0 ? -1 : near.lastIndexOf('\n', start - 1);
    if (end === -1) return floor === 0 ? 0 : undefined;
    start = line === LINES_AROUND ? end + 1 : end;
  }
  return floor + start;
}

function linesOn(bytes: Buffer, at: number): number | undefined {
  const near = bytes.subarray(at, at + MAX_REACH_BYTES);
  let next = 0;
  for (let line = 0; line <= LINES_AROUND; line++) {
    const end = near.indexOf('\n', next);
    if (end === -1) return at + near.length === bytes.length ? bytes.length : undefined;
    next = end + 1;
  }
  return at + next;
}

function* countSteps(bytes: Buffer): Steps<number> {
  let count = 0;
  for (let from = 0; from < bytes.length; from += BYTES_PER_STEP) {
    count += countNewlines(bytes.subarray(from, from + BYTES_PER_STEP));
    yield;
  }
  return count;
}
