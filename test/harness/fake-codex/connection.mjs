// Lines of JSON on stdin and stdout: requests both ways, and a log of what was received where FAKE_CODEX_LOG says so.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** `handle(method, params)` gives the result of a request; what it throws is the error. */
export function openConnection(handle) {
  const asked = new Map();
  let lastId = -1;
  const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
  const answer = async ({ id, method, params = {} }) => {
    try {
      // A handler may answer by itself, where more must follow the answer.
      const result = await handle(method, params, (early) => send({ id, result: early }));
      if (result !== undefined) send({ id, result });
    } catch (error) {
      send({ error: { code: error.code ?? -32603, message: error.message }, id });
    }
  };
  const receive = (line) => {
    const { FAKE_CODEX_LOG } = process.env;
    if (FAKE_CODEX_LOG) appendFileSync(FAKE_CODEX_LOG, `${line}\n`);
    const frame = JSON.parse(line);
    if (frame.method !== undefined && frame.id !== undefined) return void answer(frame);
    if (frame.method !== undefined) return;
    asked.get(frame.id)?.(frame);
    asked.delete(frame.id);
  };
  // The real one ends with its stdin, whatever it is doing.
  createInterface({ input: process.stdin })
    .on('line', receive)
    .on('close', () => process.exit(0));
  return {
    send,
    /** The whole answer: `{result}` or `{error}`. */
    ask: (frame) =>
      new Promise((resolve) => {
        lastId += 1;
        asked.set(lastId, resolve);
        send({ ...frame, id: lastId });
      }),
  };
}

export class Refusal extends Error {
  constructor(message, code = -32600) {
    super(message);
    this.code = code;
  }
}
