// Threads as files in CODEX_HOME, so that another process can take one up.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './connection.mjs';

const folder = () => join(process.env.CODEX_HOME ?? '.', 'fake-threads');
const pathOf = (id) => join(folder(), `${id}.json`);

/** `{id, cwd, params, preview, name, order, turns}` */
export function saveThread(thread) {
  mkdirSync(folder(), { recursive: true });
  writeFileSync(pathOf(thread.id), JSON.stringify(thread));
}

export function loadThread(id) {
  try {
    return JSON.parse(readFileSync(pathOf(id), 'utf8'));
  } catch {
    throw new Refusal(`no rollout found for thread id ${id}`);
  }
}

/** A turn that never ends is remembered as far as it went. */
export function rememberTurn(threadId, { id, status, error, items, input }) {
  if (!existsSync(pathOf(threadId))) return;
  const thread = loadThread(threadId);
  const times = { startedAt: 1_800_000_000, completedAt: 1_800_000_000, durationMs: 1 };
  const turn = { id, rootTurnId: id, items, itemsView: 'full', status, error, ...times };
  const turns = [...thread.turns.filter((earlier) => earlier.id !== id), turn];
  const words = input?.map(({ text = '' }) => text).join('\n') ?? '';
  saveThread({ ...thread, turns, preview: thread.preview || words });
}

export function deleteThread(id) {
  loadThread(id);
  rmSync(pathOf(id));
}

/** The newest first. A thread in which nothing was said is not listed, as with the real one. */
export function listThreads({ cwd, cursor, limit = 25 } = {}) {
  const wanted = cwd === undefined || cwd === null ? undefined : [cwd].flat();
  const all = names()
    .map((name) => loadThread(name.replace('.json', '')))
    .filter((thread) => thread.turns.length > 0 && (!wanted || wanted.includes(thread.cwd)))
    .sort((a, b) => b.order - a.order);
  const start = Number(cursor ?? 0);
  const next = start + limit < all.length ? String(start + limit) : null;
  return { threads: all.slice(start, start + limit), next };
}

function names() {
  try {
    return readdirSync(folder());
  } catch {
    return [];
  }
}
