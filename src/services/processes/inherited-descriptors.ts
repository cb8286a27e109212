/**
 * The descriptors that this process was given by the one that started it and would pass on unseen. What Node opens
 * itself is closed in a child; these are not, and a command must not get them.
 */
import { readdirSync, readFileSync } from 'node:fs';

const FIRST_EXTRA = 3;
const CLOSE_ON_EXEC = 0o2000000;

export function inheritedDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .filter((descriptor) => descriptor >= FIRST_EXTRA && isPassedOn(descriptor));
  } catch {
    return [];
  }
}

function isPassedOn(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false;
  }
}
