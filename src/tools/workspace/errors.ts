/** The rows that every workspace tool shares, and the ones that readers and writers add. */
import { errorRows } from '../../contract/contract';
import { systemErrors } from '../system-errors';

export const callErrors = errorRows({
  invalid_argument: {
    code: 'VALIDATION_ERROR',
    message: "Invalid parameter '{parameter}': {problem}",
    when: 'A parameter is missing, of the wrong type, out of bounds or unknown',
  },
  invalid_path: {
    code: 'INVALID_PATH',
    message: 'Invalid path {path}: {problem}',
    when: 'The path is absolute, empty, has a `..` segment, a backslash or a control character',
  },
  outside_roots: {
    code: 'INVALID_PATH',
    message: 'Invalid path {path}: {problem}',
    when: 'A symlink leads out of the workspace',
  },
  permission_denied: {
    code: 'INTERNAL_ERROR',
    message: 'Permission denied by the system: {path}',
    when: 'The system does not let the server at the file',
  },
  not_approved: {
    code: 'INTERNAL_ERROR',
    message: 'Not allowed: {file}: {problem}',
    when: 'The user did not allow the call',
  },
  ...systemErrors,
  cancelled: { code: 'INTERNAL_ERROR', message: 'Cancelled: {reason}', when: 'The client cancelled the call' },
});

export const readErrors = errorRows({
  file_not_found: { code: 'NOT_FOUND', message: 'File not found: {path}', when: 'There is no such file' },
  not_a_file: { code: 'NOT_FILE', message: '{path} is not a file but {found}', when: 'The path is not a file' },
  not_text: {
    code: 'VALIDATION_ERROR',
    message: '{path} is not text: {problem}',
    when: 'The file is binary (details.reason is "binary")',
  },
  too_large: {
    code: 'FILE_TOO_LARGE',
    message: '{path} has {bytes} bytes; at most {limit} are allowed here',
    when: 'The file is larger than the limit',
  },
});

export const writeErrors = errorRows({
  protected_path: {
    code: 'INVALID_PATH',
    message:
      'Invalid path {path}: {name} is protected, since other programs run what stands there. Ask the user to change it, or to start tenon with --protect off',
    when: 'A name that makes other programs run something: .vscode, .npmrc, .git/hooks, …',
  },
  read_only_filesystem: {
    code: 'INTERNAL_ERROR',
    message: 'Read-only file system: {path}',
    when: 'The file system cannot be written',
  },
  disk_full: {
    code: 'INTERNAL_ERROR',
    message: 'Disk full: cannot write {bytes} bytes to {path}',
    when: 'The disk is full',
  },
});
