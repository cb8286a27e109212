/** Changes in the form in which the real app-server (Codex 0.166) sends them. */
import { expect, it } from 'vitest';
import { readChange } from '../../src/acp/codex/protocol/read-item';
import { patchContents, patchLocations } from '../../src/acp/translate/patch';

const update = { type: 'update', move_path: null };
const contents = (...changes: object[]) => patchContents(changes.map(readChange), '/ws');
const diff = (path: string, oldText: string | null, newText: string) => ({ type: 'diff', path, oldText, newText });

it('an added file has no old text, a deleted one no new', () => {
  expect(
    contents(
      { path: '/ws/new.ts', kind: { type: 'add' }, diff: 'n1\nn2\n' },
      { path: '/ws/b.ts', kind: { type: 'delete' }, diff: 'b1\nb2\n' },
      { path: '/ws/empty.ts', kind: { type: 'add' }, diff: '' },
    ),
  ).toEqual([diff('/ws/new.ts', null, 'n1\nn2\n'), diff('/ws/b.ts', 'b1\nb2\n', ''), diff('/ws/empty.ts', null, '')]);
});

it('each hunk of an update is a diff of its own; line ends stay as they are', () => {
  const hunks =
    '@@ -1,3 +1,3 @@\n one\r\n-two\r\n+TWO\r\n three\r\n@@ -13,2 +13,2 @@\n thirteen\n-fourteen\n\\ No newline at end of file\n+FOURTEEN\n';
  expect(contents({ path: '/ws/a.ts', kind: update, diff: hunks })).toEqual([
    diff('/ws/a.ts', 'one\r\ntwo\r\nthree\r\n', 'one\r\nTWO\r\nthree\r\n'),
    diff('/ws/a.ts', 'thirteen\nfourteen', 'thirteen\nFOURTEEN\n'),
  ]);
});

it('a moved file is shown where it goes, without the remark that Codex writes behind its hunks', () => {
  const change = {
    path: '/ws/m.ts',
    kind: { type: 'update', move_path: '/ws/sub/moved.ts' },
    diff: '@@ -1,3 +1,3 @@\n m1\n-m2\n+M2\n m3\n\n\nMoved to: /ws/sub/moved.ts',
  };
  expect(contents(change)).toEqual([diff('/ws/sub/moved.ts', 'm1\nm2\nm3\n', 'm1\nM2\nm3\n')]);
  expect(patchLocations([readChange(change)], '/ws')).toEqual([{ path: '/ws/sub/moved.ts', line: 1 }]);
});

it('a diff that cannot be read is shown as it is', () => {
  expect(contents({ path: '/ws/a.ts', kind: update, diff: 'what?' })).toEqual([
    { type: 'content', content: { type: 'text', text: '```diff\nwhat?\n```' } },
  ]);
});

it('a relative path is taken from the folder of the session', () => {
  expect(contents({ path: 'sub/a.ts', kind: { type: 'add' }, diff: '' })).toEqual([diff('/ws/sub/a.ts', null, '')]);
});

it('what would make the message too large is counted instead', () => {
  const big = { path: '/ws/big', kind: { type: 'delete' }, diff: 'x'.repeat(1_500_000) };
  expect(contents({ path: '/ws/a', kind: { type: 'add' }, diff: 'a' }, big, big, big)).toEqual([
    diff('/ws/a', null, 'a'),
    diff('/ws/big', big.diff, ''),
    { type: 'content', content: { type: 'text', text: '2 more changes are too large to be shown.' } },
  ]);
});
