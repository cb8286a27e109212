/** Which processes a process has started, told by /proc; and whether they are gone. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const GONE_LIMIT_MS = 5000;
const LOOK_EVERY_MS = 50;

/** All below it, also those in groups of their own. */
export function descendants(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? parentOf(Number(name)) : undefined;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const below = (id: number): number[] => (children.get(id) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

/** Those that are still there when they have had time to go. */
export async function remaining(pids: readonly number[]): Promise<number[]> {
  for (let waited = 0; waited < GONE_LIMIT_MS && pids.some(isAlive); waited += LOOK_EVERY_MS)
    await sleep(LOOK_EVERY_MS);
  return pids.filter(isAlive);
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && stateOf(pid) !== 'Z';
}

/** The name of a program may have spaces and brackets in it: what is told begins after the last one. */
function fieldsOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

const stateOf = (pid: number): string | undefined => fieldsOf(pid)[0];

function parentOf(pid: number): number | undefined {
  const [, parent] = fieldsOf(pid);
  return parent === undefined ? undefined : Number(parent);
}
