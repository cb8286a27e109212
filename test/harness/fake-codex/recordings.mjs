// What the real Codex said, by scenario.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../acp/traffic/', import.meta.url));

const pathOf = (scenario) => join(folder, `${scenario}.jsonl`);

export const isRecorded = (scenario) => /^[\w.-]+$/.test(scenario) && existsSync(pathOf(scenario));

/** A list of `{from, frame}`. */
export function recording(scenario) {
  return readFileSync(pathOf(scenario), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The answer to the first request of a kind, as a template: its placeholders are still there. */
export function recordedAnswer(scenario, method) {
  const frames = recording(scenario);
  const { id } = frames.find(({ from, frame }) => from === 'client' && frame.method === method).frame;
  const after = frames.slice(frames.findIndex(({ frame }) => frame.method === method));
  return after.find(({ from, frame }) => from === 'server' && frame.id === id && !frame.method).frame;
}

/** What was said to a request with this word in it. */
export function recordedError(scenario, word) {
  const frames = recording(scenario);
  const asked = frames.findLast(({ from, frame }) => from === 'client' && JSON.stringify(frame).includes(word));
  return frames.find(({ from, frame }) => from === 'server' && frame.error && frame.id === asked.frame.id).frame.error;
}

/** All that followed a request, up to the end of its turn. */
export function recordedTurn(scenario, method = 'turn/start') {
  const frames = recording(scenario);
  const rest = frames.slice(frames.findIndex(({ frame }) => frame.method === method) + 1);
  const end = rest.findIndex(({ frame }) => frame.method === 'turn/completed');
  return rest.slice(0, end + 1).filter(({ frame }) => !['thread/started', 'warning'].includes(frame.method));
}

/** Puts live values in the place of `{name}`; unknown ids get one that lasts as long as `values`. */
export function fill(template, values) {
  return JSON.parse(
    JSON.stringify(template).replaceAll(/\{([a-z]+\d*)\}/g, (all, name) => {
      if (values[name] === undefined && /^id\d+$/.test(name)) values[name] = crypto.randomUUID();
      return values[name] === undefined ? all : JSON.stringify(String(values[name])).slice(1, -1);
    }),
  );
}
