import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Question } from '../harness/client';
import { eachWay } from '../harness/each-way';
import { makeWorkspace, type Workspace } from '../harness/workspace';
import { type LineClient, type Message, modernMeta, openLines } from '../mcp/line-client';

const FILE = '.claude/memory/best_practices.md';
const TWO_WAYS = [
  { door: 'stdio', era: 'modern' },
  { door: 'http', era: 'legacy' },
] as const;

type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, unknown> };

/** What the person will say next, what was asked, and whether anything was written by then. */
const desk: { answer: Answer; asked: Question[]; writtenBefore: boolean[]; workspace?: Workspace } = {
  answer: { action: 'accept', content: { approve: true } },
  asked: [],
  writtenBefore: [],
};

function elicit(question: Question): Answer {
  desk.asked.push(question);
  desk.writtenBefore.push(existsSync(desk.workspace?.path('.claude') ?? ''));
  return desk.answer;
}

function refused(problem: string) {
  const message = `Nothing was written to best_practices.md: ${problem}`;
  return { error: { code: 'NOT_APPROVED', message, details: expect.objectContaining({ file: 'best_practices.md' }) } };
}

eachWay('a client that can be asked', { elicit }, (stage) => {
  beforeAll(() => {
    desk.workspace = stage.workspace;
    desk.asked = [];
    desk.writtenBefore = [];
  });
  const append = (entry: string) => stage.client.call('write_memory_entry', { file: 'best_practices.md', entry });

  it.each<[string, Answer, string]>([
    ['declined', { action: 'decline' }, 'the user declined'],
    ['dismissed', { action: 'cancel' }, 'the user dismissed the question'],
    ['accepted with the box unticked', { action: 'accept', content: { approve: false } }, 'the user declined'],
  ])('writes nothing when the question is %s [repo.approval.refused]', async (_, answer, problem) => {
    desk.answer = answer;
    expect(await append('no')).toEqual(refused(problem));
    expect(existsSync(stage.workspace.path('.claude'))).toBe(false);
  });

  it('is asked each time, before anything is written, and yes writes the entry [repo.approval.elicitation, repo.approval.always-asked]', async () => {
    desk.answer = { action: 'accept', content: { approve: true } };
    desk.asked = [];
    desk.writtenBefore = [];
    expect(await append('yes')).toEqual({ success: true, file: 'best_practices.md', bytes_written: 4 });
    expect(stage.workspace.read(FILE)).toBe('yes\n');
    expect(await append('again')).toMatchObject({ success: true });
    expect(stage.workspace.read(FILE)).toBe('yes\nagain\n');
    expect(desk.asked).toHaveLength(2);
    expect(desk.writtenBefore[0]).toBe(false);
  });

  it('sees the file and the exact entry in the question, and a box to tick [repo.approval.shows]', async () => {
    desk.asked = [];
    const entry = '# Always\n\n- `$&` and \\n stay\n';
    await append(entry);
    expect(desk.asked).toEqual([
      expect.objectContaining({
        message: `Append this entry to the memory file best_practices.md?\n\n${entry}`,
        requestedSchema: {
          type: 'object',
          properties: {
            approve: { type: 'boolean', title: 'Approve', description: 'Do exactly what is shown', default: true },
          },
          required: ['approve'],
        },
      }),
    ]);
  });

  it('sees a .jsonl entry as the line that will be written [repo.approval.shows]', async () => {
    desk.asked = [];
    await stage.client.call('write_memory_entry', { file: 'decisions.jsonl', entry: '{\n  "a": 1\n}\n' });
    expect(desk.asked[0]?.message).toBe('Append this entry to the memory file decisions.jsonl?\n\n{ "a": 1 }');
    expect(stage.workspace.read('.claude/memory/decisions.jsonl')).toBe('{ "a": 1 }\n');
  });

  it('is not bothered with an entry that could not be written anyway [every.validated-first]', async () => {
    desk.asked = [];
    expect(await append('x'.repeat(10_001))).toMatchObject({ error: { code: 'INVALID_ARGUMENT' } });
    expect(desk.asked).toEqual([]);
  });
});

eachWay('a client that cannot be asked', {}, (stage) => {
  it('is refused, and told how to allow it [repo.approval.unavailable]', async () => {
    const answer = await stage.client.call('write_memory_entry', { file: 'best_practices.md', entry: 'x' });
    expect(answer).toMatchObject({
      error: { code: 'NOT_APPROVED', message: expect.stringMatching(/elicitation.*--approve always/s) },
    });
    expect(existsSync(stage.workspace.path('.claude'))).toBe(false);
  });
});

for (const [policy, promise] of [
  ['always', '[repo.approval.policy-always]'],
  ['never', '[repo.approval.policy-never]'],
] as const) {
  eachWay(
    `--approve ${policy}`,
    { elicit, flags: ['--approve', policy] },
    (stage) => {
      it(`asks nobody ${promise}`, async () => {
        desk.asked = [];
        const answer = await stage.client.call('write_memory_entry', { file: 'best_practices.md', entry: 'x' });
        expect(answer).toEqual(
          policy === 'always'
            ? { success: true, file: 'best_practices.md', bytes_written: 2 }
            : refused('this server was started with --approve never; --approve ask lets a user decide'),
        );
        expect(existsSync(stage.workspace.path(FILE))).toBe(policy === 'always');
        expect(desk.asked).toEqual([]);
      });
    },
    TWO_WAYS,
  );
}

