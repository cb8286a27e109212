import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openClient } from '../harness/client';
import { eachWay } from '../harness/each-way';
import { makeWorkspace } from '../harness/workspace';
import published from './published-schemas.json';

const TO_THE_SECOND = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

eachWay('hello', {}, (stage) => {
  it('greets by name, with the time in UTC to the second [repo.hello.example, repo.hello.timestamp]', async () => {
    const before = Math.floor(Date.now() / 1000);
    const answer = (await stage.client.call('hello', { name: 'Learner' })) as Record<string, string>;
    const after = Date.now() / 1000;

    expect(answer).toEqual({ message: 'Hello, Learner!', timestamp: expect.stringMatching(TO_THE_SECOND) });
    const told = Date.parse(answer.timestamp ?? '') / 1000;
    expect(told).toBeGreaterThanOrEqual(before);
    expect(told).toBeLessThanOrEqual(after);
  });

  it('greets the world without a name [repo.hello.default]', async () => {
    expect(await stage.client.call('hello')).toMatchObject({ message: 'Hello, World!' });
  });

  it('leaves the root as it was [repo.hello.no-side-effects]', async () => {
    await stage.client.call('hello', { name: '../../etc/passwd' });
    expect(readdirSync(stage.workspace.root)).toEqual([]);
  });

  it('publishes the three tools with the schemas of their contracts [repo.registered, repo.hello.input-schema, repo.hello.output-schema, repo.read.input-schema, repo.read.output-schema, repo.memory.input-schema, repo.memory.output-schema]', async () => {
    const tools = await stage.client.tools();
    for (const name of ['hello', 'read_repo_file', 'write_memory_entry'] as const) {
      const { description, inputSchema, outputSchema } = published[name];
      expect(tools.find((tool) => tool.name === name)).toMatchObject({ name, description, inputSchema });
      const { type: _, ...answer } = outputSchema;
      // A bulk reader has no output schema; what it answers is held against the published one in its own tests.
      const expected = name === 'read_repo_file' ? undefined : { anyOf: [answer, { required: ['error'] }] };
      expect(tools.find((tool) => tool.name === name)?.outputSchema).toEqual(
        expected && expect.objectContaining(expected),
      );
    }
  });
});

describe('hello', () => {
  it('succeeds with every name [repo.hello.always-succeeds]', async () => {
    const workspace = makeWorkspace();
    const client = await openClient({ door: 'stdio', era: 'legacy' }, { root: workspace.root });
    const names = ['', '$&', '\n', '🪵', '\ud800', '\0', 'x'.repeat(1_000_000), '"; drop', '{name}', '%s'];
    for (const name of names)
      expect(await client.call('hello', { name })).toMatchObject({ message: `Hello, ${name}!` });
    await client.close();
    workspace.remove();
  });
});
