/**
 * A WebAssembly module that counts line ends, sixteen bytes at a time, assembled here from named instructions. It earns
 * most of what the first window of a large file takes: 100 MB in lines of 100 bytes are counted in 5 ms, for which
 * `Buffer.indexOf` needs 40. And its memory begins where a page does. Buffers of Node begin sixteen bytes after, and
 * there are processors on which the system then takes five times as long to copy what is read.
 */
export interface NewlineModule {
  readonly memory: ArrayBuffer;
  /** How many `\n` there are in a stretch of memory whose length is a multiple of `BLOCK_BYTES`, and not zero. */
  count(from: number, to: number): number;
}

export const BLOCK_BYTES = 16;
const PAGE_BYTES = 65_536;

/** Undefined where the processor or the flags of Node do not allow it, or addresses are too few for its memory. */
export function loadNewlineModule(memoryBytes: number): NewlineModule | undefined {
  try {
    const module = new WebAssembly.Module(assemble(memoryBytes / PAGE_BYTES));
    const { count, memory } = new WebAssembly.Instance(module).exports;
    return { count, memory: memory.buffer };
  } catch {
    return undefined;
  }
}

/** What is used of it; the types of Node leave it out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
  ) => { readonly exports: Pick<NewlineModule, 'count'> & { readonly memory: { readonly buffer: ArrayBuffer } } };
};

const NEWLINE = 0x0a;
const I32 = 0x7f;
const V128 = 0x7b;

const LOOP = [0x03, 0x40];
const END = [0x0b];
const REPEAT_IF = [0x0d, 0x00];
const GET = 0x20;
const SET = 0x21;
const SET_AND_KEEP = 0x22;
const CONSTANT = 0x41;
const IS_LESS = 0x49;
const COUNT_ONES = 0x69;
const ADD = 0x6a;
const LOAD_BLOCK = [0xfd, 0x00, 0x00, 0x00];
const FILL_BLOCK = [0xfd, 0x0f];
const COMPARE_BYTES = [0xfd, 0x23];
/** One bit for each byte of the block. */
const BITS_OF_BLOCK = [0xfd, 0x64];

/** The variables of `count`; the first two are its parameters. */
const [AT, TO, FOUND, NEWLINES] = [0, 1, 2, 3] as const;

const COUNT = [
  ...[CONSTANT, NEWLINE, ...FILL_BLOCK, SET, NEWLINES],
  ...LOOP,
  ...[GET, AT, ...LOAD_BLOCK, GET, NEWLINES, ...COMPARE_BYTES, ...BITS_OF_BLOCK, COUNT_ONES],
  ...[GET, FOUND, ADD, SET, FOUND],
  ...[GET, AT, CONSTANT, BLOCK_BYTES, ADD, SET_AND_KEEP, AT, GET, TO, IS_LESS, ...REPEAT_IF],
  ...END,
  ...[GET, FOUND, ...END],
];

/** No number in it is above 127, and so each is one byte. */
function assemble(pages: number): Uint8Array {
  const variables = [2, 1, I32, 1, V128];
  const exportOf = (name: string, kind: number) => [...sized(Buffer.from(name)), kind, 0];
  return Uint8Array.from([
    ...[0, ...Buffer.from('asm'), 1, 0, 0, 0],
    ...section(1, [[0x60, ...sized([I32, I32]), ...sized([I32])]]), // types
    ...section(3, [[0]]), // functions
    ...section(5, [[1, pages, pages]]), // memories
    ...section(7, [exportOf('count', 0), exportOf('memory', 2)]),
    ...section(10, [sized([...variables, ...COUNT])]), // code
  ]);
}

function section(id: number, entries: readonly (readonly number[])[]): number[] {
  return [id, ...sized([entries.length, ...entries.flat()])];
}

function sized(bytes: readonly number[] | Uint8Array): number[] {
  return [bytes.length, ...bytes];
}
