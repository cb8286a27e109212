/** `tenon call TOOL JSON`: one call from the shell, the answer on stdout; exit code 1 when it failed. */
import { createInterface } from 'node:readline/promises';
import type { ApprovalChannel } from '../contract/call';
import type { Doors } from './doors';
import type { Settings } from './settings';
import { UsageError } from './usage-error';

export async function callTool(words: readonly string[], settings: Settings, doors: Doors): Promise<number> {
  const [tool, json = '{}', ...rest] = words;
  if (tool === undefined || rest.length > 0)
    throw new UsageError(`call expects a tool and one JSON object, as in: tenon call hello '{"name": "Ada"}'`);
  const engine = doors.openEngine(settings);
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  const outcome = await engine.call({
    tool,
    arguments: parseJson(json === '-' ? await readStdin() : json),
    client: 'tenon call',
    context: { signal: controller.signal, progress: () => {} },
    approvals: terminalApproval,
  });
  if (outcome.kind === 'unknown_tool') throw new UsageError(outcome.message);
  if (outcome.kind === 'asking') throw new Error('a terminal answers at once');
  process.stdout.write(`${JSON.stringify(outcome.body)}\n`);
  return outcome.ok ? 0 : 1;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(`The arguments are not valid JSON: ${(error as Error).message}`);
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** The person at the terminal is asked there; without a terminal nobody can be. */
const terminalApproval: ApprovalChannel = {
  async ask(question) {
    if (!process.stdin.isTTY || !process.stderr.isTTY)
      return {
        kind: 'unavailable',
        remedy: 'it needs a user’s approval; run it in a terminal, or add --approve always',
      };
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await terminal.question(`${question.message}\n\n[y/N] `);
    terminal.close();
    return /^y(es)?$/i.test(answer.trim()) ? { kind: 'granted' } : { kind: 'refused', problem: 'the user declined' };
  },
};
