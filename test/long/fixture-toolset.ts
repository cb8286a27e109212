/**
 * Tools with the names that the conformance suite calls, written as ours are: they go through our server, our engine
 * and our approval, so that what the suite finds is true of these.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { defineTool } from '../../src/contract/contract';
import { plain } from '../../src/contract/dialect';
import { Fault } from '../../src/contract/fault';
import type { Toolset } from '../../src/contract/toolset';

const failing = defineTool(
  {
    ...contractOf('test_error_handling'),
    errors: {
      file_not_found: { code: 'NOT_FOUND', message: 'There is no file {path}', when: 'Always' },
    },
  },
  async () => {
    throw new Fault('file_not_found', { path: 'nowhere' });
  },
);

const progressing = defineTool({ ...contractOf('test_tool_with_progress'), errors: {} }, async (_, { call, clock }) => {
  const began = clock.monotonicMs();
  for (let step = 0; step < 3; step++) {
    await sleep(50);
    call.progress({ elapsedMs: clock.monotonicMs() - began, message: `step ${step}` });
  }
  return { text: 'done' };
});

export const fixtureToolset: Toolset = {
  name: 'fixture',
  tools: [
    failing,
    progressing,
    answering('test_simple_text'),
    asking('test_elicitation'),
    asking('test_streaming_elicitation'),
    asking('test_input_required_result_elicitation'),
    asking('test_input_required_result_request_state'),
    asking('test_input_required_result_tampered_state'),
  ],
  dialect: plain,
  pathRule: 'relative',
  errors: {
    not_approved: { code: 'NOT_APPROVED', message: 'Not done: {problem}', when: 'The person did not approve' },
    approval_unavailable: { code: 'NOT_APPROVED', message: 'Not done: {remedy}', when: 'Nobody could be asked' },
  },
  instructions: 'Fixtures of the conformance suite.',
};

function answering(name: string) {
  return defineTool({ ...contractOf(name), errors: {} }, async () => ({ text: 'a simple text' }));
}

function asking(name: string) {
  const approval = () => ({ subject: name, message: `May ${name} run?` });
  // One scenario looks for this word in the answer to a call whose state came back whole.
  return defineTool({ ...contractOf(name), approval, errors: {} }, async () => ({ text: 'state-ok' }));
}

function contractOf(name: string) {
  return {
    name,
    title: name,
    description: 'A fixture of the conformance suite.',
    effect: 'read' as const,
    input: () => z.object({}),
    output: () => z.object({ text: z.string() }),
    constraints: [],
    examples: [],
  };
}
