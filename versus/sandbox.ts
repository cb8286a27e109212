import { spawnSync } from 'node:child_process';

/** Whether our server can run commands in a sandbox here. Without one it says so, and confines nothing. */
export function hasSandbox(): boolean {
  return spawnSync('bwrap', ['--version']).status === 0;
}
