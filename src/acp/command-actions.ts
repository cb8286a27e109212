/** What the slash commands do in one session. */
import type { Codex } from './codex/codex';
import { modes } from './modes';
import type { OpenedSession } from './open-session';
import type { CommandActions } from './slash-commands';

interface ServerStatus {
  readonly name: string;
  readonly tools: Readonly<Record<string, unknown>>;
  readonly toolsError?: string | null;
}

export function commandActions({ session, workshop, request }: OpenedSession, codex: Codex): CommandActions {
  return {
    say: session.say,
    async status() {
      const { mode, model, effort } = session.choice;
      const rows = [
        ['Folders', [request.cwd, ...request.additional].join(', ')],
        ['Mode', `${mode}: ${modes[mode].description}`],
        ['Model', effort ? `${model}, ${effort} effort` : model],
        ['Tools', `${workshop.tools.length}, as ${request.route === 'dynamic' ? 'dynamic tools' : 'an MCP server'}`],
        ['Commands', (await workshop.isConfined()) ? 'in a sandbox' : 'without a sandbox: each is asked about'],
        ['Context', session.usage() || 'nothing yet'],
        ['Session', session.id],
      ];
      return rows.map(([name, value]) => `- ${name}: ${value}`).join('\n');
    },
    tools: () => workshop.tools.map(({ name, description }) => `- \`${name}\`: ${description}`).join('\n'),
    async mcp() {
      await session.ready();
      const params = { threadId: session.threadId, detail: 'toolsAndAuthOnly' };
      const { data } = await codex.request<{ data: readonly ServerStatus[] }>('mcpServerStatus/list', params);
      if (data.length === 0) return 'This session has no MCP servers.';
      return data.map(describeServer).join('\n');
    },
    compact: () => session.runTurn(() => codex.request('thread/compact/start', { threadId: session.threadId })),
    review(instructions) {
      const target = instructions ? { type: 'custom', instructions } : { type: 'uncommittedChanges' };
      return session.runTurn(() => codex.request('review/start', { threadId: session.threadId, target }));
    },
  };
}

function describeServer({ name, tools, toolsError }: ServerStatus): string {
  if (toolsError) return `- ${name}: ${toolsError}`;
  const names = Object.keys(tools);
  return `- ${name}: ${names.length > 0 ? names.join(', ') : 'no tools'}`;
}
