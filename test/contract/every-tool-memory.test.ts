/** What large texts leave in the memory of the server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { cpuMs, memoryMb } from '../../bench/process-stats';
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

/** To list them makes the server grow, and leaves little to collect. */
const FILES = 6_000;
const LISTS = 14;
/** A pause that is too short for a second look. */
const LIST_PAUSE_MS = { before: 100, after: 200 };

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
    const before = memoryMb(client.pid);
    for (const pause of PAUSES_MS) {
      for (let count = 0; count < READS; count++)
        await client.request('tools/call', {
          name: 'read_text_file',
          arguments: { path: workspace.path('large.txt') },
        });
      await sleep(pause);
    }
    await expect.poll(() => memoryMb(client.pid) - before, { timeout: 10_000 }).toBeLessThan(MAX_GROWTH_MB);
    await client.end();
    workspace.remove();
  },
  30_000,
);

it.skipIf(process.platform !== 'linux')(
  'what a server needs it keeps, without tidying up in every pause [every.memory]',
  async () => {
    const workspace = makeWorkspace();
    for (let file = 0; file < FILES; file++) workspace.write(`${file}.txt`, '');
    const client = openLines(['serve', '--root', workspace.root]);
    await client.initialize();
    const inPauses: number[] = [];
    for (let count = 0; count < LISTS; count++) {
      await client.request('tools/call', { name: 'list_dir', arguments: { dir: '.', maxEntries: 2_000 } });
      await sleep(LIST_PAUSE_MS.before);
      const before = cpuMs(client.pid);
      await sleep(LIST_PAUSE_MS.after);
      inPauses.push(cpuMs(client.pid) - before);
    }
    // One collection takes 10 ms and more.
    const tidyings = inPauses.filter((ms) => ms > 5);
    expect(tidyings.length, tidyings.join(' ')).toBeLessThan(LISTS / 2);
    await client.end();
    workspace.remove();
  },
  30_000,
);
