/**
 * The Codex thread behind a session. It is started once; whenever Codex was started anew it is taken up again, with
 * the settings of now. The session keeps its name even where Codex had to begin another thread for it.
 */
import type { Codex } from './codex/codex';
import { CONNECTION_LOST, CodexError, NO_ANSWER } from './codex/connection';
import { requestIn } from './environments';
import { modes } from './modes';
import { startParams, type ThreadSettings, type ToolRoute, threadParams } from './thread-settings';
import type { Endpoint, Workshop } from './workshop';

export interface StartedThread {
  readonly id: string;
  readonly model: string;
  readonly effort: string | undefined;
  readonly name: string | undefined;
  /** To be replayed; only when they were asked for. */
  readonly turns: readonly unknown[];
}

export interface ThreadParts {
  readonly codex: Codex;
  readonly settings: () => ThreadSettings;
  readonly workshop: Workshop;
  readonly route: ToolRoute;
  readonly endpoint: Endpoint | undefined;
}

interface ThreadAnswer {
  readonly thread: { readonly id: string; readonly name?: string | null; readonly turns?: readonly unknown[] };
  readonly model: string;
  readonly reasoningEffort?: string | null;
}

export async function startThread(parts: ThreadParts): Promise<StartedThread> {
  const { codex, settings, workshop, route, endpoint } = parts;
  const now = settings();
  const given = { ...threadParams(now, endpoint), ...startParams(now, workshop, route) };
  const environments = modes[now.mode].isWithoutEnvironment ? [] : undefined;
  return read(await requestIn<ThreadAnswer>(codex, environments, 'thread/start', given));
}

export async function resumeThread(
  parts: ThreadParts,
  threadId: string,
  options: { withTurns: boolean },
): Promise<StartedThread> {
  const { codex, settings, workshop, endpoint } = parts;
  const { developerInstructions } = startParams(settings(), workshop, 'mcp');
  const params = { threadId, ...threadParams(settings(), endpoint), developerInstructions };
  const answer = await codex.request<ThreadAnswer>('thread/resume', { ...params, excludeTurns: !options.withTurns });
  return read(answer);
}

/** Takes the thread up again; one without any turn was never written down, and is begun anew. */
export async function recoverThread(parts: ThreadParts, threadId: string): Promise<StartedThread> {
  try {
    return await resumeThread(parts, threadId, { withTurns: false });
  } catch (thrown) {
    if (thrown instanceof CodexError && /no rollout|not found/i.test(thrown.message)) return startThread(parts);
    throw thrown;
  }
}

/**
 * Asked with a value of the wrong type, a Codex that knows dynamic tools says so, and no thread comes of it; one that
 * does not know them passes over the field, or refuses it by its name.
 */
export async function knowsDynamicTools(codex: Codex): Promise<boolean> {
  try {
    await codex.request('thread/start', { ephemeral: true, dynamicTools: 'none' });
    return false;
  } catch (thrown) {
    if (!(thrown instanceof CodexError) || thrown.code === CONNECTION_LOST || thrown.code === NO_ANSWER) throw thrown;
    return /expected a sequence|invalid type/i.test(thrown.message);
  }
}

/** A thread keeps the dynamic tools that it was started with; only those that we started so have ours. */
export async function routeOfThread(
  codex: Codex,
  threadId: string,
  takesDynamicTools: () => Promise<boolean>,
): Promise<ToolRoute> {
  const { thread } = await codex.request<{ thread: { originator?: string | null } }>('thread/read', { threadId });
  if (thread.originator !== originatorFor('dynamic')) return 'mcp';
  // Our name is the same where a Codex was asked for them and had none.
  return (await takesDynamicTools()) ? 'dynamic' : 'mcp';
}

/** The name by which we greet Codex; it is written down with each thread. */
export function originatorFor(route: 'auto' | ToolRoute): string {
  return route === 'mcp' ? 'tenon-mcp' : 'tenon';
}

function read({ thread, model, reasoningEffort }: ThreadAnswer): StartedThread {
  return {
    id: thread.id,
    model,
    effort: reasoningEffort ?? undefined,
    name: thread.name ?? undefined,
    turns: thread.turns ?? [],
  };
}
