/** What every tool that changes files promises of them. */
import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openClient } from '../harness/client';
import { eachWay } from '../harness/each-way';
import { makeWorkspace } from '../harness/workspace';
import { sampleCalls, writeSampleFiles } from './sample-calls';
import { treeOf } from './tree';

const UNATTENDED = { flags: ['--approve', 'always'] };
const ONE_WAY = [{ door: 'stdio', era: 'modern' }] as const;
const IS_ROOT = process.getuid?.() === 0;

eachWay(
  'a failed call',
  UNATTENDED,
  (stage) => {
    it('changes nothing, whichever tool failed [every.failed-changes-nothing, every.temporary-files-gone]', async () => {
      const { client, workspace } = stage;
      writeSampleFiles(workspace);
      const before = treeOf(workspace.root);
      const failures = [
        ...sampleCalls(workspace).map(({ tool, fails }) => [tool, fails] as const),
        // Failures that come late: after the parents were made, after the first edit, after the text was read.
        ['write_file', { file: 'read.txt/below/a.txt', content: 'x' }],
        ['write_file', { file: `new/${'x'.repeat(300)}`, content: 'x' }],
        ['write_text_file', { path: workspace.path('no/such/a.txt'), content: 'x' }],
        ['mkdir', { dir: 'fresh/read.txt', recursive: false }],
        ['mkdir', { dir: `fresh/${'x'.repeat(300)}` }],
        ['move_file', { from: 'missing.txt', to: 'fresh/a.txt' }],
        ['move_file', { from: 'full', to: 'full/inside/full' }],
        ['edit_file', { file: 'read.txt', find: 'one', replace: 'x', expectedOccurrences: 2 }],
        ['edit_file', { file: 'read.txt', find: 'one', replace: 'x'.repeat(1_048_577) }],
        ['write_file', { file: 'big.txt', content: 'x'.repeat(1_048_577) }],
        ['delete_file', { path: '.', recursive: true }],
      ] as const;
      for (const [tool, args] of failures)
        expect((await client.result(tool, args)).isError, `${tool} ${JSON.stringify(args).slice(0, 80)}`).toBe(true);
      expect(treeOf(workspace.root)).toEqual(before);
    });
  },
  ONE_WAY,
);

describe('many changes to one file', () => {
  it.each([
    ['edit_text_file', 'one process', 1],
    ['edit_file', 'two processes', 2],
    ['multi_edit_text_file', 'two processes', 2],
  ] as const)('%s from %s: none is lost [every.none-lost]', async (tool, _, processes) => {
    const count = 24;
    const lines = Array.from({ length: count }, (_, at) => `line ${at}: -\n`);
    const workspace = makeWorkspace({ 'shared.txt': lines.join('') });
    const clients = await Promise.all(
      Array.from({ length: processes }, () => openClient(ONE_WAY[0], { root: workspace.root })),
    );
    const path = workspace.path('shared.txt');
    const argsFor = (at: number) => {
      const [old_string, new_string] = [`line ${at}: -`, `line ${at}: done`];
      if (tool === 'edit_file') return { file: 'shared.txt', find: old_string, replace: new_string };
      return tool === 'edit_text_file'
        ? { path, old_string, new_string }
        : { path, edits: [{ old_string, new_string }] };
    };
    const results = await Promise.all(lines.map((_, at) => clients[at % processes]?.result(tool, argsFor(at))));
    await Promise.all(clients.map((client) => client.close()));
    expect(results.filter((result) => result?.isError)).toEqual([]);
    expect(workspace.read('shared.txt')).toBe(lines.map((_, at) => `line ${at}: done\n`).join(''));
    workspace.remove();
  });
});

