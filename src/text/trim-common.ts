import { isHighSurrogate, isLowSurrogate } from './surrogates';

/**
 * How many characters two texts share at their beginnings (`lead`) and, in what remains, at their ends (`tail`). A
 * surrogate pair is shared whole or not at all.
 */
export function trimCommon(one: string, other: string): { lead: number; tail: number } {
  const lead = commonLead(one, other);
  return { lead, tail: commonTail(one, other, Math.min(one.length, other.length) - lead) };
}

export function commonLead(one: string, other: string): number {
  const room = Math.min(one.length, other.length);
  let lead = 0;
  // Whole blocks are compared at the speed of the machine.
  while (lead + BLOCK <= room && one.slice(lead, lead + BLOCK) === other.slice(lead, lead + BLOCK)) lead += BLOCK;
  while (lead < room && one.charCodeAt(lead) === other.charCodeAt(lead)) lead++;
  return lead > 0 && isHighSurrogate(one.charCodeAt(lead - 1)) ? lead - 1 : lead;
}

/** At most `room` characters. */
export function commonTail(one: string, other: string, room: number): number {
  let tail = 0;
  while (tail + BLOCK <= room && lastBlock(one, tail) === lastBlock(other, tail)) tail += BLOCK;
  while (tail < room && one.charCodeAt(one.length - tail - 1) === other.charCodeAt(other.length - tail - 1)) tail++;
  return tail > 0 && isLowSurrogate(one.charCodeAt(one.length - tail)) ? tail - 1 : tail;
}

const BLOCK = 1024;

/** The block that ends `tail` characters before the end. */
function lastBlock(text: string, tail: number): string {
  return text.slice(text.length - tail - BLOCK, text.length - tail);
}
