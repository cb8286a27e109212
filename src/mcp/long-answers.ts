/**
 * Long answers on their way through the SDK, which takes and gives whole objects, and makes JSON of them in one go. It
 * gets a short stand-in for a long body; where its JSON goes out, the slices of the body take that place.
 */
import { randomUUID } from 'node:crypto';
import type { Form } from '../text/escape-json';
import { JsonText } from '../text/json-text';
import { isLongText } from '../text/long-text';
import { type CallResult, resultOf, type Said } from './answer';
import type { Line } from './line-writer';

export interface LongAnswers {
  /** The result for the SDK. `signal`: the end of its request. */
  resultOf(said: Said, signal: AbortSignal): CallResult;
  /** Whether there is any that has not gone out yet. */
  readonly isWaitedFor: boolean;
  /** A message that the SDK made, with the body in its place. */
  fill(json: string): Line;
}

/** A shorter text is as well said at once. Of 512 KB the SDK makes JSON in 13 ms, and four commands may end together. */
const LONG_CHARACTERS = 65_536;
/** Of the newest revision a request also ends when it has been answered, and that answer has yet to go out. */
const MAX_WAIT_MS = 60_000;

export function createLongAnswers(): LongAnswers {
  const bodies = new Map<string, object>();
  const forgetLater = (name: string) => setTimeout(() => bodies.delete(name), MAX_WAIT_MS).unref();
  return {
    resultOf(said, signal) {
      if (!isLong(said.body)) return resultOf(said);
      // Nobody can know it, so that it stands nowhere else.
      const name = randomUUID();
      bodies.set(name, said.body);
      signal.addEventListener('abort', () => forgetLater(name), { once: true });
      return { ...resultOf({ ...said, body: { [name]: 0 } }), content: [{ type: 'text', text: name }] };
    },
    get isWaitedFor() {
      return bodies.size > 0;
    },
    fill(json) {
      for (const [name, body] of bodies) {
        if (!json.includes(name)) continue;
        bodies.delete(name);
        return filled(json, name, body);
      }
      return json;
    },
  };
}

/** In a body, texts are not far inside. */
function isLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > LONG_CHARACTERS;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return isLongText(value) || Object.values(value).some(isLong);
}

/** The stand-in is an object where the body is structured, and a text where it is JSON in a text. */
function* filled(json: string, name: string, body: object): Iterable<string> {
  let isFirst = true;
  for (const part of json.split(`{"${name}":0}`)) {
    if (!isFirst) yield* slicesOf(body, 'plain');
    isFirst = false;
    const [before, ...after] = part.split(name);
    yield before ?? '';
    for (const rest of after) {
      yield* slicesOf(body, 'nested');
      yield rest;
    }
  }
}

function* slicesOf(body: object, form: Form): Iterable<string> {
  const slices = new JsonText().addValue(body, form).give();
  if (typeof slices === 'string') yield slices;
  else yield* slices;
}
