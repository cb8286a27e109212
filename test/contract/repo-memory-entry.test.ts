import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openClient, type TestClient } from '../harness/client';
import { eachWay } from '../harness/each-way';
import { makeWorkspace } from '../harness/workspace';

const ONE_WAY = [{ door: 'stdio', era: 'modern' }] as const;
const UNATTENDED = { flags: ['--approve', 'always'] };
const FOLDER = '.claude/memory';

async function append(client: TestClient, file: string, entry: unknown): Promise<unknown> {
  return client.call('write_memory_entry', { file, entry });
}

function error(code: string, message: unknown) {
  return { error: { code, message, details: expect.any(Object) } };
}

eachWay('write_memory_entry', UNATTENDED, (stage) => {
  const milestone =
    '{"timestamp": "2026-01-15T10:00:00Z", "event": "milestone", "description": "Completed EDA"}' as const;

  it('appends the entry as one line, in the folder of the root [repo.memory.example, repo.memory.folder, repo.memory.output-schema]', async () => {
    const result = await stage.client.result('write_memory_entry', { file: 'progress_log.jsonl', entry: milestone });
    expect(result.structuredContent).toEqual({ success: true, file: 'progress_log.jsonl', bytes_written: 92 });
    expect(JSON.parse(result.content[0]?.text ?? '')).toEqual(result.structuredContent);
    expect(stage.workspace.read(`${FOLDER}/progress_log.jsonl`)).toBe(`${milestone}\n`);
  });

  it('keeps what is there [repo.memory.append-only]', async () => {
    await append(stage.client, 'progress_log.jsonl', '{"event": "second"}');
    expect(stage.workspace.read(`${FOLDER}/progress_log.jsonl`)).toBe(`${milestone}\n{"event": "second"}\n`);
  });
});

eachWay(
  'what write_memory_entry writes',
  UNATTENDED,
  (stage) => {
    const content = (file: string) => stage.workspace.read(`${FOLDER}/${file}`);

    it.each([
      ['{\n  "a": 1,\n  "b": [\n    1\n  ]\n}', '{ "a": 1, "b": [ 1 ] }'],
      ['{"a":\r\n1}\r\n', '{"a": 1}'],
      ['  {"a": "two  spaces", "b" :\t1}\n', '{"a": "two  spaces", "b" :\t1}'],
      ['"a\\nb"', '"a\\nb"'],
      ['"\u2028"', '"\u2028"'],
      ['12345678901234567890.10', '12345678901234567890.10'],
      ['{"a":1,"a":2}', '{"a":1,"a":2}'],
      ['null', 'null'],
      ['\n7\n', '7'],
    ])(
      'folds %j to one line, and changes nothing else [repo.memory.jsonl-folded, repo.memory.bytes-written]',
      async (entry, line) => {
        const before = existsSync(stage.workspace.path(`${FOLDER}/decisions.jsonl`)) ? content('decisions.jsonl') : '';
        expect(await append(stage.client, 'decisions.jsonl', entry)).toEqual({
          success: true,
          file: 'decisions.jsonl',
          bytes_written: Buffer.byteLength(line) + 1,
        });
        expect(content('decisions.jsonl')).toBe(`${before}${line}\n`);
      },
    );

    it.each([
      '',
      'plain words',
      '{"a": 1',
      '{"a": 1} {"b": 2}',
      '{"a": 1}\n{"b": 2}',
      "{'a': 1}",
      '\ufeff{}',
      'NaN',
      '[1,]',
    ])('refuses %j for a .jsonl file [repo.memory.jsonl-valid]', async (entry) => {
      const before = existsSync(stage.workspace.path(`${FOLDER}/decisions.jsonl`)) ? content('decisions.jsonl') : '';
      expect(await append(stage.client, 'decisions.jsonl', entry)).toEqual(
        error('INVALID_ENTRY', 'A .jsonl entry must be one valid JSON value'),
      );
      expect(content('decisions.jsonl')).toBe(before);
    });

    it('appends to a .md file as it is, with a newline [repo.memory.md-as-is, repo.memory.bytes-written]', async () => {
      const entries = ['# Title\n\n- one\r\n- two', '', 'ends with newline\n', '$& \\n $1 🪵', '\ttabs  '];
      let expected = '';
      for (const entry of entries) {
        expected += `${entry}\n`;
        expect(await append(stage.client, 'best_practices.md', entry)).toEqual({
          success: true,
          file: 'best_practices.md',
          bytes_written: Buffer.byteLength(entry) + 1,
        });
      }
      expect(content('best_practices.md')).toBe(expected);
    });

    it('ends a torn last line first, and counts that newline [repo.memory.missing-newline, repo.memory.bytes-written]', async () => {
      stage.workspace.write(`${FOLDER}/progress_log.jsonl`, '{"whole": 1}\n{"torn": ');
      expect(await append(stage.client, 'progress_log.jsonl', '{"next": 2}')).toMatchObject({ bytes_written: 13 });
      expect(content('progress_log.jsonl')).toBe('{"whole": 1}\n{"torn": \n{"next": 2}\n');
    });

    it('keeps bytes that are no text [repo.memory.append-only]', async () => {
      const before = Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x0a]);
      stage.workspace.write(`${FOLDER}/progress_log.jsonl`, before);
      await append(stage.client, 'progress_log.jsonl', '1');
      expect(stage.workspace.bytes(`${FOLDER}/progress_log.jsonl`)).toEqual(
        Buffer.concat([before, Buffer.from('1\n')]),
      );
    });
  },
  ONE_WAY,
);

