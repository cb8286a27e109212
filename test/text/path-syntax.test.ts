import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBlocked, parseAbsolute, parseRelative, showRelative } from '../../src/text/path-syntax';

describe('a relative path', () => {
  test.each([
    ['a.txt', ['a.txt'], false],
    ['src/components/', ['src', 'components'], true],
    ['src/.', ['src'], true],
    ['./a//b/./c', ['a', 'b', 'c'], false],
    ['.', [], true],
    ['./', [], true],
    ['workspace', [], true],
    ['workspace/workspace', [], true],
    ['workspace/workspace/a.txt', ['a.txt'], false],
    ['./workspace/a.txt', ['a.txt'], false],
    ['a/workspace', ['a', 'workspace'], false],
    ['workspaces/a', ['workspaces', 'a'], false],
    ['Workspace/a', ['Workspace', 'a'], false],
    ['...', ['...'], false],
    ['..a/b..', ['..a', 'b..'], false],
    ['C:a', ['C:a'], false],
    ['con', ['con'], false],
    ['ü/😀 x', ['ü', '😀 x'], false],
  ])('%j is read as %j', (path, segments, directory) => {
    expect(parseRelative(path)).toEqual({ ok: true, segments, directory });
  });

  test.each([
    ['', 'is empty'],
    ['/', 'is absolute'],
    ['/etc/passwd', 'is absolute'],
    ['//server/share', 'is absolute'],
    ['C:\\x', 'is absolute'],
    ['c:/x', 'is absolute'],
    ['./C:/x', 'is absolute'],
    ['\\\\server\\share', 'is absolute'],
    ['\\x', 'is absolute'],
    ['..', 'contains a .. segment'],
    ['../', 'contains a .. segment'],
    ['a/../b', 'contains a .. segment'],
    ['workspace/../secret', 'contains a .. segment'],
    ['a\\b', 'contains a backslash'],
    ['a\0b', 'contains a NUL character'],
    ['a\nb', 'contains a control character'],
    ['a\u007f', 'contains a control character'],
    ['a\u0085', 'contains a control character'],
    ['a\ud800', 'contains half of a surrogate pair'],
  ])('%j is refused', (path, problem) => {
    expect(parseRelative(path)).toEqual({ ok: false, problem });
  });

  test.each(['a:b', 'a/file.txt::$DATA', 'nul', 'sub/CON.txt', 'Lpt1', 'aux .txt', 'a.', 'a /b', 'a/b ', 'a*', 'a|b'])(
    '%j is refused on Windows only',
    (path) => {
      expect(parseRelative(path, { platform: 'linux' }).ok).toBe(true);
      expect(parseRelative(path, { platform: 'win32' }).ok).toBe(false);
    },
  );

  test('shown and read again, it is the same path, and never leads up', () => {
    const segment = fc.constantFrom('a', 'workspace', '.', '..', '', 'b c', '.git', '\\', '\0', 'C:', 'ü');
    const path = fc.array(segment, { maxLength: 6 }).map((segments) => segments.join('/'));
    fc.assert(
      fc.property(fc.oneof(path, fc.string({ unit: 'binary' })), (given) => {
        const first = parseRelative(given);
        if (!first.ok) return;
        expect(first.segments.filter((name) => /^\.{0,2}$|[\\/\0]/.test(name))).toEqual([]);
        expect(parseRelative(showRelative(first.segments))).toEqual({
          ...first,
          directory: first.segments.length === 0,
        });
      }),
      { numRuns: 2000 },
    );
  });

  test('keeps a leading workspace where that is a name like any other', () => {
    expect(parseRelative('workspace/a', { keepWorkspace: true })).toEqual({
      ok: true,
      segments: ['workspace', 'a'],
      directory: false,
    });
  });

  test('is shown with slashes, the root as a dot', () => {
    expect([showRelative([]), showRelative(['a']), showRelative(['a', 'b'])]).toEqual(['.', 'a', 'a/b']);
  });
});

