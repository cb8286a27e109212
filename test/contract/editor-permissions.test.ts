/** What the system refuses: files by their mode, a file system that is read-only, a disk that is full. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eachWay } from '../harness/each-way';
import { errorOf, ONE_WAY } from './editor-answers';
import { type OtherUser, openAsOtherUser, whyNoOtherUser } from './editor-other-user';

const noOtherUser = whyNoOtherUser();

describe.skipIf(noOtherUser)(`file modes${noOtherUser ? ` (skipped: ${noOtherUser})` : ''}`, () => {
  let user: OtherUser;
  beforeAll(async () => {
    user = await openAsOtherUser();
    writeFileSync(join(user.root, 'hidden.txt'), 'a secret\n', { mode: 0o200 });
    writeFileSync(join(user.root, 'protected.txt'), 'text\n');
    mkdirSync(join(user.root, 'locked'));
    writeFileSync(join(user.root, 'locked', 'file.txt'), 'text\n');
    mkdirSync(join(user.root, 'open'));
    writeFileSync(join(user.root, 'open', 'protected.txt'), 'text\n');
    chmodSync(join(user.root, 'hidden.txt'), 0o000);
    chmodSync(join(user.root, 'protected.txt'), 0o444);
    chmodSync(join(user.root, 'open', 'protected.txt'), 0o444);
    chmodSync(join(user.root, 'open'), 0o777);
    mkdirSync(join(user.root, 'unlisted'));
    chmodSync(join(user.root, 'unlisted'), 0o333);
    chmodSync(join(user.root, 'locked'), 0o000);
    chmodSync(user.root, 0o555);
  });
  afterAll(async () => {
    chmodSync(join(user.root, 'locked'), 0o755);
    await user.close();
  });

  const denied = async (tool: string, name: string, args: object) => {
    const path = join(user.root, name);
    expect(await errorOf(user, tool, { path, ...args })).toEqual({
      code: -32002,
      message: `Permission denied: ${path}`,
      data: { kind: 'permission_denied', path },
    });
  };
  const order = { old_string: 'text', new_string: 'x' };

  it('read_text_file: a file that may not be read [editor.read.error.permission-denied]', async () => {
    await denied('read_text_file', 'hidden.txt', {});
  });

  it('read_text_file: a file in a directory that may not be entered [editor.read.error.permission-denied]', async () => {
    await denied('read_text_file', 'locked/file.txt', {});
  });

  it('write_text_file: a new file in a directory that may not be changed [editor.write.TC4, editor.write.error.permission-denied]', async () => {
    await denied('write_text_file', 'secret.txt', { content: 'data' });
  });

  it('write_text_file: a file in a directory that may not be entered [editor.write.error.permission-denied]', async () => {
    await denied('write_text_file', 'locked/file.txt', { content: 'data' });
  });

  it('write_text_file: a write-protected file, though its directory is open [editor.write.error.permission-denied, editor.errors.changes-nothing]', async () => {
    await denied('write_text_file', 'open/protected.txt', { content: 'data' });
    expect(readFileSync(join(user.root, 'open', 'protected.txt'), 'utf8')).toBe('text\n');
    expect(readdirSync(join(user.root, 'open'))).toEqual(['protected.txt']);
  });

  it('write_text_file: a file in a directory that may be changed, but not listed [editor.write.example.create]', async () => {
    const path = join(user.root, 'unlisted', 'new.txt');
    expect(await user.result('write_text_file', { path, content: 'data' })).not.toMatchObject({ isError: true });
    expect(readFileSync(path, 'utf8')).toBe('data');
  });

  it('edit_text_file: a file that may not be read, or not written [editor.edit.error.permission-denied]', async () => {
    await denied('edit_text_file', 'hidden.txt', order);
    await denied('edit_text_file', 'protected.txt', order);
    await denied('edit_text_file', 'open/protected.txt', order);
  });

  it('multi_edit_text_file: a file that may not be read, or not written [editor.multi.error.permission-denied]', async () => {
    await denied('multi_edit_text_file', 'hidden.txt', { edits: [order] });
    await denied('multi_edit_text_file', 'protected.txt', { edits: [order] });
    await denied('multi_edit_text_file', 'open/protected.txt', { edits: [order] });
  });
});

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  eachWay(
    'editor tools',
    {},
    (stage) => {
      it.each([
        ['read_text_file', {}],
        ['write_text_file', { content: 'data' }],
        ['edit_text_file', { old_string: 'a', new_string: 'b' }],
        ['multi_edit_text_file', { edits: [{ old_string: 'a', new_string: 'b' }] }],
      ])('%s: it is no file, and nobody waits for its other end [editor.read.error.not-a-file]', async (tool, args) => {
        const path = stage.workspace.path('pipe');
        spawnSync('mkfifo', [path]);
        expect(await errorOf(stage.client, tool, { path, ...args })).toEqual({
          code: -32003,
          message: `${path} is not a file`,
          data: { kind: 'not_a_file', path, found: 'a device, socket or pipe' },
        });
      });
    },
    ONE_WAY,
  );
});

const noMount = whyNoMount();

describe.skipIf(noMount)(`a small disk${noMount ? ` (skipped: ${noMount})` : ''}`, () => {
  eachWay('editor tools', {}, (stage) => {
    const disk = (name = '') => stage.workspace.path(join('disk', name));
    const TOOLS: Record<string, object> = {
      write_text_file: { content: 'x'.repeat(100_000) },
      edit_text_file: { old_string: 'text', new_string: 'x'.repeat(99_995) },
      multi_edit_text_file: { edits: [{ old_string: 'text', new_string: 'x'.repeat(99_995) }] },
    };
    const writers = Object.keys(TOOLS);
    const unchanged = () => {
      expect([readdirSync(disk()), readFileSync(disk('file.txt'), 'utf8')]).toEqual([['file.txt'], 'text\n']);
    };
    beforeAll(() => {
      mkdirSync(disk());
      mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk());
      writeFileSync(disk('file.txt'), 'text\n');
    });
    afterAll(() => {
      spawnSync('umount', ['-l', disk()]);
    });

    it.each(writers)(
      '%s: a full disk [editor.write.error.disk-full, editor.family.disk-full, editor.errors.changes-nothing]',
      async (tool) => {
        const path = disk('file.txt');
        const bytes = tool === 'write_text_file' ? 100_000 : 99_996;
        expect(await errorOf(stage.client, tool, { path, ...TOOLS[tool] })).toEqual({
          code: -32005,
          message: `Disk full: cannot write ${bytes} bytes to ${path}`,
          data: { kind: 'disk_full', path, bytes },
        });
        unchanged();
      },
    );

    it('write_text_file: a new file on a full disk is not left behind [editor.write.error.disk-full, editor.errors.changes-nothing]', async () => {
      const path = disk('new.txt');
      expect(await errorOf(stage.client, 'write_text_file', { path, content: 'ä'.repeat(50_000) })).toEqual({
        code: -32005,
        message: `Disk full: cannot write 100000 bytes to ${path}`,
        data: { kind: 'disk_full', path, bytes: 100_000 },
      });
      unchanged();
    });

    it.each(writers)(
      '%s: a read-only file system [editor.write.error.read-only, editor.family.read-only, editor.errors.changes-nothing]',
      async (tool) => {
        mount('-o', 'remount,ro', disk());
        const path = disk('file.txt');
        try {
          expect(await errorOf(stage.client, tool, { path, ...TOOLS[tool] })).toEqual({
            code: -32002,
            message: `Read-only filesystem: ${path}`,
            data: { kind: 'read_only_filesystem', path },
          });
        } finally {
          mount('-o', 'remount,rw', disk());
        }
        unchanged();
      },
    );
  });
});

function whyNoMount(): string | undefined {
  if (process.platform !== 'linux') return 'needs tmpfs, which only Linux has';
  if (process.getuid?.() !== 0) return 'only root may mount';
  // A private try: unshared, so that nothing stays mounted.
  const tried = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', '/mnt']);
  return tried.status === 0 ? undefined : 'mount is not allowed here';
}

function mount(...args: string[]): void {
  const { status, stderr } = spawnSync('mount', args);
  if (status !== 0) throw new Error(`mount ${args.join(' ')}: ${stderr}`);
}
