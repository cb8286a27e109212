/** The agent of an editor: a workshop for each of its sessions, and the Codex CLI. */
import { randomBytes } from 'node:crypto';
import { type AgentParts, findCodex, originatorFor, serveAcp as serve, startAppServer } from '../acp/agent';
import type { AppServer } from '../acp/codex/app-server';
import type { CodexHandlers } from '../acp/codex/connection';
import { type Endpoint, type Workshop, WorkshopError } from '../acp/workshop';
import { untilSignalled } from '../cli/http-start';
import type { Settings } from '../cli/settings';
import { UsageError } from '../cli/usage-error';
import type { Editor } from '../contract/editor';
import type { JailedPath } from '../contract/ports';
import { createEngine, type Engine } from '../engine/dispatch';
import { createLongAnswers } from '../mcp/long-answers';
import { createBufferWatch } from '../services/files/buffer-watch';
import { noteFiles } from '../services/files/note-files';
import { rehearseFiles } from '../services/files/rehearsal';
import type { Log } from '../services/log';
import { engineParts } from './engine';
import { existingDirectory } from './folders';
import { openHouse } from './house';
import { mcpSdk, serverFactory, version, wordsOf } from './served';

export async function serveAcp(settings: Settings, log: Log): Promise<number> {
  const agent = serve(agentParts(settings, log));
  await Promise.race([agent.ended, untilSignalled()]);
  await agent.stop();
  return 0;
}

/** What the agent of an editor needs of the house. */
function agentParts(settings: Settings, log: Log): AgentParts {
  const { mode, codexTools: tools, acpEvents: events } = settings;
  return {
    version,
    mode,
    tools,
    events,
    onProblem: (message) => log.warn(message),
    openWorkshop: (folders, editor) => openWorkshop({ ...settings, roots: folders.map(servedFolder) }, log, editor),
    startCodex: (handlers, signal) => startCodex(handlers, signal, tools),
  };
}

async function startCodex(
  handlers: CodexHandlers,
  signal: AbortSignal,
  tools: Settings['codexTools'],
): Promise<AppServer> {
  return startAppServer({
    command: findCodex(process.env, [process.cwd(), __dirname]),
    environment: process.env,
    name: originatorFor(tools),
    version,
    handlers,
    signal,
  });
}

/** The tools of one editor's session: its folders are the roots, its buffers come before the disk. */
function openWorkshop(settings: Settings, log: Log, editor: Editor): Workshop {
  const watch = createBufferWatch();
  const { jail, servicesFor, sandbox } = openHouse(settings, log, { editor, watch });
  const placeOf = (path: JailedPath) => jail.written(path).real;
  const engine = createEngine({
    ...engineParts(settings, log),
    servicesFor(rule, { notes }) {
      const services = servicesFor(rule);
      return notes ? { ...services, files: noteFiles(services.files, notes, placeOf) } : services;
    },
    rehearsalFor(rule) {
      const services = servicesFor(rule);
      const { files, diffs } = rehearseFiles(services.files, placeOf);
      return { services: { ...services, files }, diffs };
    },
  });
  const { tools, instructions } = wordsOf(settings);
  return {
    engine,
    tools,
    instructions,
    isConfined: async () => (await sandbox.warning()) === undefined && settings.sandbox !== 'off',
    commandRan: watch.commandRan,
    openEndpoint: (endpointEngine) => openEndpoint(endpointEngine, settings, log),
  };
}

/** For Codex alone: on loopback, at a free port, with a token that only it is told. */
async function openEndpoint(engine: Engine, settings: Settings, log: Log): Promise<Endpoint> {
  const [host, token] = ['127.0.0.1', randomBytes(32).toString('base64url')];
  const onerror = (error: Error) => log.warn(error.message);
  const longAnswers = createLongAnswers();
  const factory = serverFactory(engine, { ...settings, toolErrors: 'result' }, wordsOf(settings), longAnswers);
  const door = await mcpSdk().openHttp({ host, port: 0, factory, token, onerror, longAnswers });
  return { url: `http://${host}:${door.port}/mcp`, token, close: () => door.close() };
}

function servedFolder(path: string): string {
  try {
    return existingDirectory(path);
  } catch (thrown) {
    throw thrown instanceof UsageError ? new WorkshopError(thrown.message) : thrown;
  }
}
