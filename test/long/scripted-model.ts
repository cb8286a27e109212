/**
 * A model that says what it was told to say: a server of the Responses API on loopback. Each request gets the next
 * line of the script, a call of one of our tools; after the last one the model says that it is done.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedCall {
  readonly tool: string;
  readonly arguments: object;
}

export interface ScriptedModel {
  readonly url: string;
  /** What came back to the model for each call, in the order of the script. */
  outputs(): string[];
  stop(): Promise<void>;
}

/** How Codex names the tools of a server to a model. */
const NAMESPACE = 'mcp__tenon';

interface InputItem {
  readonly type: string;
  readonly output?: unknown;
}

export async function startScriptedModel(script: readonly ScriptedCall[]): Promise<ScriptedModel> {
  let turn = 0;
  let lastInput: readonly InputItem[] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void sendJson(response, { models: [] });
    lastInput = ((await readJson(request)) as { input: InputItem[] }).input;
    sendTurn(response, turn, script[turn]);
    turn += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    outputs: () => lastInput.filter(({ type }) => type === 'function_call_output').map(({ output }) => textOf(output)),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function sendTurn(response: ServerResponse, turn: number, call: ScriptedCall | undefined): void {
  const item = call ? callItem(turn, call) : messageItem(turn);
  const id = `resp_${turn}`;
  const usage = {
    input_tokens: 1,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 2,
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of [
    { type: 'response.created', response: { id } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id, usage } },
  ])
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

function callItem(turn: number, call: ScriptedCall) {
  return {
    type: 'function_call',
    id: `fc_${turn}`,
    call_id: `call_${turn}`,
    name: call.tool,
    namespace: NAMESPACE,
    arguments: JSON.stringify(call.arguments),
  };
}

function messageItem(turn: number) {
  const content = [{ type: 'output_text', text: 'Done.', annotations: [] }];
  return { type: 'message', id: `msg_${turn}`, role: 'assistant', content };
}

/** An output is a text, or a list of contents with texts. */
function textOf(output: unknown): string {
  if (typeof output === 'string') return output;
  return (output as { text?: string }[]).map(({ text = '' }) => text).join('');
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
