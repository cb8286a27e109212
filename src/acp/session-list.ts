/** The sessions that Codex has written down, a page at a time. */
import type { ListSessionsRequest, ListSessionsResponse } from '@agentclientprotocol/sdk';
import type { Codex } from './codex/codex';
import type { ThreadPage } from './codex/protocol/received';

export async function listSessions(codex: Codex, { cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
  const { data, nextCursor } = await codex.request<ThreadPage>('thread/list', {
    ...(cwd && { cwd }),
    ...(cursor && { cursor }),
  });
  return {
    sessions: data.map(({ id, cwd: folder, name, preview, updatedAt }) => ({
      sessionId: id,
      cwd: folder,
      title: name || preview || null,
      updatedAt: new Date(updatedAt * 1000).toISOString(),
    })),
    ...(nextCursor && { nextCursor }),
  };
}
