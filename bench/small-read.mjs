// Answers a call that reads a file with its text, by the four system calls that takes and nothing else: no wall, no
// check of anything, no log. What is left to a server in Node is the rest.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const bytes = Buffer.alloc(65_536);

process.stdin.on('data', (chunk) => {
  for (const line of chunk.toString().split('\n')) if (line !== '') answer(JSON.parse(line));
});

function answer({ id, params }) {
  const file = openSync(params.arguments.path, 'r');
  const count = readSync(file, bytes, 0, fstatSync(file).size, 0);
  closeSync(file);
  const text = bytes.toString('utf8', 0, count);
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })}\n`);
}
