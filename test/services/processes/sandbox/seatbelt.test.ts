import { expect, it } from 'vitest';
import { seatbeltProfile } from '../../../../src/services/processes/sandbox/seatbelt';

it('the profile for macOS: writing, reading the home and the network are refused, with exceptions', () => {
  const profile = seatbeltProfile({
    roots: ['/Users/me/pro"ject'],
    network: 'off',
    git: true,
    home: '/Users/me',
    folder: { cache: '/Users/me/.cache/tenon/cache', aside: '/Users/me/.cache/tenon/aside' },
    toolchains: ['/Users/me/.volta'],
  });
  expect(profile).toMatchInlineSnapshot(`
    "(version 1)
    (allow default)
    (deny file-read* (subpath "/Users/me"))
    (allow file-read* (subpath "/Users/me/pro\\"ject") (subpath "/Users/me/.cache/tenon/cache") (subpath "/Users/me/.volta"))
    (allow file-read-metadata)
    (deny file-write*)
    (allow file-write* (subpath "/Users/me/pro\\"ject") (subpath "/Users/me/.cache/tenon/cache") (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/dtracehelper"))
    (deny file-write* (subpath "/Users/me/pro\\"ject/.npmrc") (subpath "/Users/me/pro\\"ject/.yarnrc.yml") (subpath "/Users/me/pro\\"ject/.envrc") (subpath "/Users/me/pro\\"ject/.mcp.json") (subpath "/Users/me/pro\\"ject/.vscode") (subpath "/Users/me/pro\\"ject/.idea") (subpath "/Users/me/pro\\"ject/.codex") (subpath "/Users/me/pro\\"ject/.claude") (subpath "/Users/me/pro\\"ject/.cursor") (subpath "/Users/me/pro\\"ject/.agents") (subpath "/Users/me/pro\\"ject/.husky") (subpath "/Users/me/pro\\"ject/.devcontainer") (subpath "/Users/me/pro\\"ject/.git/hooks") (subpath "/Users/me/pro\\"ject/.git/info") (subpath "/Users/me/pro\\"ject/.git/modules") (subpath "/Users/me/pro\\"ject/.git/config") (subpath "/Users/me/pro\\"ject/.git/config.worktree") (subpath "/Users/me/pro\\"ject/.git/commondir"))
    (deny file-write-unlink (literal "/Users/me/pro\\"ject/.git"))
    (deny process-info* (target others))
    (deny signal (target others))
    (allow signal (target same-sandbox))
    (deny network*)"
  `);
});
