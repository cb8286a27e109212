/** The ACP agent: the requests of an editor, answered by the bridge. */
import { isAbsolute } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { type AgentApp, agent, type McpServer, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';
import { type Bridge, type BridgeParts, createBridge, type Place } from './bridge';
import { type Client, createClient } from './client';
import { CodexError } from './codex/connection';
import { CodexMissing } from './codex/find-codex';
import { configOptions } from './config-options';
import { greeting } from './greeting';
import { isMode, modeState } from './modes';
import type { OpenedSession } from './open-session';
import { listSessions } from './session-list';
import { COMMANDS } from './slash-commands';
import { WorkshopError } from './workshop';

export { startAppServer } from './codex/app-server';
export { findCodex } from './codex/find-codex';
export { originatorFor } from './thread';

export interface AgentParts extends Omit<BridgeParts, 'client'> {
  readonly version: string;
}

/** Serves one editor on stdin and stdout, until it is gone or we are told to stop. */
export function serveAcp(parts: AgentParts): { ended: Promise<void>; stop(): Promise<void> } {
  const served = createAgent(parts);
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
  const connection = served.app.connect(ndJsonStream(Writable.toWeb(process.stdout), input));
  return {
    ended: connection.closed,
    async stop() {
      connection.close();
      await served.stop();
      process.stdin.destroy();
    },
  };
}

interface Served {
  readonly app: AgentApp;
  stop(): Promise<void>;
}

export function createAgent(parts: AgentParts): Served {
  let opened: { bridge: Bridge; client: Client } | undefined;
  const bridge = () => {
    if (!opened) throw RequestError.invalidRequest(undefined, 'Expected initialize first');
    return opened.bridge;
  };
  const sessionOf = (sessionId: string): OpenedSession => {
    const found = bridge().find(sessionId);
    if (!found) throw RequestError.resourceNotFound(sessionId);
    return found;
  };

  const app = agent({ name: 'tenon' })
    .onRequest(methods.agent.initialize, ({ params, client }) => {
      const editor = createClient(client, params.clientCapabilities ?? {});
      opened = { client: editor, bridge: createBridge({ ...parts, client: editor }) };
      return greeting(parts.version);
    })
    .onRequest(methods.agent.authenticate, () => told(() => requireLogin(bridge())))
    .onRequest(methods.agent.session.new, ({ params }) =>
      told(async () => {
        await requireLogin(bridge());
        const found = await bridge().open(placeOf(params));
        return { sessionId: found.session.id, ...(await describe(found)) };
      }),
    )
    .onRequest(methods.agent.session.load, ({ params }) =>
      told(async () => describe(await reopen(params, { withReplay: true }))),
    )
    .onRequest(methods.agent.session.resume, ({ params }) =>
      told(async () => describe(await reopen(params, { withReplay: false }))),
    )
    .onRequest(methods.agent.session.list, ({ params }) => told(() => listSessions(bridge().codex, params)))
    .onRequest(methods.agent.session.close, ({ params }) => told(() => closeSession(params.sessionId)))
    .onRequest(methods.agent.session.delete, ({ params }) =>
      told(async () => {
        const threadId = bridge().find(params.sessionId)?.session.threadId ?? params.sessionId;
        await bridge().close(params.sessionId);
        await bridge().codex.request('thread/delete', { threadId });
        return {};
      }),
    )
    .onRequest(methods.agent.session.prompt, ({ params }) =>
      told(async () => ({ stopReason: await bridge().prompt(sessionOf(params.sessionId), params.prompt) })),
    )
    .onNotification(methods.agent.session.cancel, ({ params }) => {
      // Not waited for: what the editor says meanwhile must be heard.
      void opened?.bridge.find(params.sessionId)?.session.cancel();
    })
    .onRequest(methods.agent.session.setMode, ({ params }) =>
      told(async () => {
        const found = sessionOf(params.sessionId);
        choose(found, 'mode', params.modeId);
        const update = { sessionUpdate: 'config_option_update' as const, configOptions: await optionsOf(found) };
        opened?.client.update(params.sessionId, update);
        return {};
      }),
    )
    .onRequest(methods.agent.session.setConfigOption, ({ params }) =>
      told(async () => {
        const found = sessionOf(params.sessionId);
        choose(found, params.configId, String(params.value));
        return { configOptions: await optionsOf(found) };
      }),
    );

  return { app, stop: async () => opened?.bridge.stop() };

  async function reopen(
    params: { sessionId: string; cwd: string; additionalDirectories?: string[]; mcpServers?: McpServer[] },
    { withReplay }: { withReplay: boolean },
  ): Promise<OpenedSession> {
    // Loaded twice in one process: the first one lets go.
    await bridge().close(params.sessionId);
    return bridge().open(placeOf(params), { threadId: params.sessionId, withReplay });
  }

  async function closeSession(sessionId: string): Promise<object> {
    sessionOf(sessionId);
    await bridge().close(sessionId);
    return {};
  }

  async function describe(found: OpenedSession) {
    const options = await optionsOf(found);
    // An editor knows the session only when it has this answer.
    setImmediate(() => introduce(found));
    return { modes: modeState(found.session.choice.mode), configOptions: options };
  }

  async function optionsOf({ session }: OpenedSession) {
    return configOptions(session.choice, await bridge().models());
  }

  function introduce({ session, title }: OpenedSession): void {
    opened?.client.update(session.id, {
      sessionUpdate: 'available_commands_update',
      availableCommands: [...COMMANDS],
    });
    if (title) opened?.client.update(session.id, { sessionUpdate: 'session_info_update', title });
  }

  function choose({ session }: OpenedSession, option: string, value: string): void {
    if (option === 'mode') {
      if (!isMode(value)) throw RequestError.invalidParams(undefined, `There is no mode ${value}`);
      session.choice = { ...session.choice, mode: value };
      opened?.client.update(session.id, { sessionUpdate: 'current_mode_update', currentModeId: value });
    } else if (option === 'model') session.choice = { ...session.choice, model: value, effort: undefined };
    else if (option === 'effort') session.choice = { ...session.choice, effort: value };
    else throw RequestError.invalidParams(undefined, `There is no option ${option}`);
  }
}

async function requireLogin({ codex }: Bridge): Promise<object> {
  const { account, requiresOpenaiAuth } = await codex.request<{ account: unknown; requiresOpenaiAuth: boolean }>(
    'account/read',
  );
  if (requiresOpenaiAuth && !account)
    throw RequestError.authRequired(undefined, 'Codex has no login. Run in a terminal: codex login');
  return {};
}

function placeOf(params: { cwd: string; additionalDirectories?: string[]; mcpServers?: McpServer[] }): Place {
  const additional = params.additionalDirectories ?? [];
  for (const folder of [params.cwd, ...additional])
    if (!isAbsolute(folder)) throw RequestError.invalidParams(undefined, `Expected an absolute path, got ${folder}`);
  return { cwd: params.cwd, additional, servers: params.mcpServers ?? [] };
}

/** What went wrong at Codex, in its words; everything else is the SDK's to say. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof CodexError || thrown instanceof CodexMissing)
      throw RequestError.internalError(undefined, thrown.message);
    if (thrown instanceof WorkshopError) throw RequestError.invalidParams(undefined, thrown.message);
    throw thrown;
  }
}
