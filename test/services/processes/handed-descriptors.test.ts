/** What a sandbox is handed, seen from a child that reads it. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Handed } from '../../../src/services/processes/confinement';
import { openHanded } from '../../../src/services/processes/handed-descriptors';
import { keepNameless } from '../../../src/services/processes/sandbox/nameless-file';

const folder = mkdtempSync(join(tmpdir(), 'handed-'));
const file = join(folder, 'file');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(process.platform !== 'linux')('what a sandbox is handed', () => {
  it('is read from its beginning and as it is now, at every start', () => {
    writeFileSync(file, 'first');
    expect(read([file])).toBe('first');
    expect(read([file])).toBe('first');
    writeFileSync(file, 'second');
    expect(read([file])).toBe('second');
  });

  it('stands in its order, and one that has gone is empty', () => {
    writeFileSync(file, 'there');
    expect(read([file, join(folder, 'gone'), file])).toBe('therethere');
  });

  it('bytes have no name, and are there at every start', () => {
    const before = readdirSync(folder);
    const kept = keepNameless(Buffer.from('bytes'));
    expect(kept).toMatch(/^\/proc\/self\/fd\/\d+$/);
    expect([read([kept ?? '']), read([kept ?? ''])]).toEqual(['bytes', 'bytes']);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('is closed here, also when one of it cannot be opened', () => {
    writeFileSync(file, '');
    const before = openDescriptors();
    expect(() => openHanded({ handed: [file, join(file, 'below')], masked: [] })).toThrow(/ENOTDIR/);
    openHanded({ handed: [file], masked: [9] }).close();
    expect(openDescriptors()).toBe(before);
  });

  it('leaves nothing of our own descriptors behind it', () => {
    const { extra, close } = openHanded({ handed: [file], masked: [3, 4, 7] });
    close();
    expect(extra).toEqual([expect.any(Number), 'pipe', 'ignore', 'ignore', expect.any(Number)]);
  });
});

/** What a child finds on the descriptors from 3 on. */
function read(handed: readonly Handed[]): string {
  const { extra, close } = openHanded({ handed, masked: [] });
  const script = handed.map((_, index) => `cat <&${3 + index}`).join(';');
  const { stdout }: SpawnSyncReturns<string> = spawnSync('/bin/sh', ['-c', script], {
    stdio: ['ignore', 'pipe', 'ignore', ...extra],
    encoding: 'utf8',
  });
  close();
  return stdout;
}

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}
