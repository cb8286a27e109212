/** A client that does not read: the server stops reading too, and loses nothing. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { binary } from '../harness/binary';
import { makeWorkspace } from '../harness/workspace';

const REQUESTS = 80;
/** So long that the pipe and one read cannot hold all requests. */
const PADDING = 'p'.repeat(100_000);
const OPENING = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'by-hand', version: '1' } };

it.each([[[]], [['--sdk-only']]])('keeps a slow client’s requests in its pipe (%j)', async (flags) => {
  const workspace = makeWorkspace({ 'a.txt': 'x'.repeat(200_000) });
  const child = spawn(process.execPath, [binary, 'serve', '--root', workspace.root, ...flags]);
  const send = (id: number, method: string, params: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  send(0, 'initialize', OPENING);
  for (let id = 1; id <= REQUESTS; id++)
    send(id, 'tools/call', { name: 'read_file', arguments: { file: 'a.txt' }, _meta: { padding: PADDING } });

  const held = await untilStill(() => child.stdin.writableLength);
  expect(held).toBeGreaterThan(REQUESTS * PADDING.length * 0.5);

  const ids = new Set<number>();
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, result } = JSON.parse(line) as { id: number; result: { content?: { text: string }[] } };
    if (id > 0) expect(JSON.parse(result.content?.[0]?.text ?? '').data.bytes).toBe(200_000);
    if (ids.add(id).size === REQUESTS + 1) child.stdin.end();
  }
  expect(ids.size).toBe(REQUESTS + 1);
  workspace.remove();
});

/** The value once it has not changed for a while. */
async function untilStill(look: () => number): Promise<number> {
  let last = look();
  for (let still = 0; still < 20; still++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (look() !== last) still = 0;
    last = look();
  }
  return last;
}
