/** The rows of the editor family: what one of its tools answers, its siblings answer too. */
import { errorRows } from '../../contract/contract';

export const callErrors = errorRows({
  path_not_absolute: { code: -32600, message: 'Path must be absolute: {path}', when: 'Invalid path' },
  invalid_argument: {
    code: -32602,
    message: "Invalid parameter '{parameter}': {problem}",
    when: 'A parameter is missing or of the wrong type',
  },
  outside_roots: { code: -32002, message: 'Permission denied: {path}', when: 'The path leads outside the roots' },
  permission_denied: { code: -32002, message: 'Permission denied: {path}', when: 'Permission denied' },
  not_approved: { code: -32002, message: 'Permission denied: {file}', when: 'The user did not allow the call' },
  invalid_path: {
    code: -32602,
    message: "Invalid parameter 'path': {problem}",
    when: 'The system cannot hold that name',
  },
  system_error: { code: -32603, message: 'The system refused {path}: {problem}', when: 'Any other system error' },
  editor_failed: {
    code: -32603,
    message: 'The editor failed on {path}: {said}',
    when: 'The editor answered with an error that is no denial',
  },
  busy: { code: -32603, message: '{path} is busy: {problem}', when: 'Another process holds the file for too long' },
  cancelled: { code: -32603, message: 'Cancelled: {reason}', when: 'The client cancelled the call' },
});

export const readErrors = errorRows({
  file_not_found: { code: -32001, message: 'File not found: {path}', when: 'File not found' },
  not_a_file: { code: -32003, message: '{path} is not a file', when: 'Not a file' },
  too_large: {
    code: -32004,
    message: 'File too large: {path} has {bytes} bytes, at most {limit} can be taken as text',
    when: 'The file is larger than the largest text',
  },
});

export const writeErrors = errorRows({
  protected_path: {
    code: -32002,
    message: 'Permission denied: {path}',
    when: 'A name that makes other programs run something: .vscode, .npmrc, .git/hooks, … (see --protect)',
  },
  read_only_filesystem: { code: -32002, message: 'Read-only filesystem: {path}', when: 'Read-only filesystem' },
  disk_full: { code: -32005, message: 'Disk full: cannot write {bytes} bytes to {path}', when: 'Disk full' },
});

export const editErrors = errorRows({
  not_text: { code: -32004, message: 'Cannot edit binary file: {path}', when: 'Binary file' },
  changed_meanwhile: {
    code: -32603,
    message: '{path} kept changing while the edit was applied; read it again and retry',
    when: 'Another program changed the file at every attempt',
  },
});