eachWay(
  'the limits of an entry',
  UNATTENDED,
  (stage) => {
    const TOO_LONG = "Invalid parameter 'entry': is longer than 10000 characters";
    const TOO_LARGE = 'The entry is larger than 10,240 bytes; shorten or split it';

    it.each([
      ['10,000 characters', 'x'.repeat(10_000)],
      ['10,240 bytes in 5,120 characters', 'é'.repeat(5120)],
      ['10,240 bytes in 2,560 characters beyond the basic plane', '🪵'.repeat(2560)],
      ['10,000 characters, some of them wide: 10,240 bytes', 'é'.repeat(240) + 'x'.repeat(9760)],
      ['9,920 plain and 80 astral characters: 10,240 bytes', '🪵'.repeat(80) + 'x'.repeat(9920)],
    ])('takes %s [repo.memory.limit.characters, repo.memory.limit.bytes]', async (_, entry) => {
      expect(await append(stage.client, 'best_practices.md', entry)).toMatchObject({
        success: true,
        bytes_written: Buffer.byteLength(entry) + 1,
      });
    });

    it.each([
      ['10,001 characters', 'x'.repeat(10_001), 'INVALID_ARGUMENT', TOO_LONG],
      ['10,001 characters, one of them astral', `${'x'.repeat(10_000)}🪵`, 'INVALID_ARGUMENT', TOO_LONG],
      ['10,241 bytes in 10,000 characters', 'é'.repeat(241) + 'x'.repeat(9759), 'TOO_LARGE', TOO_LARGE],
      ['10,244 bytes in 2,561 astral characters', '🪵'.repeat(2561), 'TOO_LARGE', TOO_LARGE],
    ])('refuses %s [repo.memory.limit.characters, repo.memory.limit.bytes]', async (_, entry, code, message) => {
      const before = stage.workspace.read(`${FOLDER}/best_practices.md`);
      expect(await append(stage.client, 'best_practices.md', entry)).toEqual(error(code, message));
      expect(stage.workspace.read(`${FOLDER}/best_practices.md`)).toBe(before);
    });

    it('refuses half of a surrogate pair, which has no bytes [repo.memory.limit.bytes]', async () => {
      expect(await append(stage.client, 'best_practices.md', 'a\ud83eb')).toMatchObject({
        error: { code: 'INVALID_ARGUMENT' },
      });
    });

    it.each(['notes.md', '../best_practices.md', '.claude/memory/best_practices.md', 'BEST_PRACTICES.md', '', 7])(
      'refuses the file %j [repo.memory.allowed-files, repo.memory.input-schema]',
      async (file) => {
        const answer = await stage.client.call('write_memory_entry', { file, entry: 'x' });
        expect(answer).toEqual(
          error(
            'INVALID_ARGUMENT',
            `Invalid parameter 'file': must be one of "progress_log.jsonl", "decisions.jsonl", "best_practices.md"`,
          ),
        );
      },
    );

    it('refuses a call without file or entry [repo.memory.input-schema]', async () => {
      expect(await stage.client.call('write_memory_entry', { entry: 'x' })).toMatchObject({
        error: { code: 'INVALID_ARGUMENT', details: { parameter: 'file' } },
      });
      expect(await stage.client.call('write_memory_entry', { file: 'best_practices.md' })).toEqual(
        error('INVALID_ARGUMENT', "Invalid parameter 'entry': is missing; expected a string"),
      );
    });
  },
  ONE_WAY,
);

