import { chmodSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import type { TestClient } from '../harness/client';
import { eachWay } from '../harness/each-way';
import { makeWorkspace } from '../harness/workspace';

const MAX_BYTES = 1_048_576;
const ONE_WAY = [{ door: 'stdio', era: 'legacy' }] as const;

function failure(code: string, message: string, details: object) {
  return { error: { code, message, details } };
}

async function read(client: TestClient, path: string): Promise<unknown> {
  return client.call('read_repo_file', { path });
}

eachWay('read_repo_file', {}, (stage) => {
  beforeAll(() => {
    stage.workspace.write('.claude/memory/progress_log.jsonl', '{"timestamp": "2026-01-01T09:00:00Z"}\n');
    stage.workspace.write('.env', 'TOKEN=hunter2\n');
  });

  it('answers content, normalized path and size, once [repo.read.example, repo.read.output-schema, every.bulk-once]', async () => {
    const result = await stage.client.result('read_repo_file', { path: '.claude/memory/progress_log.jsonl' });
    expect(JSON.parse(result.content[0]?.text ?? '')).toEqual({
      content: '{"timestamp": "2026-01-01T09:00:00Z"}\n',
      path: '.claude/memory/progress_log.jsonl',
      size: 38,
    });
    expect(result.structuredContent).toBeUndefined();
    expect(result.isError).toBeFalsy();
  });

  it('says a failure as an isError result [repo.failures-are-results, repo.read.blocked.env]', async () => {
    const result = await stage.client.result('read_repo_file', { path: '.env' });
    const body = failure('BLOCKED', 'Blocked path .env: files that match .env* are never read', {
      kind: 'blocked_path',
      path: '.env',
      pattern: '.env*',
    });
    expect(result).toMatchObject({ isError: true, structuredContent: body });
    expect(JSON.parse(result.content[0]?.text ?? '')).toEqual(body);
  });
});

eachWay(
  'what read_repo_file reads',
  {},
  (stage) => {
    it('counts the size in bytes, not in characters [repo.read.size]', async () => {
      stage.workspace.write('wood.txt', 'Eiche 🪵\n');
      expect(await read(stage.client, 'wood.txt')).toEqual({ content: 'Eiche 🪵\n', path: 'wood.txt', size: 11 });
    });

    it('normalizes the path that it answers [repo.read.normalized-path]', async () => {
      stage.workspace.write('docs/guide.md', 'guide\n');
      for (const path of [
        'docs/guide.md',
        './docs/guide.md',
        'docs//guide.md',
        'docs/./guide.md',
        '././docs/././guide.md',
      ])
        expect(await read(stage.client, path)).toEqual({ content: 'guide\n', path: 'docs/guide.md', size: 6 });
    });

    it('takes a folder named workspace for what it is [repo.read.normalized-path]', async () => {
      stage.workspace.write('workspace/a.txt', 'a');
      expect(await read(stage.client, 'workspace/a.txt')).toEqual({ content: 'a', path: 'workspace/a.txt', size: 1 });
    });

    it('reads 1,048,576 bytes and refuses one more, with size and limit [repo.read.size-limit]', async () => {
      const text = 'x'.repeat(MAX_BYTES);
      stage.workspace.write('full.txt', text);
      stage.workspace.write('over.txt', `${text}y`);
      expect(await read(stage.client, 'full.txt')).toEqual({ content: text, path: 'full.txt', size: MAX_BYTES });
      expect(await read(stage.client, 'over.txt')).toEqual(
        failure('TOO_LARGE', 'over.txt has 1048577 bytes; at most 1048576 can be read', {
          kind: 'too_large',
          path: 'over.txt',
          bytes: MAX_BYTES + 1,
          limit: MAX_BYTES,
        }),
      );
    });

    it('measures the limit in bytes [repo.read.size-limit]', async () => {
      stage.workspace.write('wide.txt', 'é'.repeat(MAX_BYTES / 2 + 1));
      expect(await read(stage.client, 'wide.txt')).toMatchObject({ error: { code: 'TOO_LARGE' } });
    });

    it('changes nothing, and needs no right to write [repo.read.read-only]', async () => {
      const path = stage.workspace.write('quiet.txt', 'quiet');
      chmodSync(path, 0o444);
      const before = statSync(path, { bigint: true });
      await read(stage.client, 'quiet.txt');
      const { mtimeNs, ctimeNs, mode, ino } = statSync(path, { bigint: true });
      expect({ mtimeNs, ctimeNs, mode, ino }).toEqual({
        mtimeNs: before.mtimeNs,
        ctimeNs: before.ctimeNs,
        mode: before.mode,
        ino: before.ino,
      });
    });

    it('has its own words for what is not there, no file or no text [repo.read.not-there]', async () => {
      mkdirSync(stage.workspace.path('folder'));
      stage.workspace.write('image.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]));
      stage.workspace.write('plain.txt', 'plain');
      expect(await read(stage.client, 'missing.txt')).toMatchObject({
        error: { code: 'NOT_FOUND', message: 'File not found: missing.txt' },
      });
      expect(await read(stage.client, 'plain.txt/below')).toMatchObject({ error: { code: 'NOT_FOUND' } });
      for (const path of ['folder', '.', './'])
        expect(await read(stage.client, path)).toMatchObject({ error: { code: 'NOT_FILE' } });
      expect(await read(stage.client, 'image.png')).toMatchObject({ error: { code: 'NOT_TEXT' } });
    });
  },
  ONE_WAY,
);

eachWay(
  'what read_repo_file refuses',
  {},
  (stage) => {
    const outside = makeWorkspace({ 'outside.txt': 'not yours\n' });
    beforeAll(() => {
      for (const path of ['.env', '.git/config', 'config/secret.yml', 'aws/credentials', 'shown.txt'])
        stage.workspace.write(path, 'hunter2\n');
      return () => outside.remove();
    });

    it.each([
      ['a space', 'a b.txt'],
      ['nothing', ''],
      ['a backslash', 'a\\b.txt'],
      ['a NUL', 'a\0b'],
      ['a line break', 'shown.txt\n'],
      ['a letter beyond ASCII', 'süß.txt'],
      ['a percent sign', '%2e%2e/x'],
      ['a tilde', '~/x'],
    ])('refuses a path with %s, naming the parameter [repo.read.pattern]', async (_, path) => {
      expect(await read(stage.client, path)).toEqual(
        failure('INVALID_ARGUMENT', "Invalid parameter 'path': must match /^[a-zA-Z0-9_./-]+$/", {
          kind: 'invalid_argument',
          parameter: 'path',
        }),
      );
    });

    it('refuses a missing or mistyped path [repo.read.input-schema]', async () => {
      for (const [args, problem] of [
        [{}, 'is missing; expected a string'],
        [{ path: 7 }, 'must be a string, not 7'],
        [{ path: null }, 'must be a string, not null'],
        [{ path: ['a'] }, 'must be a string, not an array'],
      ] as const)
        expect(await stage.client.call('read_repo_file', args)).toMatchObject({
          error: { code: 'INVALID_ARGUMENT', message: `Invalid parameter 'path': ${problem}` },
        });
    });

    it.each(['..', '../x', 'a/..', 'a/../b', './../x', 'shown.txt/../shown.txt', '../../../../etc/passwd'])(
      'refuses .. in %s [repo.read.blocked.parent]',
      async (path) => {
        expect(await read(stage.client, path)).toMatchObject({
          error: { code: 'INVALID_PATH', message: expect.stringContaining('..') },
        });
      },
    );

    it.each(['/etc/passwd', '//etc/passwd', '/'])(
      'refuses the absolute path %s [repo.read.within-root]',
      async (path) => {
        expect(await read(stage.client, path)).toMatchObject({ error: { code: 'INVALID_PATH' } });
      },
    );

    it('refuses an absolute path even to a file of the repository [repo.read.within-root]', async () => {
      expect(await read(stage.client, stage.workspace.path('shown.txt'))).toMatchObject({
        error: { code: 'INVALID_PATH' },
      });
    });

    it('refuses a link that leads out, whole or halfway [repo.read.within-root]', async () => {
      symlinkSync(outside.path('outside.txt'), stage.workspace.path('out.txt'));
      symlinkSync(outside.root, stage.workspace.path('out'));
      symlinkSync('/nowhere/at/all', stage.workspace.path('dangling'));
      for (const path of ['out.txt', 'out/outside.txt', 'dangling']) {
        const answer = await read(stage.client, path);
        expect(answer).toMatchObject({ error: { code: 'INVALID_PATH' } });
        expect(JSON.stringify(answer)).not.toContain('not yours');
      }
    });

    const BLOCKED = [
      [
        '[repo.read.blocked.env]',
        '.env*',
        ['.env', '.env.local', '.envrc', '.environment/x', 'app/.env', 'app/.env.d/a'],
      ],
      [
        '[repo.read.blocked.secret]',
        '*secret*',
        ['secret', 'secrets.yml', 'config/secret.yml', 'my-secret-plan/plan.md', 'topsecrets'],
      ],
      [
        '[repo.read.blocked.credential]',
        '*credential*',
        ['credentials', 'aws/credentials', 'gcp-credential.json', 'credentials.d/a/b'],
      ],
      ['[repo.read.blocked.git]', '.git/', ['.git', '.git/config', 'sub/.git/HEAD', '.git/hooks/pre-commit']],
    ] as const;
    for (const [promise, pattern, paths] of BLOCKED) {
      it.each(paths)(`blocks ${pattern}: %s ${promise} [repo.read.blocked.every-segment]`, async (path) => {
        expect(await read(stage.client, path)).toEqual(
          failure('BLOCKED', `Blocked path ${path}: files that match ${pattern} are never read`, {
            kind: 'blocked_path',
            path,
            pattern,
          }),
        );
      });
    }

    it.each(['.ENV', '.Env.Local', 'config/SECRET.yml', 'AWS/Credentials', '.GIT/config', 'sub/.Git/HEAD'])(
      'blocks whatever the case: %s [repo.read.blocked.any-case]',
      async (path) => {
        expect(await read(stage.client, path)).toMatchObject({ error: { code: 'BLOCKED' } });
      },
    );

    it('does not tell whether a blocked file is there [repo.read.blocked.nothing-told]', async () => {
      const there = JSON.stringify(await read(stage.client, 'config/secret.yml'));
      const missing = JSON.stringify(await read(stage.client, 'config/secret.txt'));
      expect(there.replaceAll('.yml', '')).toBe(missing.replaceAll('.txt', ''));
    });

    it('blocks a harmless name that leads to a blocked one [repo.read.blocked.as-resolved]', async () => {
      symlinkSync('.env', stage.workspace.path('notes.txt'));
      symlinkSync('.git', stage.workspace.path('g'));
      symlinkSync('notes.txt', stage.workspace.path('again.txt'));
      symlinkSync(stage.workspace.path('aws/credentials'), stage.workspace.path('absolute.txt'));
      for (const path of ['notes.txt', 'g/config', 'again.txt', 'absolute.txt']) {
        const answer = await read(stage.client, path);
        expect(answer).toMatchObject({ error: { code: 'BLOCKED', details: { path } } });
        expect(JSON.stringify(answer)).not.toContain('hunter2');
      }
    });

    it('blocks a blocked name that leads to a harmless one [repo.read.blocked.as-resolved]', async () => {
      symlinkSync('shown.txt', stage.workspace.path('.env.shown'));
      expect(await read(stage.client, '.env.shown')).toMatchObject({ error: { code: 'BLOCKED' } });
    });

    it('reads what only looks alike [repo.read.blocked.git, repo.read.blocked.env]', async () => {
      for (const path of [
        '.gitignore',
        '.github/ci.yml',
        'git/config',
        'env',
        'a.env',
        'my.git',
        'secre.t',
        'environment',
      ]) {
        stage.workspace.write(path, 'open\n');
        expect(await read(stage.client, path)).toEqual({ content: 'open\n', path, size: 5 });
      }
    });

    it('reads through a link that stays inside [repo.read.within-root]', async () => {
      symlinkSync('shown.txt', stage.workspace.path('inside.txt'));
      expect(await read(stage.client, 'inside.txt')).toEqual({ content: 'hunter2\n', path: 'inside.txt', size: 8 });
    });
  },
  ONE_WAY,
);
