import * as z from 'zod';
import { defineTool } from '../../contract/contract';
import { contentText } from '../../contract/parameters';
import { joinLong } from '../../text/long-text';
import { runGently } from '../../text/steps';

export const hello = defineTool(
  {
    name: 'hello',
    title: 'Say hello',
    description: 'Test tool for verifying MCP connectivity.',
    effect: 'read',
    input: () =>
      z.object({ name: contentText(z.string()).describe('Name to greet').default('World') }).meta({ required: [] }),
    output: () =>
      z.object({
        message: z.string().describe('Greeting message'),
        timestamp: z.string().meta({ format: 'date-time' }).describe('Server timestamp'),
      }),
    errors: {},
    constraints: ['No side effects.', 'Always succeeds.'],
    examples: [
      {
        title: 'Greet somebody',
        input: { name: 'Learner' },
        output: { message: 'Hello, Learner!', timestamp: '2026-01-15T10:30:00Z' },
      },
    ],
  },
  async ({ name }, { clock }) => ({
    message: typeof name === 'string' ? `Hello, ${name}!` : await runGently(joinLong(['Hello, ', name, '!'])),
    timestamp: clock
      .now()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z'),
  }),
);
