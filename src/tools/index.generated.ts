// Written by `npm run gen` from the files of src/tools; do not edit.
import type { Tool } from '../contract/contract';
import { deleteFile } from './workspace/delete-file';
import { editFile } from './workspace/edit-file';
import { editTextFile } from './editor/edit-text-file';
import { hello } from './repo/hello';
import { listDir } from './workspace/list-dir';
import { mkdir } from './workspace/mkdir';
import { moveFile } from './workspace/move-file';
import { multiEditTextFile } from './editor/multi-edit-text-file';
import { readFile } from './workspace/read-file';
import { readRepoFile } from './repo/read-repo-file';
import { readTextFile } from './editor/read-text-file';
import { runCommand } from './workspace/run-command';
import { writeFile } from './workspace/write-file';
import { writeMemoryEntry } from './repo/write-memory-entry';
import { writeTextFile } from './editor/write-text-file';

export const editorTools: readonly Tool[] = [readTextFile, editTextFile, multiEditTextFile, writeTextFile];
export const workspaceTools: readonly Tool[] = [listDir, readFile, mkdir, editFile, writeFile, deleteFile, moveFile, runCommand];
export const repoTools: readonly Tool[] = [hello, readRepoFile, writeMemoryEntry];
