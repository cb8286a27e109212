/** Lines of large files come by way of an index. It is asked with tiny chunks here, so that every border is met. */
import { appendFileSync, closeSync, fstatSync, openSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/contract/fault';
import type { Lines } from '../../../src/contract/ports';
import { createFileLocks } from '../../../src/services/files/file-lock';
import { createJail, type Jail } from '../../../src/services/files/jail';
import { createLineIndexes, type LineIndexes, USUAL_INDEXES } from '../../../src/services/files/line-indexes';
import { createFileStore } from '../../../src/services/files/store';
import { cutWindow } from '../../../src/text/lines';
import { makeWorkspace, type Workspace } from '../../harness/workspace';

const TINY = { chunkBytes: 8, chunksPerSlice: 3, maxFiles: 2, maxIndexBytes: 100_000 };
const MEGABYTE = 1_048_576;
/** Longer than any tick of the file system's clock, after which an index is remembered. */
const SETTLED_MS = 150;

let workspace: Workspace;
let jail: Jail;
beforeAll(() => {
  workspace = makeWorkspace();
  jail = createJail([workspace.root], { pinned: true });
});
afterAll(() => workspace.remove());

const readerOf = (indexes: LineIndexes) => {
  const files = createFileStore({ jail, locks: createFileLocks(), indexes });
  return (path: string, line: number, limit?: number): Promise<Lines> =>
    files.readLines(jail.paths('absolute').admit(path), { line, limit });
};
const settle = () => new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
const problemOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'text',
    (fault: Fault) => (fault.facts as { problem: string }).problem,
  );

describe('a window', () => {
  const piece = fc.constantFrom(
    'a',
    'bcdefgh',
    '\n',
    '\r\n',
    '\r',
    '\n\n\n',
    'é',
    '漢',
    '😀',
    '\ufeff',
    'x'.repeat(30),
  );
  const content = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
  const window = fc.record({
    line: fc.integer({ min: 1, max: 40 }),
    limit: fc.option(fc.integer({ min: 1, max: 40 })),
  });
  const options = fc.record({
    chunkBytes: fc.integer({ min: 1, max: 24 }),
    /** With the smaller one, chunks have to grow; some are larger than a slice then. */
    maxIndexBytes: fc.constantFrom(24, 100_000),
    /** With the smaller one, every disk is slow. */
    slowMs: fc.constantFrom(-1, 1000),
  });

  it('is the same as one cut from the whole text, wherever the chunks end', async () => {
    await fc.assert(
      fc.asyncProperty(content, window, options, async (text, { line, limit }, chosen) => {
        const path = workspace.write('any.txt', text);
        const read = readerOf(createLineIndexes({ ...TINY, ...chosen }));
        const wanted = { line, limit: limit ?? undefined };
        expect(await read(path, line, wanted.limit)).toEqual({ ...cutWindow(text, wanted), via: 'disk' });
      }),
      { numRuns: 400 },
    );
  });

  it('is exact in a file of many slices, with long and short lines', async () => {
    const text =
      Array.from({ length: 90_000 }, (_, at) => `${at} ${'é'.repeat(at % 50)}\n`).join('') + '\n'.repeat(300_000);
    const path = workspace.write('large.txt', `${text}no end`);
    const read = readerOf(createLineIndexes());
    for (const [line, limit] of [
      [1, 3],
      [45_000, 100],
      [89_999, 200_000],
      [390_000, 5],
      [390_001, 1],
      [390_002, 1],
    ] as const)
      expect(await read(path, line, limit)).toEqual({ ...cutWindow(`${text}no end`, { line, limit }), via: 'disk' });
  });

  it.each([
    ['in memory', 1000],
    ['on slow disks', -1],
  ])('is exact where many files %s are read at once', async (_, slowMs) => {
    const texts = Array.from({ length: 12 }, (_each, at) => `${at} é\n${'x\n'.repeat(at)}${`${at}\n`.repeat(30)}`);
    const paths = texts.map((text, at) => workspace.write(`at-once-${at}.txt`, text));
    const read = readerOf(createLineIndexes({ ...TINY, slowMs }));
    expect(await Promise.all(paths.map((path, at) => read(path, at + 2, 9)))).toEqual(
      texts.map((text, at) => ({ ...cutWindow(text, { line: at + 2, limit: 9 }), via: 'disk' })),
    );
  });

  it('of a large UTF-16 file is one of its text', async () => {
    const text = `\ufeff${'wide\n'.repeat(20)}`;
    const path = workspace.write('wide.txt', Buffer.from(text, 'utf16le'));
    expect(await readerOf(createLineIndexes(TINY))(path, 3, 2)).toEqual({
      ...cutWindow(text, { line: 3, limit: 2 }),
      via: 'disk',
    });
  });
});

