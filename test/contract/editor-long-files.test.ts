/** Files that are too long to be held in memory, edited where they lie. */
import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { peakMemoryMb } from '../../bench/process-stats';
import { makeWorkspace, type Workspace } from '../harness/workspace';
import { type LineClient, openLines } from '../mcp/line-client';

const MB = 1_048_576;
const LINE_BYTES = 64;
const lineOf = (number: number) => `${`line ${number} é`.padEnd(LINE_BYTES - 2, '.')}\n`;
const textOf = (megabytes: number) =>
  Array.from({ length: (megabytes * MB) / LINE_BYTES }, (_, index) => lineOf(index + 1)).join('');
const LONG_MB = 40;
const LAST = (LONG_MB * MB) / LINE_BYTES;
/** A slice, the way it is read. */
const SLICE_LINES = MB / LINE_BYTES;

describe('a file that is too long to be held', () => {
  let workspace: Workspace;
  let client: LineClient;
  const text = textOf(LONG_MB);
  beforeAll(async () => {
    workspace = makeWorkspace();
    client = openLines(['serve', '--root', workspace.root, '--toolsets', 'editor']);
    await client.initialize();
  });
  afterAll(async () => {
    await client.end();
    workspace.remove();
  });

  const edit = async (path: string, old_string: string, new_string: string) => {
    const given = { name: 'edit_text_file', arguments: { path, old_string, new_string } };
    const { result } = await client.request('tools/call', given);
    return (result as { structuredContent: Record<string, unknown> }).structuredContent;
  };

  it.each([
    ['first line', 1],
    ['last line', LAST],
    ['last line of a slice', SLICE_LINES],
    ['first line of a slice', SLICE_LINES + 1],
    ['middle', Math.round(LAST / 2)],
  ])('is edited in its %s [every.long-files, every.only-named-bytes]', async (_, number) => {
    const path = workspace.write('long.txt', text);
    const at = (number - 1) * LINE_BYTES;
    const [old, fresh] = [`line ${number} é`, `zeile ${number} ß\nnoch eine`];
    const answer = await edit(path, `${old}.`, `${fresh}.`);
    expect(answer).toMatchObject({ success: true, line_range: { start: number, end: number } });
    expect(answer.diff).toContain(`-${lineOf(number)}+${lineOf(number).replace(old, fresh).replace('\n', '\n+')}`);
    const expected = Buffer.from(text);
    const after = workspace.bytes('long.txt');
    const [head, tail] = [expected.subarray(0, at), expected.subarray(at + LINE_BYTES)];
    expect(after.subarray(0, at).equals(head)).toBe(true);
    expect(after.subarray(after.length - tail.length).equals(tail)).toBe(true);
    expect(after.subarray(at, after.length - tail.length).toString()).toBe(lineOf(number).replace(old, fresh));
  });

  it('is edited across two slices [every.long-files]', async () => {
    const path = workspace.write('long.txt', text);
    const wanted = lineOf(SLICE_LINES) + lineOf(SLICE_LINES + 1);
    const answer = await edit(path, wanted, 'one\n');
    expect(answer).toMatchObject({ line_range: { start: SLICE_LINES, end: SLICE_LINES + 1 } });
    expect(workspace.read('long.txt') === text.replace(wanted, 'one\n')).toBe(true);
  });

  it('is refused where it is no text [every.long-files]', async () => {
    for (const [bytes, reason] of [
      [Buffer.from([0]), 'nul byte'],
      [Buffer.from([0xff]), 'invalid utf8'],
    ] as const) {
      const path = workspace.write('long.txt', text);
      const fd = openSync(path, 'r+');
      writeSync(fd, bytes, 0, 1, text.length - 100);
      closeSync(fd);
      for (const old of ['line 7 é', 'what is not there'])
        expect(await edit(path, old, 'x')).toMatchObject({
          error: { code: -32004, data: { kind: 'not_text', problem: reason } },
        });
    }
  });

  it.skipIf(process.platform !== 'linux')('takes no memory for its length [every.long-files]', async () => {
    const path = workspace.write('long.txt', text);
    const before = peakMemoryMb(client.pid);
    await edit(path, 'line 9 é', 'line nine');
    await edit(path, 'line 10 é\n', 'x');
    // Half of what one copy would take.
    expect(peakMemoryMb(client.pid) - before).toBeLessThan(LONG_MB / 2);
  });

  it.each([0, 5, 10, 20, 40])(
    'loses nothing that another program adds %i ms after the edit began [every.long-files, every.none-lost]',
    async (delay) => {
      const path = workspace.write('long.txt', text);
      const edited = edit(path, 'line 9 é', 'line nine');
      await sleep(delay);
      appendFileSync(path, 'added\n');
      expect(await edited).toMatchObject({ success: true });
      const after = workspace.read('long.txt');
      expect(after === `${text.replace('line 9 é', 'line nine')}added\n`).toBe(true);
    },
  );

  it.each([0, 10, 20])('that becomes shorter %i ms after the edit began stays so [every.long-files]', async (delay) => {
    const path = workspace.write('long.txt', text);
    const edited = edit(path, `line ${LAST - 1} é`, 'x');
    await sleep(delay);
    truncateSync(path, 10 * LINE_BYTES);
    const answer = await edited;
    // The edit came first, or it no longer fits.
    if (!('success' in answer)) expect(answer).toMatchObject({ error: { code: -32010 } });
    expect(workspace.read('long.txt') === text.slice(0, workspace.read('long.txt').length)).toBe(true);
    expect(statSync(path).size).toBe(Buffer.byteLength(Array.from({ length: 10 }, (_, at) => lineOf(at + 1)).join('')));
    rmSync(path);
    writeFileSync(path, '');
  });

  it.skipIf(process.platform !== 'linux')(
    'needs few processes, however many are edited at once [every.long-files]',
    async () => {
      const counts: number[] = [];
      const count = () => readFileSync(`/proc/${client.pid}/task/${client.pid}/children`, 'utf8').split(' ').length - 1;
      const watching = setInterval(() => counts.push(count()), 5);
      const edited = Array.from({ length: 12 }, async (_, index) => {
        const path = workspace.write(`many-${index}.txt`, text.slice(0, 9 * MB));
        const edits = ['line 3 é', 'line 5 é'].map((old_string) => ({ old_string, new_string: `${index}` }));
        const given = { name: 'multi_edit_text_file', arguments: { path, edits } };
        const { result } = await client.request('tools/call', given);
        return (result as { structuredContent: object }).structuredContent;
      });
      const answers = await Promise.all(edited).finally(() => clearInterval(watching));
      for (const answer of answers) expect(answer).toMatchObject({ success: true, applied_count: 2 });
      expect(Math.max(...counts)).toBeGreaterThan(0);
      expect(Math.max(...counts)).toBeLessThanOrEqual(2);
      expect(client.stderr()).not.toContain('Warning');
    },
  );
});
