/** The files of an editor: what was typed and not saved lies in memory, the rest on disk. */
import { readFileSync, writeFileSync } from 'node:fs';
import { type ReadTextFileRequest, RequestError, type WriteTextFileRequest } from '@agentclientprotocol/sdk';

export interface EditorBuffers {
  /** Texts that are open, saved or not. A write changes an open one and leaves the disk alone. */
  readonly open: Map<string, string>;
  /** `read PATH` and `write PATH`, in the order in which they were asked for. */
  readonly asked: string[];
  /** May throw, or wait until the signal says that nobody wants the answer any more. */
  beforeRead: (path: string, signal: AbortSignal) => void | Promise<void>;
  beforeWrite: (path: string, signal: AbortSignal) => void | Promise<void>;
  read(request: ReadTextFileRequest, signal: AbortSignal): Promise<{ content: string }>;
  write(request: WriteTextFileRequest, signal: AbortSignal): Promise<object>;
}

export function makeBuffers(texts: Readonly<Record<string, string>>): EditorBuffers {
  const buffers: EditorBuffers = {
    open: new Map(Object.entries(texts)),
    asked: [],
    beforeRead: () => {},
    beforeWrite: () => {},
    async read({ path, line, limit }, signal) {
      buffers.asked.push(`read ${path}`);
      await buffers.beforeRead(path, signal);
      return { content: windowOf(buffers.open.get(path) ?? onDisk(path), line ?? 1, limit ?? undefined) };
    },
    async write({ path, content }, signal) {
      buffers.asked.push(`write ${path}`);
      await buffers.beforeWrite(path, signal);
      if (buffers.open.has(path)) buffers.open.set(path, content);
      else writeFileSync(path, content);
      return {};
    },
  };
  return buffers;
}

/** What an editor says when its person says no. */
export function denied(method: string): RequestError {
  return new RequestError(-32603, 'Internal error', { details: `Permission denied for ${method}` });
}

function onDisk(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw RequestError.resourceNotFound(`file://${path}`);
  }
}

function windowOf(text: string, line: number, limit: number | undefined): string {
  const lines = text.split(/(?<=\n)/);
  return lines.slice(line - 1, limit === undefined ? undefined : line - 1 + limit).join('');
}
