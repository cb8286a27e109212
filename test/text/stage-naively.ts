/**
 * The staged edits by plain strings, as slow and as plain as can be: what the real engine is compared with. Beside the
 * text it keeps, for each character, where in the original it came from, to know which edit took what.
 */
import type { EditFailure, LineRange, StagedEdit } from '../../src/text/staged-file';

export function stageNaively(original: string, edits: readonly StagedEdit[]): NaiveOutcome {
  let units: Unit[] = original.split('').map((unit, from) => ({ unit, from }));
  const ranges: LineRange[] = [];
  const lost: Set<number>[] = [];
  for (const [index, { old_string, new_string }] of edits.entries()) {
    const text = units.map(({ unit }) => unit).join('');
    const { spans, crlf } = findNaively(text, old_string);
    const [span] = spans;
    if (span === undefined) {
      const prior_index = lost.findIndex((gaps, prior) => {
        if (edits[prior]?.old_string === old_string) return false;
        return findNaively(original, old_string).spans.some(([start, end]) =>
          [...gaps].some((gap) => holds(start, end, gap)),
        );
      });
      if (prior_index !== -1) return { ok: false, failure: { kind: 'conflict', index, prior_index } };
      return { ok: false, failure: { kind: 'not_found', index, old_string, text } };
    }
    if (spans.length > 1) {
      const lines = spans.slice(0, 100).map(([start]) => lineAt(text, start));
      return { ok: false, failure: { kind: 'not_unique', index, count: spans.length, lines } };
    }
    ranges.push({ start: lineAt(text, span[0]), end: lineAt(text, span[1] - 1) });
    const replacement = crlf ? new_string.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n') : new_string;
    const [start, end, added] = shrink(text, span, replacement);
    lost.push(gapsOf(units, start, end, added));
    units = [...units.slice(0, start), ...added.split('').map((unit) => ({ unit })), ...units.slice(end)];
  }
  return { ok: true, text: units.map(({ unit }) => unit).join(''), ranges };
}

export type NaiveOutcome = { ok: true; text: string; ranges: LineRange[] } | { ok: false; failure: EditFailure };

interface Unit {
  readonly unit: string;
  readonly from?: number;
}

export function findNaively(text: string, wanted: string): { spans: [number, number][]; crlf: boolean } {
  const everywhere = [...text.split('').keys()];
  const exact = everywhere.filter((at) => text.startsWith(wanted, at));
  const bare = wanted.includes('\n') && !wanted.includes('\r\n');
  if (exact.length > 0 || !bare) return { spans: exact.map((at) => [at, at + wanted.length]), crlf: false };
  const source = wanted.split('').map((unit, at) => {
    if (unit === '\n') return at === 0 ? '(?:\\r\\n|(?<!\\r)\\n)' : '\\r?\\n';
    if (unit === '\r' && at === wanted.length - 1) return '\\r(?!\\n)';
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  const pattern = new RegExp(source.join(''), 'y');
  const spans = everywhere.flatMap((at): [number, number][] => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    return match === null ? [] : [[at, at + match[0].length]];
  });
  return { spans, crlf: true };
}

/** What really changes: without the characters that stay at both ends, surrogate pairs kept whole. */
function shrink(text: string, [from, to]: [number, number], replacement: string): [number, number, string] {
  const old = text.slice(from, to);
  let lead = 0;
  while (lead < Math.min(old.length, replacement.length) && old[lead] === replacement[lead]) lead++;
  if (/[\ud800-\udbff]/.test(old[lead - 1] ?? '')) lead--;
  let tail = 0;
  while (tail < Math.min(old.length, replacement.length) - lead && old.at(-1 - tail) === replacement.at(-1 - tail))
    tail++;
  if (/[\udc00-\udfff]/.test(old.at(-tail || old.length) ?? '')) tail--;
  return [from + lead, to - tail, replacement.slice(lead, replacement.length - tail)];
}

/** Characters of the original as whole numbers, the seams between two of them as halves. */
function gapsOf(units: readonly Unit[], start: number, end: number, added: string): Set<number> {
  const taken = units.slice(start, end).flatMap(({ from }) => (from === undefined ? [] : [from]));
  if (end > start) return new Set(taken);
  const before = units[start - 1]?.from;
  const after = units[start]?.from;
  const parted = added !== '' && before !== undefined && after === before + 1;
  return new Set(parted ? [before + 0.5] : []);
}

function holds(start: number, end: number, gap: number): boolean {
  return start <= gap && gap <= end - 1;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
