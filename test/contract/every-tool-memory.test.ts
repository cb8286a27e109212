/** What large texts leave in the memory of the server. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeWorkspace } from '../harness/workspace';
import { openLines } from '../mcp/line-client';

const MB = 1_048_576;
const READS = 8;
/** Some end in the midst of tidying up. */
const PAUSES_MS = [50, 90, 210, 260];
/** The C library gives large pieces back as soon as they are freed, instead of when it likes. */
const GIVES_BACK = { MALLOC_MMAP_THRESHOLD_: '131072' };
/** What the server has learned meanwhile, and no text of 10 MB; left alone, it would be 26 to 82 MB. */
const MAX_GROWTH_MB = 20;

it.skipIf(process.platform !== 'linux')(
  'after large reads, also with short pauses, an idle server is small again [every.memory]',
  async () => {
    const workspace = makeWorkspace();
    workspace.write(
      'large.txt',
      'x'
        .repeat(99)
        .concat('\n')
        .repeat((10 * MB) / 100),
    );
    const client = openLines(['serve', '--root', workspace.root], { env: GIVES_BACK });
    await client.initialize();
    const read = () =>
      client.request('tools/call', {
        name: 'read_text_file',
        arguments: { path: workspace.path('large.txt'), limit: 1 },
      });
    await read();
    const before = residentMb(client.pid);
    for (const pause of PAUSES_MS) {
      for (let count = 0; count < READS; count++)
        await client.request('tools/call', {
          name: 'read_text_file',
          arguments: { path: workspace.path('large.txt') },
        });
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    await expect.poll(() => residentMb(client.pid) - before, { timeout: 10_000 }).toBeLessThan(MAX_GROWTH_MB);
    await client.end();
    workspace.remove();
  },
  30_000,
);

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
