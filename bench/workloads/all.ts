import type { Family } from '../workload';
import { coldStart } from './cold-start';
import { commands } from './commands';
import { edits } from './edits';
import { http } from './http';
import { largeReads } from './large-reads';
import { lists } from './lists';
import { memory } from './memory';
import { smallReads } from './small-reads';
import { windows } from './windows';
import { writes } from './writes';

/** In this order: the memory is looked at last. */
export const families: readonly Family[] = [
  coldStart,
  smallReads,
  largeReads,
  windows,
  writes,
  edits,
  lists,
  commands,
  http,
  memory,
];