describe('a file that is no text', () => {
  const clean = Buffer.alloc(3 * MEGABYTE, 'clean line\n');
  const late = (bytes: number[]) => Buffer.concat([clean, Buffer.from(bytes), Buffer.from('\nmore\n')]);

  it.each([
    ['a NUL', late([0]), 'nul byte'],
    ['a lone continuation byte', late([0x80]), 'invalid utf8'],
    ['a NUL after a broken character', late([0xff, 10, 0]), 'nul byte'],
    ['half a character at the end', Buffer.concat([clean, Buffer.from([0xe6, 0xbc])]), 'invalid utf8'],
  ])('is refused for %s far behind the window, now and again', async (_, bytes, problem) => {
    const path = workspace.write('binary.dat', bytes);
    const read = readerOf(createLineIndexes());
    await settle();
    for (const _again of [1, 2]) expect(await problemOf(read(path, 1, 1))).toBe(problem);
  });

  it('is told by every byte that UTF-8 cannot hold, wherever the chunks end', async () => {
    const broken = [
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf5, 0x80, 0x80, 0x80],
      [0xe2, 0x82, 0x41],
      [0xf0, 0x9f, 0x98],
    ];
    for (const bytes of broken)
      for (let before = 0; before < 10; before++) {
        const path = workspace.write(
          'broken.txt',
          Buffer.from([...Buffer.from('a'.repeat(before)), ...bytes, ...Buffer.from('\nzzzzzzzz\n')]),
        );
        const indexes = createLineIndexes({ ...TINY, chunkBytes: 1 + (before % 3), chunksPerSlice: 1 });
        expect(await problemOf(readerOf(indexes)(path, 2, 1))).toBe('invalid utf8');
      }
  });
});

describe('a file that changes', () => {
  const before = 'one\ntwo\nthree\nfour\nfive\n';
  const changes: [string, string, (path: string) => void][] = [
    ['grows', `${before}six\n`, (path) => appendFileSync(path, 'six\n')],
    ['is cut', before.slice(0, 14), (path) => truncateSync(path, 14)],
    [
      'is rewritten in its place',
      before.replaceAll('e', '\n'),
      (path) => writeFileSync(path, before.replaceAll('e', '\n')),
    ],
    [
      'is replaced',
      before.replaceAll('\n', '-'),
      (path) => {
        writeFileSync(`${path}.new`, before.replaceAll('\n', '-'));
        renameSync(`${path}.new`, path);
      },
    ],
  ];

  it.each(changes)('between two calls (%s) is read anew', async (_, after, change) => {
    const path = workspace.write('changing.txt', before);
    const read = readerOf(createLineIndexes(TINY));
    for (const wait of [settle, async () => {}]) {
      writeFileSync(path, before);
      await wait();
      expect(await read(path, 2, 2)).toEqual({ ...cutWindow(before, { line: 2, limit: 2 }), via: 'disk' });
      change(path);
      expect(await read(path, 2, 2)).toEqual({ ...cutWindow(after, { line: 2, limit: 2 }), via: 'disk' });
    }
  });

  it('twice within one tick of the clock is never taken for the same', async () => {
    const read = readerOf(createLineIndexes(TINY));
    for (let round = 0; round < 200; round++) {
      const text = round % 2 === 0 ? 'a\nb\nc\nd\ne\nf\n' : 'abcdefghijk\n';
      const path = workspace.write('ticking.txt', text);
      expect(await read(path, 1, 9)).toMatchObject({ content: text, totalLines: round % 2 === 0 ? 6 : 1 });
    }
  });

  it.each(changes.slice(0, 3))('while it is read (%s) is read anew', async (_, after, change) => {
    const path = workspace.write('changing.txt', before);
    const read = readerOf(createLineIndexes(TINY));
    const reading = read(path, 2, 2);
    change(path);
    expect(await reading).toEqual({ ...cutWindow(after, { line: 2, limit: 2 }), via: 'disk' });
  });
});

