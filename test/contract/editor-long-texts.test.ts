/** The edits of a long text are staged by another thread: nothing but the time that it takes may tell. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eachWay } from '../harness/each-way';
import { makeWorkspace } from '../harness/workspace';
import { openLines } from '../mcp/line-client';
import { ONE_WAY } from './editor-answers';

const multi = 'multi_edit_text_file';
const one = 'edit_text_file';
const MB = 1_048_576;
const HEAD = `first\nsecond ü\nthird 😀\nfourth\nfifth\n${'context\n'.repeat(4)}`;
/** So that what is said of the head is the same with and without it. */
const LONG_TAIL = `${'-'.repeat(99)}\n`.repeat((9 * MB) / 100);

type Edit = readonly [old_string: string, new_string: string];
const edits = (...given: Edit[]) => ({ edits: given.map(([old_string, new_string]) => ({ old_string, new_string })) });

eachWay(
  'a long text',
  {},
  (stage) => {
    const both = async (tool: string, args: object, asBytes: (text: string) => Buffer = Buffer.from) => {
      const outcomes = [];
      for (const [folder, tail] of Object.entries({ short: '', long: LONG_TAIL })) {
        const path = stage.workspace.write(`${folder}/text.ts`, asBytes(HEAD + tail));
        const { content, isError } = await stage.client.result(tool, { path, ...args });
        const bytes = readFileSync(path);
        const rest = asBytes(HEAD + tail).subarray(asBytes(HEAD).length);
        expect(bytes.subarray(bytes.length - rest.length).equals(rest), 'what comes after is untouched').toBe(true);
        const text = content[0]?.text.replaceAll(path, 'PATH');
        outcomes.push({ isError, text, head: bytes.subarray(0, bytes.length - rest.length).toString('hex') });
      }
      const [short, long] = outcomes;
      expect(long).toEqual(short);
      return { ...long, head: Buffer.from(long?.head ?? '', 'hex') };
    };

    it.each<[string, object]>([
      ['several edits', edits(['second', '2nd'], ['third 😀', '😁'], ['fifth\n', ''])],
      ['edits of what edits made', edits(['second', 'other'], ['other ü', 'ü'], ['first\nü', 'u\n'])],
      ['edits that undo each other', edits(['second', 'other'], ['other', 'second'])],
      ['edits that come to nothing', edits(['first\n', ''], ['second', 'first\nsecond'])],
      ['a string that is not there', edits(['fourth', '4th'], ['  second ü', 'x'])],
      ['a string that is there twice', edits(['context', 'x'])],
      ['a string that an edit took', edits(['second', 'other'], ['second ü', 'x'])],
      ['the same string twice', edits(['second', 'other'], ['second', 'x'])],
    ])('is edited as a short one: %s [every.long-texts, every.only-named-bytes]', async (_, args) => {
      await both(multi, args);
    });

    it('keeps its line ends and its encoding [every.long-texts, every.only-named-bytes]', async () => {
      const args = { old_string: 'second ü\nthird', new_string: 'a\nb' };
      const crlf = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'));
      expect((await both(one, args, crlf)).head.toString()).toContain('first\r\na\r\nb 😀\r\n');
      const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
      expect((await both(one, args, utf16)).head).toEqual(utf16(HEAD.replace('second ü\nthird', 'a\nb')));
      const marked = { old_string: '\ufefffirst', new_string: 'first' };
      expect(await both(one, marked, utf16)).toMatchObject({ isError: true });
    });
  },
  ONE_WAY,
);

it('a text that long edits make is on disk, and all of it in the diff [every.long-texts]', async () => {
  const workspace = makeWorkspace();
  const path = workspace.write('grown.ts', HEAD);
  // A client without a limit for the length of an answer.
  const client = openLines(['serve', '--root', workspace.root]);
  await client.initialize();
  const [a = '', b = '', c = ''] = ['a', '漢', '😀'].map((sign) => sign.repeat(2 * MB));
  const given = { path, ...edits(['first', a], ['fourth', b], ['fifth', c]) };
  const { result } = await client.request('tools/call', { name: multi, arguments: given });
  const { content, structuredContent } = result as { content: [{ text: string }]; structuredContent: { diff: string } };
  const expected = [
    '--- grown.ts\n+++ grown.ts\n@@ -1,8 +1,8 @@',
    `-first\n+${a}\n second ü\n third 😀\n-fourth\n+${b}\n-fifth\n+${c}`,
    ' context\n context\n context\n',
  ].join('\n');
  // Not by `toBe`, which would print them.
  expect(workspace.read('grown.ts') === `${a}\nsecond ü\nthird 😀\n${b}\n${c}\n${'context\n'.repeat(4)}`).toBe(true);
  expect(JSON.parse(content[0].text).diff === expected).toBe(true);
  expect(structuredContent.diff === expected).toBe(true);
  await client.end();
  workspace.remove();
});
