/** What Codex is told about a thread and a turn: folders, mode, model, our tools, and the client's MCP servers. */
import type { McpServer } from '@agentclientprotocol/sdk';
import { type Mode, type ModeId, modes } from './modes';
import type { Endpoint, Workshop } from './workshop';

/** The name under which Codex knows our endpoint; a person's own server may well be called tenon. */
export const ENDPOINT_NAME = 'tenon_bridge';

export type ToolRoute = 'dynamic' | 'mcp';

export interface Folders {
  readonly cwd: string;
  readonly additional: readonly string[];
}

export interface ThreadSettings extends Folders {
  readonly mode: ModeId;
  readonly servers: readonly McpServer[];
}

/** A person must have the time to decide. */
const TOOL_LIMIT_SECONDS = 24 * 3600;
const START_LIMIT_SECONDS = 20;

/**
 * Agents that Codex starts beside a thread have none of our tools, cannot ask the person, and keep the place to work in
 * that they were started with: they would write past the editor even after a switch to editor-only.
 */
const NO_OTHER_AGENTS = { 'features.multi_agent': false, 'features.multi_agent_v2': false };

export function startParams(settings: ThreadSettings, { tools, instructions }: Workshop, route: ToolRoute) {
  const mode = modes[settings.mode];
  return {
    ...(route === 'dynamic' && {
      dynamicTools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        name,
        description,
        inputSchema,
      })),
    }),
    developerInstructions: instructionsFor(instructions, mode),
  };
}

/** Given at the start of a thread and again whenever it is taken up: the endpoint has another port each time. */
export function threadParams(settings: ThreadSettings, endpoint: Endpoint | undefined) {
  const { sandbox, approvalPolicy } = modes[settings.mode];
  return {
    cwd: settings.cwd,
    runtimeWorkspaceRoots: rootsOf(settings),
    sandbox,
    approvalPolicy,
    approvalsReviewer: 'user',
    config: { ...NO_OTHER_AGENTS, mcp_servers: serversFor(settings.servers, endpoint) },
  };
}

export interface TurnChoice extends Folders {
  readonly mode: ModeId;
  readonly model?: string | undefined;
  readonly effort?: string | undefined;
}

/** Everything again in each turn: what a resumed thread forgets (its lack of an environment) must still hold. */
export function turnParams({ mode: id, model, effort, ...folders }: TurnChoice) {
  const mode = modes[id];
  return {
    approvalPolicy: mode.approvalPolicy,
    approvalsReviewer: 'user',
    sandboxPolicy: sandboxPolicy(mode, folders),
    environments: mode.isWithoutEnvironment
      ? []
      : [{ environmentId: 'local', cwd: folders.cwd, runtimeWorkspaceRoots: rootsOf(folders) }],
    ...(model && { model }),
    ...(effort && { effort }),
  };
}

function sandboxPolicy({ sandbox }: Mode, folders: Folders) {
  if (sandbox === 'danger-full-access') return { type: 'dangerFullAccess' };
  if (sandbox === 'read-only') return { type: 'readOnly', networkAccess: false };
  return {
    type: 'workspaceWrite',
    writableRoots: rootsOf(folders),
    networkAccess: false,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: false,
  };
}

function rootsOf({ cwd, additional }: Folders): string[] {
  return [...new Set([cwd, ...additional])];
}

function serversFor(servers: readonly McpServer[], endpoint: Endpoint | undefined): Record<string, object> {
  const given = new Map<string, object>();
  for (const server of servers) given.set(freeName(server.name, given), serverConfig(server));
  return { ...Object.fromEntries(given), ...(endpoint && { [ENDPOINT_NAME]: endpointConfig(endpoint) }) };
}

/** Codex takes few characters; servers that would come to share a name, with ours too, are told apart by a number. */
function freeName(wanted: string, taken: ReadonlyMap<string, object>): string {
  const name = wanted.replaceAll(/[^\w-]/g, '_');
  let free = name;
  for (let number = 2; taken.has(free) || free === ENDPOINT_NAME; number++) free = `${name}_${number}`;
  return free;
}

function serverConfig(server: McpServer): object {
  if ('command' in server) {
    const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
    return { command: server.command, args: server.args, env };
  }
  const headers = server.headers.map(({ name, value }) => [name, value]);
  return { url: server.url, http_headers: Object.fromEntries(headers) };
}

function endpointConfig({ url, token }: Endpoint): object {
  return {
    url,
    http_headers: { Authorization: `Bearer ${token}` },
    // We ask the person ourselves, with the diff; and we lock each file.
    default_tools_approval_mode: 'approve',
    supports_parallel_tool_calls: true,
    tool_timeout_sec: TOOL_LIMIT_SECONDS,
    startup_timeout_sec: START_LIMIT_SECONDS,
    required: true,
  };
}

function instructionsFor(tools: string, { isWithoutEnvironment }: Mode): string {
  return [
    'The user has this project open in an editor, with changes that may not be saved yet.',
    'Read and change files with the tools below: they see and change the text in the editor. Do not use a shell or apply_patch to read or change files.',
    ...(isWithoutEnvironment ? ['There is no shell and no apply_patch in this session.'] : []),
    tools,
  ].join('\n');
}
