import { errorRows } from '../../contract/contract';
import { systemErrors } from '../system-errors';

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
  ...systemErrors,
});
