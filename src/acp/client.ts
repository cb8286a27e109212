/** The editor at the other end, as the bridge sees it: what it can do, and how it is asked and told. */
import {
  type AgentContext,
  type ClientCapabilities,
  methods,
  type ReadTextFileResponse,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SendRequestOptions,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { type Editor, EditorError } from '../contract/editor';

export interface Client {
  readonly capabilities: ClientCapabilities;
  /** Sent in the order in which it is called. */
  update(sessionId: string, update: SessionUpdate): void;
  /** Resolves when all that was sent so far is on its way. */
  flush(): Promise<void>;
  /** What went wrong on the way to the person counts as no answer, never as a yes. */
  requestPermission(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse>;
  /** The buffers of the editor, for one session. */
  editorFor(sessionId: () => string, signal: () => AbortSignal | undefined): Editor;
  elicit(params: object, signal: AbortSignal): Promise<{ action: string; content?: unknown }>;
}

export function createClient(context: AgentContext, capabilities: ClientCapabilities): Client {
  let lastSent: Promise<unknown> = Promise.resolve();
  return {
    capabilities,
    update(sessionId, update) {
      lastSent = context.notify(methods.client.session.update, { sessionId, update }).catch(() => {});
    },
    async flush() {
      await lastSent;
    },
    async requestPermission(request, signal) {
      const cancelled: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };
      return context
        .request(methods.client.session.requestPermission, request, {
          cancellationSignal: signal,
          stopWaitingOnCancel: true,
        })
        .catch(() => cancelled);
    },
    editorFor: (sessionId, signal) => ({
      canRead: capabilities.fs?.readTextFile === true,
      canWrite: capabilities.fs?.writeTextFile === true,
      async readText(path) {
        const params = { sessionId: sessionId(), path };
        const answer = context.request<ReadTextFileResponse>(
          methods.client.fs.readTextFile,
          params,
          cancelBy(signal()),
        );
        return (await asked(answer)).content;
      },
      async writeText(path, content) {
        const params = { sessionId: sessionId(), path, content };
        await asked(context.request(methods.client.fs.writeTextFile, params, cancelBy(signal())));
      },
    }),
    elicit: (params, signal) =>
      context.request(methods.client.elicitation.create, params as never, {
        cancellationSignal: signal,
        stopWaitingOnCancel: true,
      }),
  };
}

function cancelBy(signal: AbortSignal | undefined): SendRequestOptions {
  return signal ? { cancellationSignal: signal, stopWaitingOnCancel: true } : {};
}

/** What the editor answers instead of doing it, in its own numbers and words. */
async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (thrown) {
    if (thrown instanceof RequestError) throw new EditorError(thrown.code, thrown.message, detailsOf(thrown.data));
    throw new EditorError(-32603, thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function detailsOf(data: unknown): string {
  const details = (data as { details?: unknown } | undefined)?.details;
  return typeof details === 'string' ? details : '';
}
