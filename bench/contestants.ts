/** Who runs: this server in several settings, and its peers, each with the tools it is asked for. */
import { installNode24 } from '../versus/install';
import type { Answer, Launch, Server, ToolResult } from '../versus/server';
import { desktopCommander } from '../versus/servers/desktop-commander';
import { filesystemMcp } from '../versus/servers/filesystem-mcp';
import { serverFilesystem } from '../versus/servers/server-filesystem';
import { copy, tenon } from '../versus/servers/tenon';
import { type Calls, desktopCommanderCalls, filesystemMcpCalls, officialCalls, tenonCalls } from './adapters';

export interface Contestant {
  readonly name: string;
  readonly version: string;
  prepare(): Promise<void>;
  launch(root: string): Launch;
  calls(root: string): Calls;
  judge(result: ToolResult): Answer;
}

export const OURS = 'tenon';
export const OURS_FAST = 'tenon, fast';
export const OURS_UNBOXED = 'tenon, no sandbox';
export const OURS_24 = 'tenon, Node 24';
export const OFFICIAL = 'server-filesystem';
export const OFFICIAL_24 = 'server-filesystem, Node 24';
export const COMMANDER = desktopCommander.name;
export const FILESYSTEM_MCP = filesystemMcp.name;

/** The columns of the peers. */
export const PEERS = [OFFICIAL, COMMANDER, FILESYSTEM_MCP];

/** No row is judged by these; a few rounds tell enough. */
export function maxRoundsOf(name: string): number {
  return BESIDE.includes(name) ? FEW_ROUNDS : Number.POSITIVE_INFINITY;
}

const BESIDE = [OURS_UNBOXED, COMMANDER, FILESYSTEM_MCP];
export const FEW_ROUNDS = 3;

let node24 = '';

const official: Contestant = { ...peer(serverFilesystem, officialCalls), name: OFFICIAL };

const all: readonly Contestant[] = [
  ours(OURS),
  ours(OURS_FAST, '--durability', 'fast'),
  ours(OURS_UNBOXED, '--sandbox', 'off'),
  onNode24(OURS_24, ours(OURS)),
  official,
  onNode24(OFFICIAL_24, official),
  peer(desktopCommander, desktopCommanderCalls),
  peer(filesystemMcp, filesystemMcpCalls),
];

export function contestant(name: string): Contestant {
  const found = all.find((each) => each.name === name);
  if (!found) throw new Error(`there is no contestant ${name}`);
  return found;
}

/** The path of the newer Node.js; empty until a contestant that needs it is prepared. */
export function pathOfNode24(): string {
  return node24;
}

/** As shipped, but for the named flags. */
function ours(name: string, ...flags: string[]): Contestant {
  return {
    name,
    version: tenon.version,
    prepare: tenon.prepare,
    launch: (root) => ({ command: process.execPath, args: [copy, 'serve', '--root', root, ...flags] }),
    calls: tenonCalls,
    judge: tenon.judge,
  };
}

function peer(server: Server, calls: (root: string) => Calls): Contestant {
  const { name, version } = server;
  return {
    name,
    version,
    prepare: () => server.prepare(),
    launch: (root) => server.command(root),
    calls,
    judge: (result) => server.judge(result),
  };
}

function onNode24(name: string, base: Contestant): Contestant {
  return {
    ...base,
    name,
    async prepare() {
      await base.prepare();
      node24 = await installNode24();
    },
    launch: (root) => ({ ...base.launch(root), command: node24 }),
  };
}
