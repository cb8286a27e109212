/** What every tool promises of its answers, whatever it does. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { toolsets } from '../../src/tools/toolsets';
import type { ToolResult } from '../harness/client';
import { eachWay } from '../harness/each-way';
import published from './published-schemas.json';
import { BULK_READERS, sampleOf, writeSampleFiles } from './sample-calls';

const UNATTENDED = { flags: ['--approve', 'always'] };
const ONE_WAY = [{ door: 'stdio', era: 'legacy' }] as const;
const NAMES = Object.keys(published);
const SCHEMAS = published as unknown as Record<
  string,
  { inputSchema: { properties: object; required: string[]; additionalProperties?: false } }
>;

function textOf({ content }: ToolResult): unknown {
  expect(content).toEqual([{ type: 'text', text: expect.any(String) }]);
  return JSON.parse(content[0]?.text ?? '');
}

function codeOf(body: unknown): unknown {
  return (body as { error?: { code?: unknown } }).error?.code;
}

eachWay('an answer', UNATTENDED, (stage) => {
  beforeAll(() => writeSampleFiles(stage.workspace));

  // The client of the older revisions checks structured answers against the published schema, failures too.
  it.each(NAMES)(
    'of %s is JSON in the text, and the same as structured content [every.json-in-text, every.structured, every.bulk-once]',
    async (tool) => {
      const result = await stage.client.result(tool, sampleOf(tool, stage.workspace).succeeds);
      const body = textOf(result);
      expect(result.isError, JSON.stringify(body)).toBeFalsy();
      expect(codeOf(body)).toBeUndefined();
      expect(result.structuredContent).toEqual(BULK_READERS.includes(tool) ? undefined : body);
    },
  );

  it.each(NAMES)(
    'of %s, when it fails, is marked and said both ways [every.failure-marked, every.schema-allows-failure]',
    async (tool) => {
      const sample = sampleOf(tool, stage.workspace);
      const result = await stage.client.result(tool, sample.fails);
      const body = textOf(result);
      expect(result.isError).toBe(true);
      expect(codeOf(body)).toBe(sample.code);
      expect(result.structuredContent).toEqual(body);
    },
  );
});

eachWay(
  'bad input',
  UNATTENDED,
  (stage) => {
    const isStrict = (name: string) => SCHEMAS[name]?.inputSchema.additionalProperties === false;

    it.each(NAMES.filter(isStrict))(
      '%s refuses a field that its schema does not name, and names the known ones [every.strict-input]',
      async (tool) => {
        const body = await stage.client.call(tool, { ...sampleOf(tool, stage.workspace).succeeds, surprise: 1 });
        const { properties = {} } = SCHEMAS[tool]?.inputSchema ?? {};
        expect(body).toMatchObject({
          ok: false,
          error: {
            code: 'VALIDATION_ERROR',
            message: `Invalid parameter 'surprise': is not a parameter here; expected: ${Object.keys(properties).join(', ')}`,
          },
        });
      },
    );

    it.each(NAMES.filter((name) => !isStrict(name)))(
      '%s takes a field that its schema does not forbid [every.strict-input]',
      async (tool) => {
        writeSampleFiles(stage.workspace);
        expect(
          codeOf(await stage.client.call(tool, { ...sampleOf(tool, stage.workspace).succeeds, surprise: 1 })),
        ).toBeUndefined();
      },
    );

    it.each(NAMES.filter((name) => name !== 'hello' && name !== 'list_dir'))(
      '%s names the parameter that is missing [every.input-names-parameter]',
      async (tool) => {
        const [first] = SCHEMAS[tool]?.inputSchema.required ?? [];
        const body = (await stage.client.call(tool, {})) as { error: { code: unknown; message: string } };
        expect([-32602, 'VALIDATION_ERROR', 'INVALID_ARGUMENT']).toContain(body.error.code);
        expect(body.error.message).toMatch(
          new RegExp(`^Invalid parameter '${first}': (is missing; expected|must be one of)`),
        );
      },
    );

    it('is refused before anything happens [every.validated-first]', async () => {
      for (const [tool, args] of [
        ['write_file', { file: 'early.txt', content: 7 }],
        ['write_text_file', { path: stage.workspace.path('early.txt'), content: 'a\ud800' }],
        ['mkdir', { dir: 'early', recursive: 'yes' }],
        ['delete_file', { path: 'read.txt', recursive: 1 }],
        ['move_file', { from: 'read.txt', to: 'early.txt', overwrite: null }],
        ['run_command', { command: 'node', args: ['-e', 'require("fs").writeFileSync("early.txt","")'], timeoutMs: 1 }],
        ['edit_file', { file: 'read.txt', find: 'one', replace: 'x', expectedOccurrences: 0 }],
      ] as const)
        expect((await stage.client.result(tool, args)).isError, tool).toBe(true);
      expect(await stage.client.call('list_dir')).toMatchObject({
        data: {
          entries: expect.not.arrayContaining([expect.objectContaining({ path: expect.stringContaining('early') })]),
        },
      });
      expect(stage.workspace.read('read.txt')).toBe('one\ntwo\n');
    });
  },
  ONE_WAY,
);

/** What has to be there for the examples; the editor tools' `/test` is the root. */
const SCENES: Record<string, Record<string, string>> = {
  'read_text_file: Read an entire file': { 'file.txt': 'line 1\nline 2\nline 3\n' },
  'read_text_file: Read two lines, starting at line 10': {
    'numbers.txt': Array.from({ length: 100 }, (_, at) => `${at + 1}\n`).join(''),
  },
  'write_text_file: Overwrite a file': { 'existing.txt': 'old' },
  'edit_text_file: Change one value': { 'config.toml': '[server]\nport = 8080\n' },
  'multi_edit_text_file: Three related edits': {
    'config.toml': '[server]\nhost = "localhost"\nport = 8080\n\n[app]\ndebug = false\n',
  },
  'list_dir: List the workspace': { 'README.md': 'x'.repeat(1200), 'src/a.ts': '' },
  'read_file: Read a file': { 'notes.txt': 'Buy milk\n' },
  'edit_file: Replace one string': { 'a.txt': 'the old one' },
  'delete_file: Delete a file': { 'tmp/a.txt': '' },
  'move_file: Move into a new directory': { 'a.txt': '' },
  'read_repo_file: Read the progress log': {
    '.claude/memory/progress_log.jsonl': '{"timestamp": "2026-01-01T09:00:00Z"}\n',
  },
};
const EXAMPLES = toolsets.flatMap((set) =>
  set.tools.flatMap(({ contract }) =>
    contract.examples.map((example) => ({
      ...example,
      tool: contract.name,
      expected: set.dialect.success(example.output),
    })),
  ),
);

eachWay(
  'the examples of the contracts',
  UNATTENDED,
  (stage) => {
    it.each(EXAMPLES)('$tool: $title [every.examples-true]', async ({ tool, title, input, expected }) => {
      const { root, write } = stage.workspace;
      for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
      for (const [name, content] of Object.entries(SCENES[`${tool}: ${title}`] ?? {})) write(name, content);
      const args = JSON.parse(JSON.stringify(input).replaceAll('"/test/', `"${root}/`));
      const answer = (await stage.client.call(tool, args)) as Record<string, unknown>;
      // The one thing that no example can know.
      if (tool === 'hello') answer.timestamp = (expected as Record<string, unknown>).timestamp;
      expect(answer).toEqual(expected);
    });

    it('cover every tool [every.examples-true]', () => {
      expect(new Set(EXAMPLES.map(({ tool }) => tool))).toEqual(new Set(NAMES));
    });
  },
  ONE_WAY,
);
