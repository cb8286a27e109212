import { expect, test } from 'vitest';
import { fenced } from '../../src/text/code-fence';

test('a text stands between fences, on lines of its own', () => {
  expect(fenced('a\n', 'sh')).toBe('```sh\na\n```');
  expect(fenced('a')).toBe('```\na\n```');
  expect(fenced('')).toBe('```\n```');
});

test('the fence is longer than any in the text', () => {
  expect(fenced('```js\n`````\n')).toBe('``````\n```js\n`````\n``````');
});
