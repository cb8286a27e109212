/** What a session needs of the rest of the house; `compose` brings it, so that this door knows no other. */
import type { Editor } from '../contract/editor';
import type { Engine } from '../engine/dispatch';

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** The tools for the folders of one session, with the person's editor before the disk. */
export interface Workshop {
  readonly engine: Engine;
  readonly tools: readonly ToolDescription[];
  /** For a model: which tools there are, and how paths are given. */
  readonly instructions: string;
  /** Whether commands run in a sandbox. */
  isConfined(): Promise<boolean>;
  /** A command starts now: buffers may become older than the disk. */
  commandRan(): void;
  /** Serves calls as an MCP server on loopback, with a token of its own. */
  openEndpoint(engine: Engine): Promise<Endpoint>;
}

export interface Endpoint {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

export type OpenWorkshop = (folders: readonly string[], editor: Editor) => Workshop;

/** The folders of a session cannot be served; the message is for the person. */
export class WorkshopError extends Error {}
