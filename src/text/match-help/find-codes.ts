/**
 * Finds a row of codes in a larger one, with overlaps (Knuth, Morris, Pratt): each code of the larger row is looked
 * at once, so that no repetition, however bad, makes it slower.
 */

export interface FindOptions {
  /** Stop after so many. */
  limit: number;
  /** Codes count as equal when this table maps them to the same one. */
  alike?: Uint16Array;
  from?: number;
  to?: number;
}

/** The index of the first code of every occurrence, up to the limit. */
export function findCodes(hay: Uint16Array, size: number, needle: Uint16Array, options: FindOptions): number[] {
  const { limit, alike, from = 0, to = size } = options;
  const pattern = alike ? needle.map((code) => alike[code] ?? code) : needle;
  const found: number[] = [];
  if (pattern.length === 0 || pattern.length > to - from) return found;
  const fallback = fallbackTable(pattern);
  let matched = 0;
  for (let at = from; at < to; at++) {
    const raw = hay[at] ?? 0;
    const code = alike ? (alike[raw] ?? raw) : raw;
    while (matched > 0 && pattern[matched] !== code) matched = fallback[matched - 1] ?? 0;
    if (pattern[matched] === code) matched++;
    if (matched === pattern.length) {
      found.push(at - matched + 1);
      if (found.length >= limit) return found;
      matched = fallback[matched - 1] ?? 0;
    }
  }
  return found;
}

/** For each prefix of the pattern, the length of its longest proper end that is also its beginning. */
function fallbackTable(pattern: Uint16Array): Int32Array {
  const table = new Int32Array(pattern.length);
  let matched = 0;
  for (let at = 1; at < pattern.length; at++) {
    while (matched > 0 && pattern[matched] !== pattern[at]) matched = table[matched - 1] ?? 0;
    if (pattern[matched] === pattern[at]) matched++;
    table[at] = matched;
  }
  return table;
}

/** Maps each code to that of its small letter. */
export function caseTable(): Uint16Array {
  const table = new Uint16Array(0x10000);
  for (let code = 0; code < table.length; code++) table[code] = code;
  for (const [first, last] of [
    [0x41, 0x5a],
    [0xc0, 0x24f],
    [0x370, 0x52f],
  ] as const) {
    for (let code = first; code <= last; code++) {
      const small = String.fromCharCode(code).toLowerCase();
      if (small.length === 1) table[code] = small.charCodeAt(0);
    }
  }
  return table;
}
