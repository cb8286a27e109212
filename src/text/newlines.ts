/** Line ends in bytes of UTF-8, where the byte of `\n` is never part of another character. */
import { instantiate, type Memory } from './assembly/instantiate';
import type { Steps } from './steps';

export interface NewlineCounter {
  /**
   * What is put here is counted where it lies. It is there for everybody, and all counting may use it: what is on it is
   * yours until you count something else or wait for something.
   */
  readonly desk: Buffer;
  /** How many line ends there are. */
  count(bytes: Uint8Array): number;
}

const DESK_BYTES = 1_048_576;
const BLOCK_BYTES = 16;

/**
 * Counts by WebAssembly where it can: 100 MB in lines of 100 bytes in 5 ms, for which `Buffer.indexOf` needs 40. And
 * that memory begins where a page does. Buffers of Node begin sixteen bytes after, and there are processors on which the
 * system then takes five times as long to copy what is read.
 */
export function createNewlineCounter(load = loadModule): NewlineCounter {
  const module = load();
  if (module === undefined) return { desk: Buffer.allocUnsafeSlow(DESK_BYTES), count: countNewlines };
  const desk = Buffer.from(module.memory.buffer);

  function count(bytes: Uint8Array): number {
    if (bytes.buffer === desk.buffer) return countOnDesk(bytes);
    let found = 0;
    for (let at = 0; at < bytes.length; at += desk.length) {
      const piece = bytes.subarray(at, at + desk.length);
      desk.set(piece);
      found += countOnDesk(desk.subarray(0, piece.length));
    }
    return found;
  }

  function countOnDesk(bytes: Uint8Array): number {
    const inBlocks = bytes.length - (bytes.length % BLOCK_BYTES);
    const from = bytes.byteOffset;
    const found = inBlocks === 0 ? 0 : (module?.count(from, from + inBlocks) ?? 0);
    return inBlocks === bytes.length ? found : found + countNewlines(bytes.subarray(inBlocks));
  }

  return { desk, count };
}

interface Module {
  readonly memory: Memory;
  /** How many `\n` there are in a stretch of memory whose length is a multiple of `BLOCK_BYTES`, and not zero. */
  count(from: number, to: number): number;
}

function loadModule(): Module | undefined {
  return instantiate<Module>('newlines');
}

/** How many line ends there are, found by leaping from one to the next: quick enough where they are few. */
export function countNewlines(bytes: Uint8Array): number {
  let found = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) found++;
  return found;
}

/** The lines, counted as in `lines`: what follows the last line end is one too. */
export function countByteLines(bytes: Uint8Array, count = countNewlines): number {
  return linesOf(bytes, count(bytes));
}

/** The same of many bytes. */
export function* byteLineSteps(bytes: Uint8Array, count = countNewlines): Steps<number> {
  let ends = 0;
  for (let from = 0; from < bytes.length; from += BYTES_PER_STEP) {
    ends += count(bytes.subarray(from, from + BYTES_PER_STEP));
    yield;
  }
  return linesOf(bytes, ends);
}

function linesOf(bytes: Uint8Array, ends: number): number {
  return bytes.length === 0 || bytes.at(-1) === NEWLINE ? ends : ends + 1;
}

const BYTES_PER_STEP = 1_048_576;

/** The offset just after the `nth` line end (from 1), or undefined if there are fewer. After none comes offset 0. */
export function offsetAfter(bytes: Uint8Array, nth: number): number | undefined {
  let offset = 0;
  for (let passed = 0; passed < nth; passed++) {
    const end = bytes.indexOf(NEWLINE, offset);
    if (end === -1) return undefined;
    offset = end + 1;
  }
  return offset;
}

const NEWLINE = 0x0a;
