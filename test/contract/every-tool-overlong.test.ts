/** Texts of many megabytes in every parameter: what can take them does, the others say no, and say it briefly. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorkspace, type Workspace } from '../harness/workspace';
import { type LineClient, openLines } from '../mcp/line-client';

const MB = 1_048_576;
const LONG = 5 * MB;
const long = 'x'.repeat(LONG);

describe('a text of many megabytes', () => {
  let workspace: Workspace;
  let client: LineClient;
  beforeAll(async () => {
    workspace = makeWorkspace({ 'a.txt': 'one word\n' });
    client = openLines(['serve', '--root', workspace.root]);
    await client.initialize();
  });
  afterAll(async () => {
    await client.end();
    workspace.remove();
  });

  const ask = async (name: string, given: object) => {
    const { result } = await client.request('tools/call', { name, arguments: given });
    const { content, isError = false } = result as { content: [{ text: string }]; isError?: boolean };
    return { isError, answer: JSON.parse(content[0].text), length: content[0].text.length };
  };

  it.each<[string, string, object]>([
    ['read_text_file', 'path', { path: `/${long}` }],
    ['write_text_file', 'path', { path: `/${long}`, content: long }],
    ['multi_edit_text_file', 'path', { path: `/${long}`, edits: [{ old_string: 'a', new_string: 'b' }] }],
    ['list_dir', 'dir', { dir: long }],
    ['read_file', 'file', { file: long }],
    ['delete_file', 'path', { path: long }],
    ['move_file', 'to', { from: 'a.txt', to: long }],
    ['mkdir', 'dir', { dir: long }],
    ['run_command', 'command', { command: long }],
    ['run_command', 'args[1]', { command: 'node', args: ['-e', long] }],
    ['read_repo_file', 'path', { path: long }],
    ['write_memory_entry', 'entry', { file: 'best_practices.md', entry: long }],
  ])('is refused by %s as %s [every.input-too-long]', async (tool, parameter, given) => {
    const { isError, answer, length } = await ask(tool, given);
    expect(isError).toBe(true);
    expect(answer.error.message).toContain(parameter);
    expect(length).toBeLessThan(1_000);
    expect(workspace.read('a.txt')).toBe('one word\n');
  });

  it('that is not absolute is told so first [editor.order-of-checks]', async () => {
    const { answer } = await ask('read_text_file', { path: long });
    expect(answer.error.code).toBe(-32600);
  });

  it('is greeted by its name [repo.hello.always-succeeds]', async () => {
    const { answer } = await ask('hello', { name: long });
    expect(answer.message === `Hello, ${long}!`).toBe(true);
  });

  it('is not found in a file of the workspace, and does not fit into one [workspace.edit.error.PATTERN_NOT_FOUND, workspace.edit.error.FILE_TOO_LARGE]', async () => {
    const lost = await ask('edit_file', { file: 'a.txt', find: long, replace: 'y' });
    expect(lost.answer).toMatchObject({ ok: false, error: { code: 'PATTERN_NOT_FOUND' } });
    const grown = await ask('edit_file', { file: 'a.txt', find: 'word', replace: long });
    expect(grown.answer).toMatchObject({ ok: false, error: { code: 'FILE_TOO_LARGE', details: { bytes: LONG } } });
    expect(workspace.read('a.txt')).toBe('one word\n');
  });

  it('is not made by replacing, whatever would come of it [workspace.edit.error.FILE_TOO_LARGE]', async () => {
    workspace.write('many.txt', 'ä'.repeat(500_000));
    const { answer } = await ask('edit_file', {
      file: 'many.txt',
      find: 'ä',
      replace: 'b'.repeat(5_000),
      replaceAll: true,
    });
    expect(answer).toMatchObject({
      ok: false,
      error: { code: 'FILE_TOO_LARGE', details: { bytes: 2_500_000_000, limit: MB } },
    });
  });

  /** Long enough to come in pieces, and short enough to be meant. */
  describe('or of a part of one', () => {
    const some = 'größe = "漢字"; // 😀\n'.repeat(15_000);

    it('is written and edited as any other [every.long-texts]', async () => {
      const path = workspace.write('some.txt', `<${some}>`);
      const edited = await ask('edit_file', { file: 'some.txt', find: some, replace: `${some}${some}` });
      expect(edited.answer).toMatchObject({ ok: true, data: { replacements: 1 } });
      expect(workspace.read('some.txt') === `<${some}${some}>`).toBe(true);
      await ask('edit_text_file', { path, old_string: `<${some}${some}`, new_string: some });
      expect(workspace.read('some.txt') === `${some}>`).toBe(true);
      await ask('write_file', { file: 'some.txt', content: some });
      expect(workspace.read('some.txt') === some).toBe(true);
      const { answer } = await ask('edit_text_file', { path, old_string: some, new_string: some });
      expect(answer.error.message).toContain('identical');
    });

    it('is what a program gets, or too long for it [every.input-too-long]', async () => {
      const { answer } = await ask('run_command', { command: 'node', args: ['-p', 'process.argv[1].length', some] });
      expect(answer).toMatchObject({ ok: false, error: { code: expect.any(String) } });
      expect(JSON.stringify(answer).length).toBeLessThan(1_000);
    });
  });
});
