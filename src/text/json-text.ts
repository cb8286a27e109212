/**
 * JSON that is put together from pieces, and JSON as a text inside JSON (`nested`). It is what `JSON.stringify` would
 * have made, called twice for `nested`; but a long text is escaped slice by slice when it is asked for, so that nobody
 * waits for all of it.
 */
import { escapeJson, type Form, MAX_ESCAPED_CHARACTERS } from './escape-json';
import { isLongText, type LongText } from './long-text';
import { cutNear } from './surrogates';

export class JsonText {
  /** What is before `#end`; nothing as long as all is short. */
  readonly #pieces: (string | Escaped)[] = [];
  #end = '';
  /** Of lists, which may be long, and stand in both forms. */
  readonly #made = new Map<unknown, string>();

  /** Adds what is JSON already. */
  add(json: string): this {
    this.#end += json;
    return this;
  }

  /** Adds a value; `nested` is without the quotes around it. */
  addValue(value: unknown, form: Form): this {
    if (typeof value === 'string') return this.#addString(value, form);
    if (isRecord(value)) return this.#addRecord(value, form);
    if (isLongText(value)) return this.#addString(value, form);
    const json = this.#jsonOf(value);
    return form === 'nested' && typeof value === 'object' ? this.#addText(json, 'plain') : this.add(json);
  }

  /** All of it where that is short, else its slices, made one by one. */
  give(): string | Iterable<string> {
    return this.#pieces.length === 0 ? this.#end : this.#slices();
  }

  toString(): string {
    return [...this.#slices()].join('');
  }

  #jsonOf(value: unknown): string {
    if (!Array.isArray(value)) return JSON.stringify(value);
    const json = this.#made.get(value) ?? JSON.stringify(value);
    this.#made.set(value, json);
    return json;
  }

  #addString(text: string | LongText, form: Form): this {
    const quote = form === 'plain' ? '"' : '\\"';
    return this.add(quote).#addText(text, form).add(quote);
  }

  #addName(name: string, form: Form): this {
    if (!ORDINARY_NAME.test(name)) return this.#addString(name, form).add(':');
    return this.add(form === 'plain' ? `"${name}":` : `\\"${name}\\":`);
  }

  #addText(text: string | LongText, form: Form): this {
    if (typeof text === 'string' && text.length <= MAX_ESCAPED_CHARACTERS) return this.add(escapeJson(text, form));
    this.#pieces.push(this.#end, { text, form });
    this.#end = '';
    return this;
  }

  #addRecord(record: Readonly<Record<string, unknown>>, form: Form): this {
    let lead = '{';
    for (const name of Object.keys(record)) {
      if (record[name] === undefined) continue;
      this.add(lead).#addName(name, form).addValue(record[name], form);
      lead = ',';
    }
    return this.add(lead === '{' ? '{}' : '}');
  }

  *#slices(): Generator<string> {
    for (const piece of this.#pieces) {
      if (typeof piece === 'string') yield piece;
      else yield* escapedSlices(piece);
    }
    yield this.#end;
  }
}

/** Nothing in it needs an escape. */
const ORDINARY_NAME = /^\w+$/;

/** What is to be escaped when it is asked for. */
interface Escaped {
  readonly text: string | LongText;
  readonly form: Form;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function* escapedSlices({ text, form }: Escaped): Generator<string> {
  const slices = typeof text === 'string' ? slicesOf(text) : text.pieces(MAX_ESCAPED_CHARACTERS);
  for (const slice of slices) yield escapeJson(slice, form);
}

function* slicesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const to = cutNear(text, from + MAX_ESCAPED_CHARACTERS);
    yield text.slice(from, to);
    from = to;
  }
}
