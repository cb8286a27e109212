import { errorRows } from '../../contract/contract';

export const callErrors = errorRows({
  invalid_argument: {
    code: 'INVALID_ARGUMENT',
    message: "Invalid parameter '{parameter}': {problem}",
    when: 'A parameter is missing or of the wrong type',
  },
  cancelled: { code: 'CANCELLED', message: 'Cancelled: {reason}', when: 'The client cancelled the call' },
  permission_denied: {
    code: 'PERMISSION_DENIED',
    message: 'Permission denied: {path}',
    when: 'The system does not let the server at the file',
  },
  system_error: {
    code: 'INTERNAL_ERROR',
    message: 'The system refused {path}: {problem}',
    when: 'Any other system error',
  },
  editor_failed: {
    code: 'INTERNAL_ERROR',
    message: 'The editor failed on {path}: {said}',
    when: 'The editor answered with an error that is no denial',
  },
  busy: {
    code: 'INTERNAL_ERROR',
    message: '{path} is busy: {problem}',
    when: 'Another process holds the file for too long',
  },
});
