/** The changes that a server can be asked for while the disk fails, each with the tree before and after it. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Server, ToolCall, Tools } from './server';

export const OLD = 'the old content\n'.repeat(500);
export const NEW = 'the new content\n'.repeat(600);
const LARGE = 'the new content\n'.repeat(40_000);
const LINE = 'the old content';

/** Paths and contents; a directory has `undefined`. */
export type Tree = Readonly<Record<string, string | undefined>>;

export interface Change {
  readonly label: string;
  readonly before: Tree;
  readonly after: Tree;
  /** Undefined where the tools have none for it. */
  call(tools: Tools): ToolCall | undefined;
  /** Stopped half-way it leaves some of what it removes, which nobody can help. */
  readonly isPiecemeal?: boolean;
}

const FILE = 'd/f.txt';
const ONE: Tree = { d: undefined, [FILE]: OLD };
const TREE: Tree = { d: undefined, 'd/t': undefined, 'd/t/a': OLD, 'd/t/b': undefined, 'd/t/b/c': OLD };

export function overwrite({ isLarge = false } = {}): Change {
  const text = isLarge ? LARGE : NEW;
  return { label: 'overwrite', before: ONE, after: { ...ONE, [FILE]: text }, call: ({ write }) => write?.(FILE, text) };
}

export function create({ isLarge = false } = {}): Change {
  const [file, text] = ['d/new.txt', isLarge ? LARGE : NEW];
  return { label: 'create', before: ONE, after: { ...ONE, [file]: text }, call: ({ write }) => write?.(file, text) };
}

export function edit({ isLarge = false } = {}): Change {
  const to = isLarge ? LARGE : 'new';
  const before = { ...ONE, [FILE]: `first\n${OLD}`.replace('first', 'old') };
  const after = { ...ONE, [FILE]: `${to}\n${OLD}` };
  return {
    label: 'edit',
    before,
    after,
    call: ({ edit: tool }) => tool?.(FILE, { from: `old\n${LINE}`, to: `${to}\n${LINE}` }),
  };
}

export function append({ appendPath }: Server): Change {
  const folders = dirname(appendPath).split('/');
  const parents = Object.fromEntries(folders.map((_, at) => [folders.slice(0, at + 1).join('/'), undefined]));
  const before = { ...parents, [appendPath]: OLD };
  return {
    label: 'append',
    before,
    after: { ...before, [appendPath]: `${OLD}entry\n` },
    call: ({ append: tool }) => tool?.('entry'),
  };
}

export const move: Change = {
  label: 'move',
  before: ONE,
  after: { d: undefined, 'd/moved.txt': OLD },
  call: ({ move: tool }) => tool?.(FILE, 'd/moved.txt'),
};

export const remove: Change = {
  label: 'delete',
  before: ONE,
  after: { d: undefined },
  call: ({ remove: tool }) => tool?.(FILE),
};

export const removeTree: Change = {
  label: 'recursive delete',
  before: TREE,
  after: { d: undefined },
  call: ({ removeTree: tool }) => tool?.('d/t'),
  isPiecemeal: true,
};

export const makeDirectory: Change = {
  label: 'mkdir',
  before: ONE,
  after: { ...ONE, 'd/made': undefined },
  call: ({ makeDirectory: tool }) => tool?.('d/made'),
};

/** Makes the tree, and nothing else but what is to be kept. */
export function layTree(root: string, tree: Tree, kept: readonly string[] = []): void {
  for (const name of readdirSync(root))
    if (!kept.includes(name)) rmSync(join(root, name), { recursive: true, force: true });
  for (const [path, content] of Object.entries(tree))
    if (content === undefined) mkdirSync(join(root, path), { recursive: true });
    else writeFileSync(join(root, path), content);
}

export type State = 'before' | 'after' | 'between' | `wrong: ${string}`;

/** What has become of the tree. */
export function stateOf(
  root: string,
  { before, after, isPiecemeal = false }: Change,
  ignored: readonly string[],
): State {
  const found = readTree(root, '', ignored);
  if (isSame(found, before)) return 'before';
  if (isSame(found, after)) return 'after';
  if (isPiecemeal && Object.entries(found).every(([path, content]) => path in before && before[path] === content))
    return 'between';
  const spoilt = Object.entries(found).find(
    ([path, content]) => path in before && content !== before[path] && content !== after[path],
  );
  if (spoilt) return `wrong: ${spoilt[1] === '' ? 'old content gone' : 'old content damaged'}`;
  const more = Object.entries(found).filter(([path]) => !(path in before));
  if (more.length > 0)
    return `wrong: left behind: ${more.map(([, content]) => `${content?.length ?? 0} bytes`).join(', ')}`;
  return 'wrong: something is gone';
}

function readTree(root: string, below: string, ignored: readonly string[]): Tree {
  return Object.fromEntries(
    readdirSync(join(root, below))
      .filter((name) => !ignored.includes(name))
      .flatMap((name) => {
        const path = join(below, name);
        if (!lstatSync(join(root, path)).isDirectory()) return [[path, readFileSync(join(root, path), 'utf8')]];
        return [[path, undefined], ...Object.entries(readTree(root, path, ignored))];
      }),
  );
}

function isSame(found: Tree, expected: Tree): boolean {
  const names = Object.keys(expected);
  return (
    Object.keys(found).length === names.length && names.every((path) => path in found && found[path] === expected[path])
  );
}
