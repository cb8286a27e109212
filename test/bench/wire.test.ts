/** The bench's client against a server of a few lines that answers as it is told. */
import { afterEach, expect, test } from 'vitest';
import { openWire, type Wire } from '../../bench/wire';

const SERVER = `
const lines = require('node:readline').createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const { id, params } = JSON.parse(line);
  if (params.die) process.exit(1);
  const { result } = params;
  if (params.silent) return;
  process.stdout.write('not JSON at all\\n');
  process.stdout.write(JSON.stringify(params.idLast ? { result, jsonrpc: '2.0', id } : { jsonrpc: '2.0', id, result }) + '\\n');
});
`;

let wire: Wire;
afterEach(() => wire.kill());

function open(): Wire {
  wire = openWire({ command: process.execPath, args: ['-e', SERVER] });
  return wire;
}

test.each([false, true])('an answer finds its request wherever its id stands (last: %s)', async (idLast) => {
  const { ask } = open();
  const results = ['"id":1}', { jsonrpc: '2.0', id: 1 }, 'x'.repeat(300_000), { id: 1 }];
  const replies = await Promise.all(results.map((result) => ask('m', JSON.stringify({ result, idLast }))));
  expect(replies.map(({ line }) => JSON.parse(line.toString()).result)).toEqual(results);
});

test('a server that dies fails what is asked of it then, and afterwards', async () => {
  const { ask } = open();
  await expect(ask('m', '{"die":true}')).rejects.toThrow('server died');
  await expect(ask('m', '{}')).rejects.toThrow('server died');
});

test('a server that keeps silent is not waited for', async () => {
  const { ask } = open();
  await expect(ask('m', '{"silent":true}', { limitMs: 50 })).rejects.toThrow(/^over/);
});
