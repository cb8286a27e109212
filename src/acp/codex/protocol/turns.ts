/** Turns as `thread/resume`, `thread/read` and `turn/completed` bring them. */
import type { ThreadItem } from './items';
import { fieldsOf, listOf, textOf, wordOf } from './json-fields';
import { readItem } from './read-item';

export interface Turn {
  readonly id: string;
  readonly status: 'inProgress' | 'completed' | 'interrupted' | 'failed';
  /** Why it failed; empty when it did not. */
  readonly error: string;
  readonly items: readonly ThreadItem[];
}

export function readTurn(value: unknown): Turn {
  const { id, status, error, items } = fieldsOf(value);
  return {
    id: textOf(id),
    status: wordOf(status, ['inProgress', 'completed', 'interrupted', 'failed']),
    error: textOf(fieldsOf(error).message),
    items: listOf(items).map(readItem),
  };
}
