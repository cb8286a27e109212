/** Starts a server on a folder and speaks to it in the words of the trials. */
import { NoAnswer, openMcpClient, RpcError } from './mcp-client';
import type { Answer, LaunchOptions, Operation, Server, Session, ToolCall, ToolResult } from './server';

export interface OpenOptions extends LaunchOptions {
  readonly root: string;
}

export async function openSession(server: Server, { root, ...options }: OpenOptions): Promise<Session> {
  const client = await openMcpClient(server.command(root, options));
  const tools = server.tools(root);

  async function call({ tool, args }: ToolCall, options?: { limitMs?: number }): Promise<Answer> {
    try {
      const result = await client.request('tools/call', { name: tool, arguments: args }, options);
      return server.judge(result as ToolResult);
    } catch (error) {
      if (error instanceof RpcError) return { ok: false, text: error.message };
      throw error;
    }
  }

  return {
    client,
    pid: client.process.pid ?? -1,
    tools,
    can: (operation: Operation) => tools[operation] !== undefined,
    call,
    read: (path) => call(has(tools.read)(path)),
    write: (path, text) => call(has(tools.write)(path, text)),
    edit: (path, change) => call(has(tools.edit)(path, change)),
    move: (from, to) => call(has(tools.move)(from, to)),
    append: (line) => call(has(tools.append)(line)),
    close: () => client.close(),
    kill: () => client.kill(),
  };
}

/** Opens a session, works with it, and ends the server whatever happens. */
export async function withSession<T>(
  server: Server,
  options: OpenOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await openSession(server, options);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

/** The same with several servers on one folder. */
export async function withSessions<T>(
  server: Server,
  options: OpenOptions,
  count: number,
  work: (sessions: Session[]) => Promise<T>,
): Promise<T> {
  const opened = await Promise.allSettled(Array.from({ length: count }, () => openSession(server, options)));
  const sessions = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  try {
    for (const each of opened) if (each.status === 'rejected') throw each.reason;
    return await work(sessions);
  } finally {
    await Promise.all(sessions.map((session) => session.close()));
  }
}

/** An answer, or undefined where the server ended or kept silent. */
export async function answerOrNothing(pending: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await pending;
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

function has<T>(tool: T | undefined): T {
  if (tool === undefined) throw new Error('the server has no such tool; ask `can` first');
  return tool;
}
