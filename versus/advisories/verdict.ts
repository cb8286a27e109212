/** What came of an attack: nothing, something, or there was no tool to try it on. */
import { hasSandbox } from '../sandbox';
import type { Ground } from './ground';

export type Verdict = 'refused' | 'does not apply' | `got through: ${string}`;

export interface Attempt {
  readonly advisory: number;
  run(ground: Ground): Promise<Verdict>;
}

/** Stops at the first step that got through, and says how. */
export async function firstThrough(steps: Iterable<() => Promise<string | undefined>>): Promise<Verdict> {
  for (const step of steps) {
    const how = await step();
    if (how !== undefined) return `got through: ${how}`;
  }
  return 'refused';
}

/** Our own promise about what a command does rests on the sandbox; without one, we make none. */
export function needsSandbox(run: Attempt['run']): Attempt['run'] {
  return (ground) => (ground.server.isOurs && !hasSandbox() ? Promise.resolve('does not apply') : run(ground));
}

export function needsCommands(run: Attempt['run']): Attempt['run'] {
  return (ground) => (ground.server.run ? run(ground) : Promise.resolve('does not apply'));
}
