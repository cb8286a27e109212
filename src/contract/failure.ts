/** From a Fault and an error table to the words of an answer. */
import { MAX_PATH_CHARACTERS } from '../text/path-syntax';
import { shorten } from '../text/truncate';
import type { ErrorTable } from './contract';
import { Fault } from './fault';

export interface Failure {
  readonly code: number | string;
  readonly message: string;
  /** Machine-readable facts; never needed to understand the message. */
  readonly details: Record<string, unknown>;
}

/** A quoted text in a message is cut past this; a path never is, unless it is longer than any can be. */
const MAX_QUOTED_CHARACTERS = 200;
const PATH_FACTS = new Set(['path', 'parent', 'to', 'file']);
const PROSE_FACTS = ['problem', 'remedy'];

/** The failure that the table has for this fault, or undefined: then the fault is a bug. */
export function failureOf(thrown: unknown, table: ErrorTable): Failure | undefined {
  if (!(thrown instanceof Fault)) return undefined;
  const fault: Fault = thrown;
  const row = table[fault.kind];
  if (!row) return undefined;
  const facts = fault.facts as Record<string, unknown>;
  return { code: row.code, message: fill(row.message, facts), details: detailsOf(fault.kind, facts, row.message) };
}

function fill(pattern: string, facts: Record<string, unknown>): string {
  return pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => spell(name, facts[name]));
}

function spell(name: string, value: unknown): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return shorten(text, PATH_FACTS.has(name) ? MAX_PATH_CHARACTERS : MAX_QUOTED_CHARACTERS);
}

/**
 * What the message says in words is not said twice. `old_string` stands for the text to send instead of the one that
 * was not found.
 */
function detailsOf(kind: string, facts: Record<string, unknown>, pattern: string): Record<string, unknown> {
  const { help, old_string: _, ...rest } = facts;
  for (const name of PROSE_FACTS) if (pattern.includes(`{${name}}`)) delete rest[name];
  return { kind, ...shortened(rest), ...(typeof help === 'object' && help) };
}

/** Whatever was sent, an answer stays short. */
function shortened(facts: Record<string, unknown>): Record<string, unknown> {
  const short = (value: unknown) => (typeof value === 'string' ? shorten(value, MAX_PATH_CHARACTERS) : value);
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, short(value)]));
}
