/**
 * Takes out of a recording what belongs to one machine or one moment: paths, names, ids and times become placeholders
 * or fixed values, so that a new recording differs only where Codex does.
 */
import { hostname } from 'node:os';
import type { Frame } from '../long/app-server';

/** Paths and addresses by the name of their placeholder. */
export type Places = Readonly<Record<string, string>>;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** A list of everything Codex can do, in the answer to what it cannot. */
const ALL_METHODS = /(?<=, expected one of)[^"]+/;
const FIXED_SECONDS = 1_800_000_000;
const FIXED_DATE = '2027-01-15';
const MODELS_KEPT = 2;

export function scrub(frames: readonly Frame[], places: Places): string[] {
  const ids = nameIds(frames);
  return frames.map((line) => {
    const text = JSON.stringify(line, (key, value) => fixedValue(key, value));
    const settled = withoutDates(withoutPlaces(text, places)).replaceAll(UUID, (id) => ids(id));
    return settled.replace(ALL_METHODS, ' …');
  });
}

/** Threads and turns are told by where their id stands; every other id is just numbered. */
function nameIds(frames: readonly Frame[]): (id: string) => string {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const name = (id: string, kind: string) => {
    const known = names.get(id);
    if (known) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    names.set(id, `{${kind}${count}}`);
    return `{${kind}${count}}`;
  };
  const text = JSON.stringify(frames);
  for (const [, id = ''] of text.matchAll(/"threadId":"([^"]+)"/g)) name(id, 'thread');
  for (const [, id, same] of text.matchAll(/"turnId":"([^"]+)"|"turn":\{"id":"([^"]+)"/g))
    name(id ?? same ?? '', 'turn');
  return (id) => name(id, 'id');
}

function fixedValue(key: string, value: unknown): unknown {
  if (key === 'userAgent') return 'tenon-test/0.166.0';
  if (key === 'serverName' && value === hostname()) return 'machine';
  if (key === 'processId' && value !== null) return '1';
  if (key === 'modelContextWindow') return value;
  if (key === 'data' && isModelList(value)) return value.slice(0, MODELS_KEPT).map(withoutAdvertising);
  if (typeof value !== 'number') return value;
  if (/Ms$/.test(key)) return key === 'durationMs' ? 1 : FIXED_SECONDS * 1000;
  return /At$/.test(key) ? FIXED_SECONDS : value;
}

interface Model {
  readonly model: string;
  readonly supportedReasoningEfforts: readonly { readonly reasoningEffort: string }[];
}

function isModelList(value: unknown): value is Model[] {
  return (
    Array.isArray(value) && value.every((entry) => typeof entry === 'object' && 'supportedReasoningEfforts' in entry)
  );
}

function withoutAdvertising(model: Model): object {
  const supportedReasoningEfforts = model.supportedReasoningEfforts.map((effort) => ({
    ...effort,
    description: `Thinks with ${effort.reasoningEffort} effort`,
  }));
  const description = `A model called ${model.model}`;
  return { ...model, description, availabilityNux: null, serviceTiers: [], supportedReasoningEfforts };
}

/** The longest path first: one may lie within another. */
function withoutPlaces(text: string, places: Places): string {
  const longestFirst = Object.entries(places).sort(([, a], [, b]) => b.length - a.length);
  return longestFirst.reduce((rest, [name, place]) => rest.replaceAll(place, `{${name}}`), text);
}

function withoutDates(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d/g, `${FIXED_DATE}T08-00-00`)
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, `${FIXED_DATE}T08:00:00Z`)
    .replaceAll(/sessions\/\d{4}\/\d\d\/\d\d/g, `sessions/${FIXED_DATE.replaceAll('-', '/')}`);
}
