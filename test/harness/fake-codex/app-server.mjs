// The methods of `codex app-server` that a bridge uses, answered from recordings with live ids.
import { basename } from 'node:path';
import { openConnection, Refusal } from './connection.mjs';
import { serversIn } from './mcp-call.mjs';
import { fill, recordedAnswer, recordedError, recordedTurn } from './recordings.mjs';
import { framesOfTurn } from './scenario.mjs';
import { deleteThread, listThreads, loadThread, saveThread } from './threads.mjs';
import { startTurn } from './turn.mjs';

/** What this Codex does not have, as older ones do not: `dynamicTools`, `environments`, `login`. */
const lacks = (what) => (process.env.FAKE_CODEX_LACKS ?? '').split(',').includes(what);

export function serve() {
  const loaded = new Map();
  const running = new Map();
  let initialized = false;
  let originator = null;
  const connection = openConnection((method, params, early) => {
    if (!initialized && method !== 'initialize') throw new Refusal('Not initialized');
    const handler = methods[method];
    if (!handler) throw new Refusal(`Invalid request: unknown variant \`${method}\`, expected one of …`);
    return handler(params, early);
  });

  const threadOf = ({ threadId }) => {
    const thread = loaded.get(threadId);
    if (!thread) throw new Refusal(`thread not found: ${threadId}`);
    return thread;
  };
  const play = (thread, frames, early, input) => {
    const turn = startTurn({ connection, thread, frames, input, done: () => running.delete(thread.id) });
    running.set(thread.id, turn);
    early(turn.opening);
    turn.play();
  };
  const take = (thread, params) => {
    loaded.set(thread.id, { ...thread, params: { ...thread.params, ...params } });
    announceServers(connection, thread.id, params);
  };

  const methods = {
    initialize({ clientInfo }) {
      initialized = true;
      originator = clientInfo?.name ?? null;
      return fill(recordedAnswer('opening', 'initialize').result, { home: process.env.CODEX_HOME ?? '' });
    },
    'model/list': () => recordedAnswer('opening', 'model/list').result,
    'account/read': () =>
      lacks('login') ? { account: null, requiresOpenaiAuth: true } : recordedAnswer('opening', 'account/read').result,
    'mcpServerStatus/list': () => fill(recordedAnswer('mcp-status', 'mcpServerStatus/list').result, {}),
    'thread/loaded/list': () => ({ data: [...loaded.keys()], nextCursor: null }),
    'thread/start'({ ...params }, early) {
      if (lacks('dynamicTools')) delete params.dynamicTools;
      if (lacks('environments') && params.environments) throw new Refusal('unknown field `environments`');
      if (params.dynamicTools && !Array.isArray(params.dynamicTools))
        throw new Refusal(recordedError('opening', 'dynamicTools').message);
      const cwd = params.cwd ?? process.cwd();
      const thread = {
        id: crypto.randomUUID(),
        cwd,
        order: Date.now(),
        originator,
        preview: '',
        name: null,
        turns: [],
      };
      saveThread({ ...thread, params });
      take(thread, params);
      const result = withSettings(fill(recordedAnswer('opening', 'thread/start').result, placesOf(thread)), params);
      early(result);
      connection.send({ method: 'thread/started', params: { thread: result.thread } });
    },
    'thread/resume'(params) {
      const stored = loadThread(params.threadId);
      const thread = { ...stored, cwd: params.cwd ?? stored.cwd };
      // What a thread was started with stays, but for its environments: those come back.
      const { environments: _, ...kept } = thread.params;
      take({ ...thread, params: kept }, params);
      const result = fill(recordedAnswer('resume', 'thread/resume').result, placesOf(thread));
      const whole = { ...result, thread: describe(result.thread, thread, { turns: !params.excludeTurns }) };
      return withSettings(whole, { ...kept, ...params });
    },
    'thread/read'({ threadId, includeTurns }) {
      const thread = loadThread(threadId);
      const result = fill(recordedAnswer('resume', 'thread/read').result, placesOf(thread));
      return { ...result, thread: describe(result.thread, thread, { turns: includeTurns }) };
    },
    'thread/turns/list'({ threadId, sortDirection }) {
      const { turns } = loadThread(threadId);
      const data = sortDirection === 'asc' ? turns : [...turns].reverse();
      return { data, nextCursor: null, backwardsCursor: null };
    },
    'thread/list'(params) {
      const { threads, next } = listThreads(params);
      const { result } = recordedAnswer('opening', 'thread/list');
      const data = threads.map((thread) => describe(fill(result.data[0], placesOf(thread)), thread, { turns: false }));
      return { data, readStates: {}, nextCursor: next, backwardsCursor: null };
    },
    'thread/name/set'({ threadId, name }) {
      saveThread({ ...loadThread(threadId), name });
      return {};
    },
    'thread/unsubscribe'({ threadId }) {
      return { status: loaded.delete(threadId) ? 'unsubscribed' : 'notLoaded' };
    },
    'thread/delete'({ threadId }, early) {
      deleteThread(threadId);
      loaded.delete(threadId);
      early({});
      connection.send({ method: 'thread/deleted', params: { threadId } });
    },
    'turn/start'(params, early) {
      const thread = threadOf(params);
      if (lacks('environments') && params.environments) throw new Refusal('unknown field `environments`');
      const current = running.get(thread.id);
      // Words that come in the middle of a turn are added to it.
      if (current) return current.opening;
      Object.assign(thread.params, sticky(params));
      play(thread, framesOfTurn(params, thread), early, params.input);
    },
    'thread/compact/start'(params, early) {
      const thread = threadOf(params);
      play(thread, recordedTurn('compact', 'thread/compact/start'), () => early({}));
    },
    'review/start'(params, early) {
      const thread = threadOf(params);
      play(thread, recordedTurn('review', 'review/start'), early);
    },
    'turn/interrupt'(params, early) {
      const turn = running.get(threadOf(params).id);
      if (!turn || turn.id !== params.turnId) throw new Refusal('no active turn to interrupt');
      turn.interrupt(early);
    },
  };
}

const placesOf = ({ id, cwd }) => ({
  thread1: id,
  cwd,
  folder: basename(cwd),
  home: process.env.CODEX_HOME ?? '',
});

/** What lasts beyond the turn in which it was said. */
function sticky({ environments, model, effort, approvalPolicy, sandboxPolicy }) {
  const said = { environments, model, effort, approvalPolicy, sandboxPolicy };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

function describe(template, { id, cwd, preview, name, originator, turns }, wanted) {
  return { ...template, id, cwd, preview, name, originator, turns: wanted.turns ? turns : [] };
}

const SANDBOXES = {
  'read-only': 'readOnly',
  'workspace-write': 'workspaceWrite',
  'danger-full-access': 'dangerFullAccess',
};

function withSettings(result, { model, approvalPolicy, sandbox, environments }) {
  return {
    ...result,
    ...(model && { model }),
    ...(approvalPolicy && { approvalPolicy }),
    ...(sandbox && { sandbox: { ...result.sandbox, type: SANDBOXES[sandbox] } }),
    thread: { ...result.thread, ...(environments && { environments }) },
  };
}

function announceServers(connection, threadId, { config = {} }) {
  for (const { name } of serversIn(config ?? {}))
    for (const status of ['starting', 'ready'])
      connection.send({
        method: 'mcpServer/startupStatus/updated',
        params: { threadId, name, status, error: null, failureReason: null },
      });
}