describe('the index', () => {
  const opened = (name: string) => {
    const fd = openSync(workspace.path(name), 'r');
    return { fd, stat: fstatSync(fd, { bigint: true }), close: () => closeSync(fd) };
  };

  it('is remembered for a few files, the last ones used', async () => {
    const indexes = createLineIndexes(TINY);
    const files = ['a.txt', 'b.txt', 'c.txt'].map((name) => {
      workspace.write(name, 'some lines\n'.repeat(9));
      return opened(name);
    });
    await settle();
    const ask = (at: number) => indexes.of(files[at]?.fd ?? -1, files[at]?.stat ?? expect.fail('no such file'));
    const [a, b] = [await ask(0), await ask(1)];
    expect([(await ask(0)) === a, (await ask(1)) === b, (await ask(0)) === a]).toEqual([true, true, true]);
    await ask(2);
    expect([(await ask(0)) === a, (await ask(1)) === b]).toEqual([true, false]);
    for (const file of files) file.close();
  });

  it('is made once for calls that come together', async () => {
    const indexes = createLineIndexes(TINY);
    workspace.write('together.txt', 'some lines\n'.repeat(9));
    await settle();
    const { fd, stat, close } = opened('together.txt');
    const [one, other] = await Promise.all([indexes.of(fd, stat), indexes.of(fd, stat)]);
    expect(one).toBe(other);
    close();
  });

  it('is right for each of the files that are looked through at once', async () => {
    const files = Array.from({ length: 9 }, (_, at) => {
      workspace.write(`abreast-${at}.txt`, `${'x'.repeat(at)}\n`.repeat(20));
      return opened(`abreast-${at}.txt`);
    });
    const { of } = createLineIndexes(TINY);
    const abreast = await Promise.all(files.map(({ fd, stat }) => of(fd, stat)));
    const alone = [];
    for (const { fd, stat } of files) alone.push(await createLineIndexes(TINY).of(fd, stat));
    expect(abreast).toEqual(alone);
    for (const file of files) file.close();
  });

  it('takes no more memory than it may, however large the file is', async () => {
    workspace.write('sparse.txt', 'some lines\n'.repeat(1000));
    const { fd, stat, close } = opened('sparse.txt');
    const index = await createLineIndexes({ ...TINY, maxIndexBytes: 1024 }).of(fd, stat);
    close();
    expect(index).toMatchObject({ lines: { totalLines: 1000, chunkBytes: 128, endsBefore: { length: 87 } } });
  });

  it.each([
    ['in memory', undefined],
    ['on a slow disk', -1],
  ])('lets others have their turn while it is made of a file %s', async (_, slowMs) => {
    const path = workspace.write('huge.txt', Buffer.alloc(24 * MEGABYTE, 'a line of some length\n'));
    let turns = 0;
    let timer = setImmediate(function tick() {
      turns++;
      timer = setImmediate(tick);
    });
    await readerOf(createLineIndexes({ ...USUAL_INDEXES, ...(slowMs && { slowMs }) }))(path, 5, 5);
    clearImmediate(timer);
    expect(turns).toBeGreaterThanOrEqual(20);
  });
});
