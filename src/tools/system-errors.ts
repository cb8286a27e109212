/** The rows of the toolsets with string codes for what is nobody's mistake. */
import { errorRows } from '../contract/contract';

export const systemErrors = errorRows({
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
