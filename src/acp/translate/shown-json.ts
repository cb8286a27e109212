/** JSON that an editor is shown: the same value, with long texts, long lists and deep nesting cut. */
import { shorten } from '../../text/truncate';

const MAX_TEXT_CHARACTERS = 10_240;
const MAX_ENTRIES = 200;
const MAX_DEPTH = 16;

export function shownJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return shorten(value, MAX_TEXT_CHARACTERS);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((entry) => shownJson(entry, depth + 1));
  const entries = Object.entries(value).slice(0, MAX_ENTRIES);
  return Object.fromEntries(entries.map(([name, entry]) => [name, shownJson(entry, depth + 1)]));
}
