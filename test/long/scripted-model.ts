/**
 * A model that says what it was told to say: a server of the Responses API on loopback. Each request gets the next
 * step of the script; after the last one the model says that it is done.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGate, type Gate } from './model-gate';
import { itemEvents, type ModelItem } from './model-items';
import { followScript, type ModelRequest, type Script, type ScriptedStep, textOf } from './model-script';

export type { ScriptedCall } from './model-script';

export interface ScriptedModel {
  readonly url: string;
  /** What came back to the model for each call, in the order of the script; of the script of one word, or of the last. */
  outputs(word?: string): string[];
  /** Everything that was asked, oldest first. */
  requests(): readonly ModelRequest[];
  /** Ends when a step hangs; at once when one does already. */
  hanging(): Promise<void>;
  /** Lets every hanging step go on. */
  release(): void;
  stop(): Promise<void>;
}

/** How Codex names the tools of a server to a model. */
const NAMESPACE = 'mcp__tenon';
const OUTPUTS = ['function_call_output', 'custom_tool_call_output'];

export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  const next = followScript(script);
  const requests: ModelRequest[] = [];
  const newest = new Map<string, ModelRequest>();
  const gate = createGate();
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void sendJson(response, 200, { models: [] });
    const asked = (await readJson(request)) as ModelRequest;
    const { word, step } = next(asked);
    newest.set(word, asked);
    await answer(response, `${requests.push(asked) - 1}`, step, gate);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    outputs: (word) => outputsIn(word === undefined ? requests.at(-1) : newest.get(word)),
    requests: () => requests,
    hanging: gate.reached,
    release: gate.open,
    async stop() {
      gate.open();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function outputsIn(request: ModelRequest | undefined): string[] {
  return (request?.input ?? []).filter(({ type }) => OUTPUTS.includes(type)).map(({ output }) => textOf(output));
}

async function answer(response: ServerResponse, name: string, step: ScriptedStep | undefined, gate: Gate) {
  if (step && 'httpError' in step)
    return void sendJson(response, step.httpError, { error: { message: step.message, type: 'server_error' } });
  if (step && 'delayMs' in step) await new Promise((resolve) => setTimeout(resolve, step.delayMs));
  const id = `resp_${name}`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send(response, [{ type: 'response.created', response: { id } }]);
  send(
    response,
    itemsOf(step).flatMap((item, index) => itemEvents(item, `${name}_${index}`, index)),
  );
  if (step && 'hang' in step) await gate.wait(response);
  send(response, [{ type: 'response.completed', response: { id, usage: USAGE } }]);
  response.end();
}

const USAGE = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 2,
};

function itemsOf(step: ScriptedStep | undefined): readonly ModelItem[] {
  if (!step || 'httpError' in step) return [{ say: 'Done.' }];
  if ('tool' in step) return [{ call: step.tool, arguments: step.arguments, namespace: NAMESPACE }];
  return 'hang' in step ? step.hang : step.items;
}

function send(
  response: ServerResponse,
  events: readonly ({ readonly type: string } & Record<string, unknown>)[],
): void {
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
