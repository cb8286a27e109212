import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Workspace {
  readonly root: string;
  path(name: string): string;
  write(name: string, content: string | Uint8Array): string;
  read(name: string): string;
  bytes(name: string): Buffer;
  remove(): void;
}

/** A folder on the real disk, with files in it. */
export function makeWorkspace(files: Record<string, string | Uint8Array> = {}): Workspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-test-')));
  const workspace: Workspace = {
    root,
    path: (name) => join(root, name),
    write(name, content) {
      const path = join(root, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
    read: (name) => readFileSync(join(root, name), 'utf8'),
    bytes: (name) => readFileSync(join(root, name)),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
  for (const [name, content] of Object.entries(files)) workspace.write(name, content);
  return workspace;
}