describe('an approval of the newest revision, by hand', () => {
  let workspace: Workspace;
  let client: LineClient;
  const file = 'best_practices.md';
  const yes = { approve: { action: 'accept', content: { approve: true } } };

  beforeAll(() => {
    workspace = makeWorkspace();
    client = openLines(['serve', '--root', workspace.root]);
  });
  afterAll(async () => {
    await client.end();
    workspace.remove();
  });

  const call = (args: object, rest: object = {}, capabilities: object = { elicitation: { form: {} } }) =>
    client.request('tools/call', {
      name: 'write_memory_entry',
      arguments: args,
      _meta: modernMeta(capabilities),
      ...rest,
    });
  const question = async (entry: string) => {
    const { result } = await call({ file, entry });
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { approve: expect.any(Object) } });
    return result?.requestState as string;
  };
  const written = () => (existsSync(workspace.path(FILE)) ? workspace.read(FILE) : '');
  const answerOf = ({ result }: Message) => result?.structuredContent;
  const NOT_THIS = refused('the approval was for another entry, or was used before');

  it('holds for the bytes that were shown, and no others [repo.approval.those-bytes]', async () => {
    const requestState = await question('shown');
    expect(written()).toBe('');
    for (const args of [
      { file, entry: 'shown!' },
      { file, entry: 'shown ' },
      { file, entry: 'Shown' },
      { file: 'decisions.jsonl', entry: '"shown"' },
    ])
      expect(answerOf(await call(args, { requestState, inputResponses: yes }))).toMatchObject({
        error: { code: 'NOT_APPROVED' },
      });
    expect(written()).toBe('');
    expect(answerOf(await call({ file, entry: 'shown' }, { requestState, inputResponses: yes }))).toMatchObject({
      success: true,
    });
    expect(written()).toBe('shown\n');
  });

  it('is good for one write [repo.approval.once]', async () => {
    const before = written();
    const requestState = await question('once');
    const answers = await Promise.all(
      [1, 2, 3].map(async () => answerOf(await call({ file, entry: 'once' }, { requestState, inputResponses: yes }))),
    );
    // Three at once: whichever comes first is the one.
    const winnerFirst = (answers as object[]).sort((a, b) => Number('error' in a) - Number('error' in b));
    expect(winnerFirst).toEqual([{ success: true, file, bytes_written: 5 }, NOT_THIS, NOT_THIS]);
    expect(written()).toBe(`${before}once\n`);
  });

  it('is used up by a no as well [repo.approval.once]', async () => {
    const before = written();
    const requestState = await question('no');
    const no = { approve: { action: 'decline' } };
    expect(answerOf(await call({ file, entry: 'no' }, { requestState, inputResponses: no }))).toEqual(
      refused('the user declined'),
    );
    expect(answerOf(await call({ file, entry: 'no' }, { requestState, inputResponses: yes }))).toEqual(NOT_THIS);
    expect(written()).toBe(before);
  });

  it('cannot be made up by the client [repo.approval.sealed]', async () => {
    const before = written();
    const requestState = await question('sealed');
    const [version, payload = '', seal] = requestState.split('.');
    const forged = Buffer.from(payload, 'base64url')
      .toString()
      .replace(/"nonce":"./, '"nonce":"_');
    const states = [
      undefined,
      '',
      `${requestState.slice(0, -4)}AAAA`,
      [version, Buffer.from(forged).toString('base64url'), seal].join('.'),
    ];
    const answers = [];
    for (const state of states) {
      const answer = await call({ file, entry: 'sealed' }, { requestState: state, inputResponses: yes });
      answers.push(answer.error?.code ?? answerOf(answer));
    }
    expect(answers).toEqual([NOT_THIS, -32602, -32602, -32602]);
    expect(written()).toBe(before);
  });

  it('is not taken from another server [repo.approval.sealed]', async () => {
    const requestState = await question('elsewhere');
    const other = makeWorkspace();
    const second = openLines(['serve', '--root', other.root]);
    const answer = await second.request('tools/call', {
      name: 'write_memory_entry',
      arguments: { file, entry: 'elsewhere' },
      _meta: modernMeta({ elicitation: { form: {} } }),
      requestState,
      inputResponses: yes,
    });
    expect(answer.error?.code).toBe(-32602);
    await second.end();
    expect(existsSync(other.path('.claude'))).toBe(false);
    other.remove();
  });

  it('is asked again when the answer is no answer [repo.approval.always-asked]', async () => {
    const before = written();
    const requestState = await question('vague');
    const answer = await call({ file, entry: 'vague' }, { requestState, inputResponses: { other: yes.approve } });
    expect(answer.result).toMatchObject({ resultType: 'input_required' });
    expect(written()).toBe(before);
  });

  it('needs a client that has forms: an address to open is not enough [repo.approval.unavailable]', async () => {
    for (const capabilities of [{}, { elicitation: { url: {} } }])
      expect(answerOf(await call({ file, entry: 'x' }, {}, capabilities))).toMatchObject({
        error: { code: 'NOT_APPROVED', message: expect.stringContaining('--approve always') },
      });
  });
});

describe('a question that is never answered', () => {
  it('leaves nothing behind when the client goes [repo.approval.always-asked]', async () => {
    const workspace = makeWorkspace();
    const client = openLines(['serve', '--root', workspace.root]);
    await client.initialize({ capabilities: { elicitation: {} } });
    await client.send({
      jsonrpc: '2.0',
      id: 'w',
      method: 'tools/call',
      params: { name: 'write_memory_entry', arguments: { file: 'best_practices.md', entry: 'x' } },
    });
    const asked = await client.receive(({ method }) => method === 'elicitation/create');
    expect(asked.params).toMatchObject({ message: expect.stringContaining('best_practices.md') });
    expect(await client.end()).toEqual({ code: 0, signal: null });
    expect(existsSync(workspace.path('.claude'))).toBe(false);
    workspace.remove();
  });
});
