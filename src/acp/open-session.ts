/** Puts a session together: workshop, tools, permissions, and the thread in Codex. */
import type { McpServer, SessionUpdate } from '@agentclientprotocol/sdk';
import type { Engine } from '../engine/dispatch';
import { createAnnouncer, type EventForm } from './announcer';
import type { Client } from './client';
import type { Codex } from './codex/codex';
import { type ModeId, modes } from './modes';
import { createPermissions } from './permissions';
import { createSession, type Session } from './session';
import { strictEditor } from './strict-editor';
import { recoverThread, resumeThread, type StartedThread, startThread, type ThreadParts } from './thread';
import { ENDPOINT_NAME, type Folders, type ToolRoute } from './thread-settings';
import { createToolHost } from './tool-host';
import type { ToolItem } from './translate/items';
import { replay } from './translate/replay';
import type { Endpoint, OpenWorkshop, Workshop } from './workshop';

export interface SessionRequest extends Folders {
  readonly servers: readonly McpServer[];
  readonly mode: ModeId;
  readonly route: ToolRoute;
  /** The thread to take up; without one, another is started. */
  readonly resume?: { readonly threadId: string; readonly withReplay: boolean } | undefined;
}

export interface SessionSurroundings {
  readonly client: Client;
  readonly codex: Codex;
  readonly openWorkshop: OpenWorkshop;
  readonly events: EventForm;
}

export interface OpenedSession {
  readonly session: Session;
  readonly workshop: Workshop;
  readonly request: SessionRequest;
  readonly title: string | undefined;
  close(): Promise<void>;
}

export async function openSession(request: SessionRequest, around: SessionSurroundings): Promise<OpenedSession> {
  const { client, codex } = around;
  // Known when the thread is: the editor is asked for nothing before.
  let session: Session | undefined;
  let engine: Engine | undefined;
  const modeNow = () => modes[session?.choice.mode ?? request.mode];
  const editor = strictEditor(
    client.editorFor(
      () => session?.id ?? '',
      () => session?.signal(),
    ),
    () => modeNow().isWithoutEnvironment,
  );
  const workshop = around.openWorkshop([request.cwd, ...request.additional], editor);
  const endpoint = request.route === 'mcp' ? await openEndpoint(workshop, () => engine) : undefined;
  const parts: ThreadParts = {
    codex,
    settings: () => ({ ...request, mode: session?.choice.mode ?? request.mode }),
    workshop,
    route: request.route,
    endpoint,
  };
  const thread = await begin(parts, request).catch(async (thrown: unknown) => {
    await endpoint?.close();
    throw thrown;
  });
  session = assemble(thread);
  engine = session.engine(workshop.engine);
  if (request.resume?.withReplay) for (const update of past(thread)) client.update(session.id, update);
  return { session, workshop, request, title: thread.name, close: async () => endpoint?.close() };

  function assemble({ id, model, effort }: StartedThread): Session {
    const host = createToolHost({
      sessionId: id,
      cwd: request.cwd,
      engine: workshop.engine,
      announcer: createAnnouncer((update) => client.update(id, update), around.events),
      permissions: createPermissions(client, id),
      mode: modeNow,
      isConfined: workshop.isConfined,
      editorWrites: editor.canWrite,
      commandRan: workshop.commandRan,
    });
    const recover = async () => (await recoverThread(parts, session?.threadId ?? id)).id;
    const given = { ...request, id, client, codex, host, isOurs, commandRan: workshop.commandRan, recover };
    return createSession(given, id, { mode: request.mode, model, effort });
  }

  function past({ turns }: StartedThread): SessionUpdate[] {
    const effectOf = (tool: string) => workshop.engine.registry.find(tool)?.tool.contract.effect;
    return replay(turns, { cwd: request.cwd, isOurs, effectOf });
  }
}

/** Every dynamic tool is called here, also one that is none of ours any more. */
function isOurs(item: ToolItem): boolean {
  return item.type === 'dynamicToolCall' || item.server === ENDPOINT_NAME;
}

function begin(parts: ThreadParts, { resume }: SessionRequest): Promise<StartedThread> {
  if (!resume) return startThread(parts);
  return resumeThread(parts, resume.threadId, { withTurns: resume.withReplay });
}

/** Codex calls it only when the thread is there, and then the session is too. */
function openEndpoint(workshop: Workshop, engine: () => Engine | undefined): Promise<Endpoint> {
  return workshop.openEndpoint({
    ...workshop.engine,
    call: (call) => (engine() ?? workshop.engine).call(call),
  });
}
