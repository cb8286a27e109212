/** The process stands in a held directory for one synchronous step, and is back whatever happens. */
import { lstatSync, mkdirSync, readlinkSync, renameSync, rmdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Anchor, anchorAt, canPin } from '../../../src/services/files/anchor';
import { standIn } from '../../../src/services/files/stand-in';
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
  process.chdir(before);
  held.close();
  workspace.remove();
});

const sizeOf = (name: string) => standIn(held, (at) => lstatSync(at(name)).size);

describe.runIf(canPin())('standing in a directory', () => {
  it('looks by the name alone, and is back', () => {
    expect(standIn(held, (at) => [at('file'), whereabouts()])).toEqual(['file', workspace.path('held')]);
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

it('does not go where a directory is held by its path', () => {
  const named = anchorAt(workspace.path('held'), { pinned: false });
  expect(standIn(named, (at) => [at('file'), process.cwd()])).toEqual([workspace.path('held/file'), before]);
});
