/** Every line that goes over a pair of pipes, as it is, in both directions. */
import type { ChildProcessByStdio } from 'node:child_process';
import { PassThrough, Readable, Writable } from 'node:stream';
import { ndJsonStream, type Stream } from '@agentclientprotocol/sdk';

export interface WireFrame {
  readonly from: 'client' | 'agent';
  readonly line: string;
}

export type PipedChild = ChildProcessByStdio<Writable, Readable, Readable>;

/** A stream for the SDK over a child's stdio; `record` sees each whole line first. */
export function loggedStream(child: PipedChild, record: (frame: WireFrame) => void): Stream {
  const output = new PassThrough();
  const input = new PassThrough();
  const heard = splitLines((line) => record({ from: 'agent', line }));
  const said = splitLines((line) => record({ from: 'client', line }));
  child.stdout.on('data', heard).pipe(input);
  output.on('data', said).pipe(child.stdin);
  // A child that is gone is noticed by its end, not by a broken pipe.
  child.stdin.on('error', () => {});
  return ndJsonStream(Writable.toWeb(output), Readable.toWeb(input) as ReadableStream<Uint8Array>);
}

function splitLines(take: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new TextDecoder();
  let rest = '';
  return (chunk) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  };
}
