/** What a client sees before it calls anything: the list, the instructions, and what the options make of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../harness/binary';
import { openClient } from '../harness/client';
import { eachWay } from '../harness/each-way';
import { makeWorkspace, type Workspace } from '../harness/workspace';
import { openLines } from '../mcp/line-client';
import published from './published-schemas.json';
import { BULK_READERS } from './sample-calls';

interface Entry {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly annotations: Record<string, boolean>;
}

const SETS = {
  editor: ['read_text_file', 'edit_text_file', 'multi_edit_text_file', 'write_text_file'],
  workspace: ['list_dir', 'read_file', 'mkdir', 'edit_file', 'write_file', 'delete_file', 'move_file', 'run_command'],
  repo: ['hello', 'read_repo_file', 'write_memory_entry'],
} as const;
const NAMES = [...SETS.editor, ...SETS.workspace, ...SETS.repo];
const READERS = ['read_text_file', 'list_dir', 'read_file', 'hello', 'read_repo_file'];
const TWO_WAYS = [
  { door: 'stdio', era: 'modern' },
  { door: 'http', era: 'legacy' },
] as const;
const MAX_LIST_BYTES = 12 * 1024;

let workspace: Workspace;
/** As it stands on the wire, not as a client shows it. */
let wire: Entry[];
beforeAll(async () => {
  workspace = makeWorkspace();
  const client = openLines(['serve', '--root', workspace.root]);
  await client.initialize();
  wire = (await client.request('tools/list')).result?.tools as Entry[];
  await client.end();
});
afterAll(() => workspace.remove());

describe('tools/list', () => {
  it('has the fifteen tools of the three toolsets [every.three-toolsets]', () => {
    expect(wire.map(({ name }) => name)).toEqual(NAMES);
  });

  it('is smaller than 12 KB [every.list-size]', () => {
    expect(Buffer.byteLength(JSON.stringify(wire))).toBeLessThan(MAX_LIST_BYTES);
  });

  it.each(NAMES)('has a title and a description for %s, the published one where there is one [every.title]', (name) => {
    const entry = wire.find((tool) => tool.name === name);
    const { description = expect.stringMatching(/^[A-Z].{20,200}$/) } = published[name] as { description?: string };
    expect(entry).toMatchObject({ title: expect.stringMatching(/^[A-Z][\w ]+$/), description });
  });

  it.each(NAMES)('publishes the input of %s to the letter [every.published-schemas]', (name) => {
    expect(wire.find((tool) => tool.name === name)?.inputSchema).toEqual(published[name].inputSchema);
  });

  it('carries no $schema and no bound of the safe integers [every.clean-schemas]', () => {
    const text = JSON.stringify(wire);
    expect(text).not.toContain('$schema');
    expect(text).not.toContain('9007199254740991');
  });

  it('has an output schema for all but the bulk readers, with the failure form [every.structured, every.bulk-once, every.schema-allows-failure]', () => {
    for (const { name, outputSchema } of wire) {
      if (BULK_READERS.includes(name)) expect(outputSchema, name).toBeUndefined();
      else expect(JSON.stringify(outputSchema), name).toMatch(/"required":\["error"\]|"error":\{"type":"object"\}/);
    }
  });

  it.each(NAMES)('entry of %s [every.list-stable]', (name) => {
    expect(wire.find((tool) => tool.name === name)).toMatchSnapshot();
  });

  // By these hints clients decide whether to ask: reading is safe, replacing twice is replacing once, and only a
  // command reaches beyond the files.
  it.each<[string, Record<string, boolean>, readonly string[]]>([
    ['read', hints({ readOnly: true, idempotent: true }), READERS],
    ['create', hints({ idempotent: true }), ['mkdir']],
    ['append', hints({}), ['write_memory_entry']],
    ['replace', hints({ destructive: true, idempotent: true }), ['write_text_file', 'write_file']],
    [
      'change or take away',
      hints({ destructive: true }),
      ['edit_text_file', 'multi_edit_text_file', 'edit_file', 'delete_file', 'move_file'],
    ],
    ['run', hints({ destructive: true, openWorld: true }), ['run_command']],
  ])('says by all four annotations which tools %s [every.annotations]', (_, annotations, names) => {
    for (const name of names) expect(wire.find((tool) => tool.name === name)?.annotations, name).toEqual(annotations);
  });
});

function hints(set: { readOnly?: true; destructive?: true; idempotent?: true; openWorld?: true }) {
  return {
    readOnlyHint: set.readOnly === true,
    destructiveHint: set.destructive === true,
    idempotentHint: set.idempotent === true,
    openWorldHint: set.openWorld === true,
  };
}

eachWay('through every door', {}, (stage) => {
  it('the list is the same [every.list-stable]', async () => {
    expect(await stage.client.tools()).toEqual(wire);
  });

  it('the instructions say which toolset is for what, in a few lines [every.instructions]', () => {
    const lines = stage.client.instructions()?.split('\n') ?? [];
    expect(lines[0]).toContain(stage.workspace.root);
    for (const [set, tools] of Object.entries(SETS)) {
      const line = lines.find((text) => text.startsWith(`- ${set} `));
      for (const tool of tools) expect(line).toContain(tool);
    }
    expect(lines.length).toBeLessThanOrEqual(8);
    expect(lines.join('\n').length).toBeLessThan(1500);
  });
});

eachWay(
  '--toolsets workspace',
  { flags: ['--toolsets', 'workspace'] },
  (stage) => {
    it('serves that toolset and speaks of no other [every.toolsets, every.instructions]', async () => {
      expect((await stage.client.tools()).map(({ name }) => name)).toEqual(SETS.workspace);
      expect(stage.client.instructions()).toContain('- workspace ');
      expect(stage.client.instructions()).not.toMatch(/^- (editor|repo) /m);
      await expect(stage.client.result('hello')).rejects.toMatchObject({ code: -32602 });
    });
  },
  TWO_WAYS,
);

eachWay(
  '--read-only',
  { flags: ['--read-only'] },
  (stage) => {
    it('serves only what changes nothing, and says why the rest is missing [every.read-only]', async () => {
      const tools = await stage.client.tools();
      expect(tools.map(({ name }) => name).sort()).toEqual([...READERS].sort());
      expect(stage.client.instructions()).not.toMatch(/write_|edit_|delete_|move_|mkdir|run_/);
      await expect(stage.client.result('write_file', { file: 'a', content: '' })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('This server is read-only; not served: write_file'),
      });
    });
  },
  TWO_WAYS,
);

describe('--toolsets', () => {
  it('takes several, in the order of the list [every.toolsets]', async () => {
    const client = await openClient(
      { door: 'stdio', era: 'modern' },
      { root: workspace.root, flags: ['--toolsets', 'repo, editor'] },
    );
    expect((await client.tools()).map(({ name }) => name)).toEqual([...SETS.editor, ...SETS.repo]);
    await client.close();
  });
});

describe('the README', () => {
  it('recommends one toolset per client [every.readme-one-toolset]', () => {
    expect(readFileSync(join(repository, 'README.md'), 'utf8')).toMatch(/one (tool)?set per client/i);
  });
});
