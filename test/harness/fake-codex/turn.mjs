// Plays one turn: the server's frames in their order; where the recording has the client's answer, the live one is
// awaited, and for a question the answer decides which recording goes on.
import { basename } from 'node:path';
import { withAnswer, withInput } from './live-items.mjs';
import { callOverMcp } from './mcp-call.mjs';
import { fill, recording } from './recordings.mjs';
import { afterAnswer } from './scenario.mjs';
import { rememberTurn } from './threads.mjs';

const FOREVER = new Promise(() => undefined);
const isOpening = ({ from, frame }) => from === 'server' && frame.result !== undefined;

export function startTurn({ connection, thread, frames, input, done }) {
  const id = crypto.randomUUID();
  const values = valuesFor(thread, frames, id);
  const cancelled = new AbortController();
  /** Recorded id of a request -> the call it is about, and its live answer. */
  const questions = new Map();
  const answers = new Map();
  const open = new Map();
  const items = [];
  let silent = false;

  const remember = (status, error = null) => rememberTurn(thread.id, { id, status, error, items, input });
  const note = ({ method, params }) => {
    if (method === 'item/started') open.set(params.item.id, params.item);
    if (method === 'item/completed') {
      open.delete(params.item.id);
      items.push(params.item);
      remember('interrupted');
    }
    if (method !== 'turn/completed') return;
    cancelled.abort();
    remember(params.turn.status, params.turn.error);
    done();
  };
  const tell = (frame) => {
    const live = withAnswer(withInput(fill(frame, values), input), answers);
    note(live);
    if (live.id === undefined) return connection.send(live);
    questions.set(live.id, { callId: live.params.callId, answer: connection.ask(live) });
  };
  /** Gives the frames with which to go on, where the answer chooses others. */
  const hear = async ({ frame, scenario }) => {
    const { callId, answer } = questions.get(frame.id) ?? { answer: FOREVER };
    const heard = await answer;
    answers.set(callId, heard);
    return scenario && afterAnswer(scenario, heard);
  };
  const special = {
    silence() {
      silent = true;
      return FOREVER;
    },
    death: () => process.kill(process.pid, 'SIGKILL'),
    call({ server, call, callId, question }) {
      const answer = callOverMcp(server, call, {
        ids: { callId, threadId: thread.id, turnId: id },
        signal: cancelled.signal,
      });
      questions.set(question, { callId, answer });
    },
  };

  return {
    id,
    opening: fill(frames.find(isOpening)?.frame.result ?? {}, values),
    async play() {
      let rest = frames.filter((entry) => !isOpening(entry));
      while (rest.length > 0 && !cancelled.signal.aborted) {
        const [entry, ...next] = rest;
        rest = next;
        if (entry.from === 'server') tell(entry.frame);
        else if (entry.from === 'fake') await special[entry.what](entry);
        else rest = (await hear(entry)) ?? next;
      }
    },
    interrupt(answer) {
      if (silent) return;
      cancelled.abort();
      for (const { from, frame } of endOfInterrupt()) {
        if (from !== 'server') continue;
        if (frame.id !== undefined) answer({});
        else if (frame.method === 'item/completed') for (const item of callsIn(open)) tell(failed(frame, item));
        else tell(frame);
      }
    },
  };
}

function valuesFor(thread, frames, id) {
  const end = frames.find(({ frame }) => frame?.method === 'turn/completed');
  const own = end?.frame.params.turn.id.slice(1, -1) ?? 'turn1';
  const turns = Object.fromEntries(['turn1', 'turn2'].map((name) => [name, name === own ? id : crypto.randomUUID()]));
  const { CODEX_HOME = '' } = process.env;
  return { thread1: thread.id, cwd: thread.cwd, folder: basename(thread.cwd), home: CODEX_HOME, ...turns };
}

function endOfInterrupt() {
  const all = recording('interrupt');
  return all.slice(all.findIndex(({ frame }) => frame.method === 'turn/interrupt') + 1);
}

/** Of these Codex says that they have failed; what else is running it leaves open. */
const callsIn = (open) => [...open.values()].filter(({ type }) => type === 'dynamicToolCall');

function failed(frame, { id, tool, arguments: given }) {
  const item = { ...frame.params.item, id, tool, arguments: given };
  return { ...frame, params: { ...frame.params, item } };
}
