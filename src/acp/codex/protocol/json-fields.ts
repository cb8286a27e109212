/**
 * Fields of JSON that another program wrote: each comes out as what was expected, or as a harmless stand-in. What Codex
 * adds or changes in a later release must not bring a session down.
 */
export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object, or one without fields. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of a list; whatever else stands in it is passed over. */
export function textsOf(value: unknown): string[] {
  return listOf(value).filter((entry) => typeof entry === 'string');
}

/** The value, if it is one of the words; else the first of them. */
export function wordOf<const W extends string>(value: unknown, words: readonly [W, ...W[]]): W {
  return words.find((word) => word === value) ?? words[0];
}
