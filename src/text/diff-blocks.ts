/** What a unified diff shows as changed: whole lines, found from the places that are known to have changed. */
import type { TextChange } from './change-list';
import type { Steps } from './steps';
import { commonLead, commonTail } from './trim-common';

/** Lines of the original that go, and those that come, in pieces: a long line is not copied for a change in it. */
export interface Block {
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly string[];
}

/** The changes as whole lines, ascending, no two of them sharing a line. */
export function* findBlocks(original: string, changes: readonly TextChange[]): Steps<Block[]> {
  const blocks: Block[] = [];
  for (const group of yield* groupByLines(original, changes)) {
    const block = blockOf(original, group);
    if (block !== undefined) blocks.push(block);
    yield;
  }
  return blocks;
}

/** Changes that share a line, and the whole lines in which they are. */
interface ChangedLines {
  readonly start: number;
  end: number;
  readonly changes: TextChange[];
}

function* groupByLines(original: string, changes: readonly TextChange[]): Steps<ChangedLines[]> {
  const groups: ChangedLines[] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    // Where the line is known already it is not searched again: all the changes may be in one very long line.
    const start = last !== undefined && change.start < last.end ? last.start : lineStart(original, change.start);
    const end = last !== undefined && change.end < last.end ? last.end : lineEnd(original, change.end);
    if (last === undefined || start >= last.end) groups.push({ start, end, changes: [change] });
    else {
      last.changes.push(change);
      last.end = end;
    }
    yield;
  }
  return groups;
}

/** Undefined if the changes amount to none. */
function blockOf(original: string, { start, end, changes }: ChangedLines): Block | undefined {
  const from = changes.at(0)?.start ?? start;
  const to = changes.at(-1)?.end ?? end;
  const old = original.slice(from, to);
  const text = replaceIn(original, changes);
  if (old === text) return undefined;
  const head = original.slice(start, from);
  const tail = original.slice(to, end);
  // Inside one line there are no lines to take off again.
  if (!old.includes('\n') && !text.includes('\n')) return { start, end, pieces: [head, text, tail] };
  const { text: trimmed, ...lines } = trimLines(original, { start, end, text: head + text + tail });
  return { ...lines, pieces: [trimmed] };
}

/** What stands from the first change to the end of the last, after all of them. */
function replaceIn(original: string, changes: readonly TextChange[]): string {
  const parts: string[] = [];
  let done = changes.at(0)?.start ?? 0;
  for (const { start, end, text } of changes) {
    parts.push(original.slice(done, start), text);
    done = end;
  }
  return parts.join('');
}

/** The change of whole lines without those that it leaves as they were. */
export function trimLines(original: string, { start, end, text }: TextChange): TextChange {
  const old = original.slice(start, end);
  const lead = lineStart(old, commonLead(old, text));
  const shared = commonTail(old, text, Math.min(old.length, text.length) - lead);
  const atLineStart = [old, text].every((side) => lineStart(side, side.length - shared) === side.length - shared);
  const tail = atLineStart ? shared : old.length - lineEnd(old, old.length - shared);
  return { start: start + lead, end: end - tail, text: text.slice(lead, text.length - tail) };
}

export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}
