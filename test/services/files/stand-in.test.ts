/** The process stays in a held directory, or stands in one for one synchronous step, and is back whatever happens. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Anchor, anchorAt, canPin } from '../../../src/services/files/anchor';
import { followTo, standIn, stayIn } from '../../../src/services/files/stand-in';
import { noteStanding } from '../../../src/services/files/standing';
import { makeWorkspace, type Workspace } from '../../harness/workspace';

const before = process.cwd();
const whereabouts = () => readlinkSync('/proc/self/cwd');
let workspace: Workspace;
let held: Anchor;
beforeEach(() => {
  workspace = makeWorkspace();
  workspace.write('held/file', 'four');
  held = anchorAt(workspace.path('held'), { pinned: true });
});
afterEach(() => {
  noteStanding(undefined);
  process.chdir(before);
  held.close();
  workspace.remove();
});

const sizeOf = (name: string) => standIn(held, () => lstatSync(held.near(name)).size);

describe.runIf(canPin())('standing in a directory', () => {
  it('looks by the name alone, and is back', () => {
    expect(standIn(held, () => [held.near('file'), whereabouts()])).toEqual(['file', workspace.path('held')]);
    expect(whereabouts()).toBe(before);
  });

  it('looks into the directory that is held, not into what has its name by now', () => {
    renameSync(workspace.path('held'), workspace.path('moved'));
    workspace.write('held/file', 'another');
    expect(sizeOf('file')).toBe(4);
  });

  it('is back after an error too', () => {
    expect(() => sizeOf('gone')).toThrow('ENOENT');
    expect(whereabouts()).toBe(before);
  });

  it('goes back to a directory that has another name by now, or none', () => {
    mkdirSync(workspace.path('origin'));
    process.chdir(workspace.path('origin'));
    standIn(held, () => renameSync(workspace.path('origin'), workspace.path('renamed')));
    expect(whereabouts()).toBe(workspace.path('renamed'));
    standIn(held, () => rmdirSync(workspace.path('renamed')));
    expect(whereabouts()).toBe(`${workspace.path('renamed')} (deleted)`);
    expect(sizeOf('file')).toBe(4);
    expect(whereabouts()).toBe(`${workspace.path('renamed')} (deleted)`);
  });
});

describe.runIf(canPin())('staying in a directory', () => {
  beforeEach(() => stayIn(held));

  it('reaches what is in it by the name alone, and only that', () => {
    expect([held.near('file'), held.share().near('file')]).toEqual(['file', 'file']);
    const again = anchorAt(workspace.path('held'), { pinned: true });
    expect(again.near('file')).toBe(again.at('file'));
    again.close();
  });

  it('stays in what is held, not in what has its name by now', () => {
    renameSync(workspace.path('held'), workspace.path('moved'));
    workspace.write('held/file', 'another');
    expect(lstatSync(held.near('file')).size).toBe(4);
  });

  it('comes back from another directory, where its own names need a way', () => {
    workspace.write('other/long', 'eleven');
    const other = anchorAt(workspace.path('other'), { pinned: true });
    const seen = standIn(other, () => [other.near('long'), held.near('file') === held.at('file')]);
    expect(seen).toEqual(['long', true]);
    expect([held.near('file'), whereabouts()]).toEqual(['file', workspace.path('held')]);
    other.close();
  });

  it('follows what was taken in its place, and nothing else', () => {
    workspace.write('anew/file', 'seven..');
    const anew = anchorAt(workspace.path('anew'), { pinned: true });
    followTo(held, anew);
    expect(whereabouts()).toBe(workspace.path('held'));
    followTo(anew, held);
    expect([anew.near('file'), whereabouts()]).toEqual(['file', workspace.path('anew')]);
    expect(held.near('file')).toBe(held.at('file'));
    anew.close();
  });
});

it('nobody else moves the process', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const movers = sources.filter((name) => readFileSync(join('src', name), 'utf8').includes('process.chdir('));
  expect(movers).toEqual([join('services', 'files', 'stand-in.ts')]);
});

it('does not go where a directory is held by its path', () => {
  const named = anchorAt(workspace.path('held'), { pinned: false });
  expect(standIn(named, () => [named.near('file'), process.cwd()])).toEqual([workspace.path('held/file'), before]);
});