describe('where the memory lies', () => {
  const way = ONE_WAY[0];

  it('is the folder that --memory-dir names, also outside the root [repo.memory.memory-dir]', async () => {
    const [workspace, elsewhere] = [makeWorkspace(), makeWorkspace()];
    const client = await openClient(way, {
      root: workspace.root,
      flags: ['--approve', 'always', '--memory-dir', elsewhere.root],
    });
    expect(await append(client, 'decisions.jsonl', '1')).toMatchObject({ success: true });
    await client.close();
    expect(elsewhere.read('decisions.jsonl')).toBe('1\n');
    expect(readdirSync(workspace.root)).toEqual([]);
    for (const place of [workspace, elsewhere]) place.remove();
  });

  it('is never outside the root by a link, nor another file [repo.memory.allowed-files]', async () => {
    const [workspace, outside] = [makeWorkspace({ 'src/index.ts': 'code\n' }), makeWorkspace({ 'a.txt': 'a\n' })];
    mkdirSync(workspace.path(FOLDER), { recursive: true });
    symlinkSync(outside.path('a.txt'), workspace.path(`${FOLDER}/decisions.jsonl`));
    symlinkSync('../../src/index.ts', workspace.path(`${FOLDER}/best_practices.md`));
    mkdirSync(workspace.path(`${FOLDER}/progress_log.jsonl`));
    const client = await openClient(way, { root: workspace.root, ...UNATTENDED });
    const answers = [
      await append(client, 'decisions.jsonl', '1'),
      await append(client, 'best_practices.md', 'x'),
      await append(client, 'progress_log.jsonl', '1'),
    ];
    await client.close();
    expect(answers).toEqual([
      error('NOT_FILE', `${FOLDER}/decisions.jsonl is not a file but a symbolic link`),
      error('NOT_FILE', `${FOLDER}/best_practices.md is not a file but a symbolic link`),
      error('NOT_FILE', `${FOLDER}/progress_log.jsonl is not a file but a directory`),
    ]);
    expect([outside.read('a.txt'), workspace.read('src/index.ts')]).toEqual(['a\n', 'code\n']);
    for (const place of [workspace, outside]) place.remove();
  });

  it('is not made where a file or a link to the outside is in its way [repo.memory.allowed-files]', async () => {
    const [blocked, led, outside] = [makeWorkspace({ '.claude': 'a file' }), makeWorkspace(), makeWorkspace()];
    symlinkSync(outside.root, led.path('.claude'));
    for (const place of [blocked, led]) {
      const client = await openClient(way, { root: place.root, ...UNATTENDED });
      expect(await append(client, 'decisions.jsonl', '1')).toMatchObject({ error: { code: 'INVALID_PATH' } });
      await client.close();
    }
    expect(readdirSync(outside.root)).toEqual([]);
    for (const place of [blocked, led, outside]) place.remove();
  });
});

describe('many writers', () => {
  it('keeps every entry of 8 processes as a whole line [repo.memory.concurrent]', { timeout: 60_000 }, async () => {
    // In memory where there is such a folder: 400 syncs of a slow disk would be the test.
    const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'tenon-test-'));
    const writers = await Promise.all(Array.from({ length: 8 }, () => openClient(ONE_WAY[0], { root, ...UNATTENDED })));
    // Five at a time from each: nobody waits so long for the lock that the call gives up.
    const write = async (client: TestClient, writer: number, at: number) => {
      const entry = JSON.stringify({ writer, at, filler: 'x'.repeat(at * 20) });
      expect(await append(client, 'progress_log.jsonl', entry)).toMatchObject({ success: true });
    };
    await Promise.all(
      writers.map(async (client, writer) => {
        for (let at = 0; at < 50; at += 5)
          await Promise.all([0, 1, 2, 3, 4].map((next) => write(client, writer, at + next)));
      }),
    );
    await Promise.all(writers.map((client) => client.close()));

    const text = readFileSync(join(root, FOLDER, 'progress_log.jsonl'), 'utf8');
    expect(text.endsWith('\n')).toBe(true);
    const kept = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { writer: number; at: number; filler: string })
      .map(({ writer, at, filler }) => `${writer}:${at}:${filler.length}`);
    const sent = Array.from({ length: 400 }, (_, n) => `${n % 8}:${n >> 3}:${(n >> 3) * 20}`);
    expect(kept.sort()).toEqual(sent.sort());
    rmSync(root, { recursive: true });
  });
});
