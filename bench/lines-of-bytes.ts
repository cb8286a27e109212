import type { Readable } from 'node:stream';

const NEWLINE = 10;

/** Cuts a stream at its newlines. The time is taken when the chunk arrives; only new bytes are searched. */
export function onLines(stream: Readable, onLine: (line: Buffer, at: number) => void): void {
  let pieces: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    const at = performance.now();
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      pieces.push(chunk.subarray(start, end));
      const line = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
      pieces = [];
      start = end + 1;
      onLine(line, at);
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  });
}