eachWay(
  'an edit',
  {},
  (stage) => {
    const edits = (path: string, old_string: string, new_string: string) =>
      [
        ['edit_text_file', { path: stage.workspace.path(path), old_string, new_string }],
        ['multi_edit_text_file', { path: stage.workspace.path(path), edits: [{ old_string, new_string }] }],
        ['edit_file', { file: path, find: old_string, replace: new_string }],
      ] as const;

    it.each(['$&', '$1', '$$', "$'", '$`', '$<x>', '\\n', '\\1', '\\\\', '%s', '\u2028'])(
      'takes the replacement %j literally [every.replacement-literal]',
      async (replacement) => {
        for (const [tool, args] of edits('literal.txt', 'old', `<${replacement}>`)) {
          stage.workspace.write('literal.txt', 'an old text\n');
          expect((await stage.client.result(tool, args)).isError, tool).toBeFalsy();
          expect(stage.workspace.read('literal.txt'), tool).toBe(`an <${replacement}> text\n`);
        }
      },
    );

    it.each([
      [
        'mixed line endings',
        Buffer.from('a\r\nb\rc\n\n\r\n old \r\nend'),
        Buffer.from('a\r\nb\rc\n\n\r\n new \r\nend'),
      ],
      ['a byte order mark', Buffer.from('\ufeffold\n'), Buffer.from('\ufeffnew\n')],
      ['UTF-16LE', Buffer.from('\ufeffä old\r\n', 'utf16le'), Buffer.from('\ufeffä new\r\n', 'utf16le')],
      [
        'UTF-16BE',
        Buffer.from('\ufeffä old\r\n', 'utf16le').swap16(),
        Buffer.from('\ufeffä new\r\n', 'utf16le').swap16(),
      ],
      ['no newline at the end, and blanks', Buffer.from('\t old \t'), Buffer.from('\t new \t')],
      ['decomposed letters', Buffer.from('e\u0301 old \u00e9'), Buffer.from('e\u0301 new \u00e9')],
    ])('keeps every other byte: %s [every.only-named-bytes]', async (_, before, after) => {
      for (const [tool, args] of edits('bytes.txt', 'old', 'new')) {
        stage.workspace.write('bytes.txt', before);
        expect((await stage.client.result(tool, args)).isError, tool).toBeFalsy();
        expect(stage.workspace.bytes('bytes.txt').toString('hex'), tool).toBe(after.toString('hex'));
      }
    });

    it.each(['755', '600', '4755', '2640', '666'])('keeps the mode %s [every.mode-and-owner]', async (mode) => {
      const path = stage.workspace.write('mode.txt', 'old');
      for (const [tool, args] of [
        ...edits('mode.txt', 'old', 'new'),
        ['write_text_file', { path, content: 'new' }] as const,
        ['write_file', { file: 'mode.txt', content: 'new' }] as const,
      ]) {
        stage.workspace.write('mode.txt', 'old');
        chmodSync(path, mode);
        expect((await stage.client.result(tool, args)).isError, tool).toBeFalsy();
        expect(stage.workspace.read('mode.txt')).toBe('new');
        expect((statSync(path).mode & 0o7777).toString(8), tool).toBe(mode);
      }
    });

    it.skipIf(!IS_ROOT)('keeps owner and group, and with them the set-user-id bit [every.mode-and-owner]', async () => {
      for (const [tool, args] of edits('owned.txt', 'old', 'new')) {
        const path = stage.workspace.write('owned.txt', 'old');
        chownSync(path, 12_345, 54_321);
        chmodSync(path, 0o4750);
        expect((await stage.client.result(tool, args)).isError, tool).toBeFalsy();
        const { uid, gid, mode } = statSync(path);
        expect({ uid, gid, mode: (mode & 0o7777).toString(8) }, tool).toEqual({
          uid: 12_345,
          gid: 54_321,
          mode: '4750',
        });
      }
    });
  },
  ONE_WAY,
);

eachWay(
  'temporary files',
  UNATTENDED,
  (stage) => {
    const TEMPORARY = '.tenon-0123456789ab.tmp';

    it('are not listed; what only looks alike is [every.temporary-files-hidden]', async () => {
      for (const name of [TEMPORARY, `sub/${TEMPORARY}`, '.tenon.tmp', '.tenon-xyz.tmp', `${TEMPORARY}.bak`])
        stage.workspace.write(name, 'x');
      expect(await stage.client.call('list_dir', { recursive: true })).toMatchObject({
        data: {
          entries: ['.tenon-0123456789ab.tmp.bak', '.tenon-xyz.tmp', '.tenon.tmp', 'sub'].map((path) =>
            expect.objectContaining({ path }),
          ),
        },
      });
    });

    it('are not left behind by any tool [every.temporary-files-gone]', async () => {
      writeSampleFiles(stage.workspace);
      for (const { tool, succeeds } of sampleCalls(stage.workspace)) await stage.client.result(tool, succeeds);
      const left = readdirSync(stage.workspace.root, { recursive: true }).filter((name) =>
        /\.tenon-.*tmp$/.test(`${name}`),
      );
      expect(left.sort()).toEqual([TEMPORARY, '.tenon-xyz.tmp', `sub/${TEMPORARY}`].sort());
    });
  },
  ONE_WAY,
);