describe('an absolute path', () => {
  test.each([
    ['/', '/', [], true],
    ['/a/b', '/', ['a', 'b'], false],
    ['//a///b/', '/', ['a', 'b'], true],
    ['/a/./b/../c', '/', ['a', 'c'], false],
    ['/a/..', '/', [], true],
    ['/../../x', '/', ['x'], false],
    ['/a\\b/line\nend', '/', ['a\\b', 'line\nend'], false],
  ])('%j is read on POSIX', (path, root, segments, directory) => {
    expect(parseAbsolute(path)).toEqual({ ok: true, root, segments, directory });
  });

  test.each([
    ['c:\\a\\..\\b', 'C:\\', ['b'], false],
    ['C:/a/b/', 'C:\\', ['a', 'b'], true],
    ['C:\\', 'C:\\', [], true],
    ['\\\\server\\share\\a', '\\\\server\\share\\', ['a'], false],
    ['//server/share', '\\\\server\\share\\', [], true],
    ['\\\\server\\share\\..\\..\\a', '\\\\server\\share\\', ['a'], false],
  ])('%j is read on Windows', (path, root, segments, directory) => {
    expect(parseAbsolute(path, { platform: 'win32' })).toEqual({ ok: true, root, segments, directory });
  });

  test.each([
    ['', 'linux'],
    ['a/b', 'linux'],
    ['./a', 'linux'],
    ['~/a', 'linux'],
    ['a\0b', 'linux'],
    ['C:\\a', 'linux'],
    ['file:///a', 'linux'],
    ['/a', 'win32'],
    ['\\a', 'win32'],
    ['C:a', 'win32'],
    ['\\\\?\\C:\\a', 'win32'],
    ['\\\\.\\pipe\\a', 'win32'],
    ['\\\\server', 'win32'],
  ])('%j is not absolute on %s', (path, platform) => {
    expect(parseAbsolute(path, { platform })).toEqual({ ok: false, kind: 'not_absolute', problem: 'is not absolute' });
  });

  test.each([
    ['/a\0b', 'linux', 'contains a NUL character'],
    ['/a\udc00', 'linux', 'contains half of a surrogate pair'],
    ['C:\\a:b', 'win32', 'contains a colon, which Windows reads as a drive or stream'],
    ['C:\\nul', 'win32', 'contains a device name of Windows'],
    ['C:\\a.\\b', 'win32', 'has a name that ends in a dot or space, which Windows drops'],
    ['C:\\a?', 'win32', 'contains a character that Windows forbids in names'],
  ])('%j is malformed on %s', (path, platform, problem) => {
    expect(parseAbsolute(path, { platform })).toEqual({ ok: false, kind: 'malformed', problem });
  });
});

describe('a blocked path', () => {
  test.each([
    ['..', '..'],
    ['a/../b', '..'],
    ['.env', '.env*'],
    ['a/.ENV.local', '.env*'],
    ['.envrc/x', '.env*'],
    ['my-Secrets.txt', '*secret*'],
    ['top_SECRET/readme.md', '*secret*'],
    ['\u017fecret', '*secret*'],
    ['aws-credentials', '*credential*'],
    ['Credential/x', '*credential*'],
    ['.git', '.git/'],
    ['.git/config', '.git/'],
    ['sub/.GIT/HEAD', '.git/'],
    ['.g\u200cit/config', '.git/'],
    ['.git./config', '.git/'],
    ['.git::$INDEX_ALLOCATION/config', '.git/'],
    ['GIT~1/config', '.git/'],
  ])('%j matches %s', (path, pattern) => {
    expect(isBlocked(path.split('/'))).toBe(pattern);
  });

  test.each(['.gitignore', '.github/workflows/ci.yml', 'git', 'a.git', 'env', 'my.env', 'secre', '.e', 'src/a.ts'])(
    '%j is free',
    (path) => {
      expect(isBlocked(path.split('/'))).toBeUndefined();
    },
  );
});
