/** Of a write that is over nothing stays: no note of it, and no file that it replaced, held without a name. */
import { mkdirSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeWorkspace, type Workspace } from '../../harness/workspace';
import { type LineClient, openLines } from '../../mcp/line-client';

const SMALL = 'x';
const LARGE = 'x'.repeat(100_000);

describe.skipIf(process.platform !== 'linux')('after writes', () => {
  let workspace: Workspace;
  let scratch: Workspace;
  let client: LineClient;

  beforeEach(async () => {
    [workspace, scratch] = [makeWorkspace(), makeWorkspace()];
    const env = { XDG_RUNTIME_DIR: scratch.path('run') };
    mkdirSync(env.XDG_RUNTIME_DIR, { mode: 0o700 });
    client = openLines(['serve', '--root', workspace.root], { env });
    await client.initialize();
  });
  afterEach(async () => {
    await client.end();
    for (const place of [workspace, scratch]) place.remove();
  });

  const notes = () => readdirSync(join(scratch.path('run'), 'tenon-writes'));
  const nameless = () =>
    readdirSync(`/proc/${client.pid}/fd`)
      .map((fd) => linkOf(`/proc/${client.pid}/fd/${fd}`))
      .filter((target) => target.startsWith(workspace.root) && target.endsWith(' (deleted)'));

  async function writeTwice(content: string): Promise<void> {
    for (const end of ['1', '2']) {
      const args = { path: workspace.path('file.txt'), content: content + end };
      const { result } = await client.request('tools/call', { name: 'write_text_file', arguments: args });
      expect(result?.isError).toBeFalsy();
    }
  }

  it.each([
    ['small', SMALL],
    ['large', LARGE],
  ])('a moment later nothing of them is left: %s files', async (_, content) => {
    await writeTwice(content);
    await vi.waitFor(() => expect([...notes(), ...nameless()]).toEqual([]), { timeout: 5_000 });
  });

  it('nor is there when the server ends with the last answer', async () => {
    await writeTwice(SMALL);
    await client.end();
    expect(notes()).toEqual([]);
  });
});

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // Closed meanwhile.
  }
}
