/**
 * An editor for `tenon acp`, made with the SDK's client: unsaved buffers in memory, answers to questions by a policy,
 * and everything that went over the wire kept for later.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  type ClientConnection,
  client as clientApp,
  type InitializeResponse,
  methods,
  PROTOCOL_VERSION,
  type PromptResponse,
  type RequestPermissionOutcome,
  type RequestPermissionRequest,
  type SessionNotification,
  type SessionUpdate,
  type StopReason,
} from '@agentclientprotocol/sdk';
import { binary, nodeBinary } from './binary';
import { type EditorBuffers, makeBuffers } from './editor-buffers';
import { descendants, remaining } from './processes';
import { loggedStream, type PipedChild, type WireFrame } from './wire-log';

export type PermissionPolicy = (
  request: RequestPermissionRequest,
) => RequestPermissionOutcome | Promise<RequestPermissionOutcome>;

export interface AcpClientOptions {
  readonly args?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Which file methods it says it has; both, unless told otherwise. */
  readonly fs?: { readonly readTextFile?: boolean; readonly writeTextFile?: boolean };
  readonly buffers?: Readonly<Record<string, string>>;
  /** Allows everything once, unless told otherwise. */
  readonly permit?: PermissionPolicy;
}

export interface PromptEnd {
  readonly stopReason: StopReason;
  /** What was told between the prompt and its answer. */
  readonly updates: SessionUpdate[];
}

export interface AcpClient {
  readonly agent: ClientConnection['agent'];
  readonly greeting: InitializeResponse;
  readonly editor: EditorBuffers;
  /** The questions that were asked, oldest first. */
  readonly questions: RequestPermissionRequest[];
  readonly frames: readonly WireFrame[];
  readonly pid: number;
  permit: PermissionPolicy;
  newSession(cwd: string): Promise<string>;
  prompt(sessionId: string, text: string): Promise<PromptEnd>;
  cancel(sessionId: string): Promise<void>;
  updates(sessionId: string): SessionUpdate[];
  /** Ends when an update is there that matches, told before or after. */
  told(sessionId: string, matches: (update: SessionUpdate) => boolean): Promise<SessionUpdate>;
  log(): string;
  /** Closes its stdin, as an editor does that goes; gives the code, and the processes that are still there. */
  leave(): Promise<{ code: number | null; left: number[] }>;
  /** For the end of a test, whatever has happened before. */
  stop(): Promise<void>;
}

const PATIENCE_MS = 30_000;
export const ALLOW: RequestPermissionOutcome = { outcome: 'selected', optionId: 'allow' };
export const ALLOW_FOR_SESSION: RequestPermissionOutcome = { outcome: 'selected', optionId: 'allow-for-session' };
export const REJECT: RequestPermissionOutcome = { outcome: 'selected', optionId: 'reject' };

export async function openAcpClient(options: AcpClientOptions): Promise<AcpClient> {
  const child = spawn(nodeBinary(), [binary, 'acp', ...(options.args ?? [])], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: options.env,
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  }) as PipedChild;
  const frames: WireFrame[] = [];
  const questions: RequestPermissionRequest[] = [];
  const listeners = new Set<() => void>();
  const editor = makeBuffers(options.buffers ?? {});
  const stderr = collect(child);
  const ended = once(child, 'exit').then(([code]) => code as number | null);

  const connection = clientApp({ name: 'tenon-test' })
    .onRequest(methods.client.fs.readTextFile, ({ params, signal }) => editor.read(params, signal))
    .onRequest(methods.client.fs.writeTextFile, ({ params, signal }) => editor.write(params, signal))
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      questions.push(params);
      return { outcome: await opened.permit(params) };
    })
    // The SDK tells of updates later than of answers; the lines have them in the order in which they came.
    .onNotification(methods.client.session.update, () => {})
    .connect(
      loggedStream(child, (frame) => {
        frames.push(frame);
        for (const listen of [...listeners]) listen();
      }),
    );
  const { agent } = connection;

  const updates = (sessionId: string) => updatesIn(frames, sessionId);
  const opened: AcpClient = {
    agent,
    greeting: await initialize(agent, options).catch(async (error) => {
      child.kill('SIGKILL');
      throw new Error(`${error}: ${stderr()}`);
    }),
    editor,
    questions,
    frames,
    pid: child.pid ?? 0,
    permit: options.permit ?? (() => ALLOW),
    newSession: async (cwd) => (await agent.request(methods.agent.session.new, { cwd, mcpServers: [] })).sessionId,
    async prompt(sessionId, text) {
      const before = updates(sessionId).length;
      const prompt = [{ type: 'text' as const, text }];
      const { stopReason } = await agent.request<PromptResponse>(methods.agent.session.prompt, { sessionId, prompt });
      return { stopReason, updates: updates(sessionId).slice(before) };
    },
    cancel: (sessionId) => agent.notify(methods.agent.session.cancel, { sessionId }),
    updates,
    told: (sessionId, matches) =>
      limited(
        new Promise((resolve) => {
          const look = () => {
            const found = updates(sessionId).find(matches);
            if (!found) return;
            listeners.delete(look);
            resolve(found);
          };
          listeners.add(look);
          look();
        }),
        () => `no such update; log: ${stderr()}`,
      ),
    log: stderr,
    async leave() {
      const below = descendants(child.pid ?? 0);
      child.stdin.end();
      const code = await limited(ended, () => `it did not end: ${stderr()}`);
      return { code, left: await remaining(below) };
    },
    async stop() {
      const below = descendants(child.pid ?? 0);
      child.kill('SIGKILL');
      await ended;
      connection.close();
      for (const pid of below) end(pid);
    },
  };
  return opened;
}

function updatesIn(frames: readonly WireFrame[], sessionId: string): SessionUpdate[] {
  return frames.flatMap(({ from, line }) => {
    if (from !== 'agent' || !line.includes('"session/update"')) return [];
    const { method, params } = JSON.parse(line) as { method?: string; params: SessionNotification };
    return method === 'session/update' && params.sessionId === sessionId ? [params.update] : [];
  });
}

function initialize(agent: ClientConnection['agent'], { fs = {} }: AcpClientOptions): Promise<InitializeResponse> {
  const { readTextFile = true, writeTextFile = true } = fs;
  return agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile, writeTextFile } },
    clientInfo: { name: 'tenon-test', version: '1.0.0' },
  });
}

function collect(child: PipedChild): () => string {
  let text = '';
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
}

async function limited<T>(work: Promise<T>, complaint: () => string): Promise<T> {
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    limit = setTimeout(() => reject(new Error(complaint())), PATIENCE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(limit));
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
