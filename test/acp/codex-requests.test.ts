/** Questions of a server or of the model, where the editor has forms; and where it has none, or fails at them. */
import { RequestError } from '@agentclientprotocol/sdk';
import { expect, it } from 'vitest';
import type { Client } from '../../src/acp/client';
import { createCodexRequests } from '../../src/acp/codex-requests';

const FORM = { mode: 'form', serverName: 's', message: 'Name?', requestedSchema: { type: 'object', properties: {} } };
const QUESTIONS = { questions: [{ id: 'q', header: 'Way', question: 'Which?', options: [{ label: 'a' }] }] };

function answering(elicit: Client['elicit'], form: object | null = {}) {
  const capabilities = { elicitation: { form } };
  const client = { capabilities, elicit } as unknown as Client;
  const requests = createCodexRequests({ client, sessionId: 'session', cwd: '/ws' });
  return (method: string, params: object) => requests.answer(method, { ...params }, new AbortController().signal);
}

it('a form is put to the person, and filled in [bridge.permission.elicitation]', async () => {
  const asked: object[] = [];
  const answer = answering(async (params) => {
    asked.push(params);
    return { action: 'accept', content: { name: 'x' } };
  });
  const given = await answer('mcpServer/elicitation/request', FORM);
  expect(given).toEqual({ action: 'accept', content: { name: 'x' }, _meta: null });
  const { serverName: _, ...shown } = FORM;
  expect(asked).toEqual([{ ...shown, sessionId: 'session' }]);
});

it.each([
  ['declines', async () => ({ action: 'decline' }), 'decline'],
  ['dismisses it', async () => ({ action: 'cancel' }), 'cancel'],
  ['says something else', async () => ({ action: 'perhaps' }), 'cancel'],
  ['fails', () => Promise.reject(RequestError.internalError()), 'decline'],
  ['goes away', () => Promise.reject(new Error('gone')), 'cancel'],
])('who %s is no yes [bridge.permission.elicitation]', async (_, elicit, action) => {
  const given = await answering(elicit)('mcpServer/elicitation/request', FORM);
  expect(given).toEqual({ action, content: null, _meta: null });
});

it('a question of the model is a form as well, and none where the editor has no forms [bridge.permission.always-answered]', async () => {
  const pick = async () => ({ action: 'accept', content: { q: 'a' } });
  expect(await answering(pick)('item/tool/requestUserInput', QUESTIONS)).toEqual({
    answers: { q: { answers: ['a'] } },
  });
  expect(await answering(pick, null)('item/tool/requestUserInput', QUESTIONS)).toEqual({ answers: {} });
});
