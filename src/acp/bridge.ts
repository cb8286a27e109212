/** All sessions of one editor, and the Codex that they share. */
import type { ContentBlock, McpServer, StopReason } from '@agentclientprotocol/sdk';
import type { EventForm } from './announcer';
import type { Client } from './client';
import type { AppServer } from './codex/app-server';
import { type Codex, createCodex } from './codex/codex';
import { CodexError, type CodexHandlers, type Params } from './codex/connection';
import { commandActions } from './command-actions';
import type { Model } from './config-options';
import type { ModeId } from './modes';
import { type OpenedSession, openSession } from './open-session';
import { runCommand } from './slash-commands';
import { knowsDynamicTools, routeOfThread } from './thread';
import type { Folders, ToolRoute } from './thread-settings';
import type { OpenWorkshop } from './workshop';

export interface BridgeParts {
  readonly client: Client;
  readonly startCodex: (handlers: CodexHandlers, signal: AbortSignal) => Promise<AppServer>;
  readonly openWorkshop: OpenWorkshop;
  readonly events: EventForm;
  readonly mode: ModeId;
  readonly tools: 'auto' | ToolRoute;
  readonly onProblem: (message: string) => void;
}

export interface Place extends Folders {
  readonly servers: readonly McpServer[];
}

export interface Bridge {
  readonly codex: Codex;
  models(): Promise<readonly Model[]>;
  open(place: Place, resume?: { threadId: string; withReplay: boolean }): Promise<OpenedSession>;
  find(sessionId: string): OpenedSession | undefined;
  prompt(opened: OpenedSession, blocks: readonly ContentBlock[]): Promise<StopReason>;
  /** Ends what runs in the session and lets go of it; the thread stays. */
  close(sessionId: string): Promise<void>;
  stop(): Promise<void>;
}

export function createBridge(parts: BridgeParts): Bridge {
  const sessions = new Map<string, OpenedSession>();
  const codex = createCodex({
    start: (signal) => parts.startCodex({ notified, asked }, signal),
    isBusy: () => [...sessions.values()].some(({ session }) => session.isWorking),
    lost: (why) => {
      parts.onProblem(why);
      for (const { session } of sessions.values()) session.lost(why);
    },
  });
  let dynamicTools: Promise<boolean> | undefined;
  let models: Promise<readonly Model[]> | undefined;

  const bridge: Bridge = {
    codex,
    find: (sessionId) => sessions.get(sessionId),
    models() {
      models ??= codex
        .request<{ data: readonly Model[] }>('model/list', {})
        .then(({ data }) => data)
        // A list that cannot be had is no reason to have no session.
        .catch(() => {
          models = undefined;
          return [];
        });
      return models;
    },
    async open(place, resume) {
      const route = resume ? await routeOfThread(codex, resume.threadId, takesDynamicTools) : await routeOfNew();
      const around = { client: parts.client, codex, openWorkshop: parts.openWorkshop, events: parts.events };
      const opened = await openSession({ ...place, mode: parts.mode, route, resume }, around);
      sessions.set(opened.session.id, opened);
      return opened;
    },
    async prompt(opened, blocks) {
      const done = await runCommand(blocks, commandActions(opened, codex));
      if (done === undefined) return opened.session.prompt(blocks);
      await parts.client.flush();
      return done;
    },
    async close(sessionId) {
      const opened = sessions.get(sessionId);
      if (!opened) return;
      await opened.session.cancel();
      sessions.delete(sessionId);
      await codex.request('thread/unsubscribe', { threadId: opened.session.threadId }).catch(() => {});
      await opened.close();
    },
    async stop() {
      for (const { session } of sessions.values()) session.end();
      await Promise.all([...sessions.values()].map((opened) => opened.close()));
      await codex.stop();
    },
  };
  return bridge;

  async function routeOfNew(): Promise<ToolRoute> {
    if (parts.tools !== 'auto') return parts.tools;
    return (await takesDynamicTools()) ? 'dynamic' : 'mcp';
  }

  /** Asked once; a Codex that went away instead of answering is asked again. */
  function takesDynamicTools(): Promise<boolean> {
    dynamicTools ??= knowsDynamicTools(codex).catch((thrown: unknown) => {
      dynamicTools = undefined;
      throw thrown;
    });
    return dynamicTools;
  }

  function sessionOf({ threadId }: Params): OpenedSession['session'] | undefined {
    for (const { session } of sessions.values()) if (session.threadId === threadId) return session;
    return undefined;
  }

  function notified(method: string, params: Params): void {
    sessionOf(params)?.notified(method, params);
  }

  async function asked(method: string, params: Params): Promise<object> {
    const session = sessionOf(params);
    if (!session) throw new CodexError(-32601, `No session of ours has this thread: ${method}`);
    return session.asked(method, params);
  }
}
