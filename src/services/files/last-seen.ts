/**
 * One object of each shape that a listing makes by the thousand. When the last object of a shape is collected, the
 * engine throws away the code that it compiled for that shape: the first listing after a pause took three times as long.
 */
import type { Dir, Dirent, Stats } from 'node:fs';
import type { DirectoryEntry } from '../../contract/ports';
import type { FirstOfMany } from '../../text/first-of-many';
import type { EntryLooks } from './entry-looks';

export const lastSeen: {
  directory?: Dir;
  dirent?: Dirent;
  names?: FirstOfMany;
  stat?: Stats;
  entry?: DirectoryEntry;
  looks?: EntryLooks;
} = {};
