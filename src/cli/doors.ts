import type { Engine } from '../engine/dispatch';
import type { Settings } from './settings';

/** What the command line can open; `compose` brings it, so that no door knows another. Numbers are exit codes. */
export interface Doors {
  readonly version: string;
  serveStdio(settings: Settings): Promise<number>;
  serveHttp(settings: Settings, address: { host: string; port: number }): Promise<number>;
  /** The agent of an editor: Codex, with our tools. */
  serveAcp(settings: Settings): Promise<number>;
  openEngine(settings: Settings): Engine;
  showTools(words: readonly string[], options: { json: boolean }): number;
}
