/** A call over MCP has no number of its own; the editor should know it by the one that Codex gives it. */
import { expect, it } from 'vitest';
import { createOpenCalls } from '../../src/acp/open-calls';

const nameless = { turnId: 'turn', tool: 'read_file', input: { file: 'a.txt' } };

function openCalls() {
  const told: string[] = [];
  const calls = createOpenCalls({
    announcer: { began: ({ id }) => told.push(id), running() {}, completed() {}, failed() {} },
    describe: (id, { tool }) => ({ sessionId: 's', id, tool, effect: 'read', input: {} }),
    preview: async () => [],
  });
  return { calls, told };
}

it('a call that comes before its notice bears the number of the notice [bridge.events.joined]', async () => {
  const { calls, told } = openCalls();
  const arriving = [calls.arrived(nameless), calls.arrived(nameless)];
  for (const callId of ['one', 'two']) calls.foretold({ ...nameless, callId });
  const opened = await Promise.all(arriving);
  await Promise.all(opened.map(({ announced }) => announced));
  expect(opened.map(({ call }) => call.id)).toEqual(['turn:one', 'turn:two']);
  expect(told).toEqual(['turn:one', 'turn:two']);
});

it('a call of which Codex says nothing is opened all the same [bridge.events.joined]', async () => {
  const { calls, told } = openCalls();
  await (await calls.arrived(nameless)).announced;
  expect(told).toEqual(['turn:call-1']);
});

it.each([
  ['numbered', { ...nameless, callId: 'one' }],
  ['nameless', nameless],
])('a %s call that was over before its notice came is told once [bridge.events.joined]', async (_, arrival) => {
  const { calls, told } = openCalls();
  const opened = await calls.arrived(arrival);
  await opened.announced;
  opened.completed({}, []);
  calls.foretold({ ...nameless, callId: 'one' });
  calls.foretold({ ...nameless, callId: 'two' });
  await (await calls.arrived({ ...nameless, callId: 'two' })).announced;
  calls.closeAll('the turn is over');
  expect(told).toEqual([opened.call.id, 'turn:two']);
});
