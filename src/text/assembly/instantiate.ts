/** The few instructions of WebAssembly that are worth it: `*.wat` beside this file, assembled by `npm run gen`. */
import modules from './modules.generated.json';

/**
 * The exports of a module, in an instance of its own. Undefined where Node has no compiler (`--jitless`), the processor
 * lacks the instructions, or addresses are too few for its memory.
 */
export function instantiate<Exports extends object>(name: keyof typeof modules): Exports | undefined {
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(modules[name], 'base64'))).exports as Exports;
  } catch {
    return undefined;
  }
}

/** Memory that begins where a page of the system does. Undefined where there is none to be had. */
export function pagesOfMemory(bytes: number): Buffer | undefined {
  try {
    return Buffer.from(new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) }).buffer);
  } catch {
    return undefined;
  }
}

const PAGE_BYTES = 65_536;

/** What an instance lets us see of its memory. */
export interface Memory {
  readonly buffer: ArrayBuffer;
}

/** What is used of it; the types of Node leave it out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
  readonly Memory: new (size: { initial: number }) => Memory;
};
