/** Sleeps where it stands, shorter than any timer: the processor goes to whoever waits for it. */
export function nap(ms: number): void {
  Atomics.wait(BED, 0, 0, ms);
}

const BED = new Int32Array(new SharedArrayBuffer(4));
