/** The built bridge, an editor before it and a Codex that plays recordings behind it; one folder, one home. */
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { expect } from 'vitest';
import { type AcpClient, type AcpClientOptions, openAcpClient } from './acp-client';
import { agentFrameProblems } from './acp-frames';
import { type FakeHome, fakeCodex, makeFakeHome, type Received } from './fake-home';
import { makeWorkspace, type Workspace } from './workspace';

interface Answer {
  readonly result: unknown;
  readonly error: Received['error'] | undefined;
}

export interface BridgeStage {
  readonly home: FakeHome;
  readonly workspace: Workspace;
  /** Another editor with the same Codex home, as after a restart. */
  open(options?: Partial<AcpClientOptions>): Promise<AcpClient>;
  /** What Codex was asked with this method, oldest first. */
  asked(method: string): Record<string, unknown>[];
  /** What Codex was answered to its own requests, oldest first. */
  answered(): Answer[];
  /** For `afterEach`: fails unless all that was said so far is valid ACP. */
  expectValid(): void;
  /** For `afterAll`. */
  close(): Promise<void>;
}

export function setStage(files: Readonly<Record<string, string>> = {}): BridgeStage {
  const home = makeFakeHome();
  const workspace = makeWorkspace({ ...files });
  const clients: AcpClient[] = [];
  return {
    home,
    workspace,
    async open({ env, ...options } = {}) {
      const own = { ...home.env, CODEX_PATH: fakeCodex, TENON_SANDBOX: 'off', ...env };
      const client = await openAcpClient({ ...options, env: own });
      clients.push(client);
      return client;
    },
    asked: (method) => home.received().flatMap((frame) => (frame.method === method ? [frame.params ?? {}] : [])),
    answered: () =>
      home.received().flatMap(({ method, result, error }) => (method === undefined ? [{ result, error }] : [])),
    expectValid: () => expect(clients.flatMap(({ frames }) => agentFrameProblems(frames))).toEqual([]),
    async close() {
      for (const client of clients) await client.stop();
      home.remove();
      workspace.remove();
    },
  };
}

export const call = (tool: string, input: object): string => `call ${tool} ${JSON.stringify(input)}`;

export type ToolUpdate = Extract<SessionUpdate, { sessionUpdate: 'tool_call' | 'tool_call_update' }>;

/** What was told of calls, oldest first. */
export function callsIn(updates: readonly SessionUpdate[]): ToolUpdate[] {
  return updates.filter(
    (update): update is ToolUpdate =>
      update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update',
  );
}

/** The end that was told of the last call. */
export function lastCall(updates: readonly SessionUpdate[]): ToolUpdate | undefined {
  return callsIn(updates).at(-1);
}

export function textsIn(updates: readonly SessionUpdate[]): string {
  return updates
    .map((update) =>
      update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : '',
    )
    .join('');
}
