/** The fixture tools that need more than ours ever do: pictures, sampling, roots, several rounds of questions. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  type InputRequiredSpec,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { ask, elicitation, prompt } from './fixture-requests';

export interface FixtureTool {
  readonly inputSchema?: object;
  call(call: FixtureCall): Promise<CallToolResult | InputRequiredResult>;
}

export interface FixtureCall {
  readonly arguments: Record<string, unknown>;
  readonly context: ServerContext;
  /** Seals what must come back unchanged with the answer. */
  readonly codec: RequestStateCodec<{ round: number }>;
}

/** One red pixel, and a sound of no length. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, text: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text },
});

const contents: Record<string, FixtureTool> = {
  test_simple_text: fixed(say('This is a simple text response for testing.')),
  test_image_content: fixed({ content: [image] }),
  test_audio_content: fixed({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: fixed({ content: [embedded('test://embedded-resource', 'text/plain', 'Embedded.')] }),
  test_multiple_content_types: fixed({
    content: [
      { type: 'text', text: 'Several kinds:' },
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: fixed({ ...say('This tool fails on purpose'), isError: true }),
};

const messages: Record<string, FixtureTool> = {
  test_tool_with_logging: { call: logThrice },
  test_logging_tool: { call: logThrice },
  test_tool_with_progress: {
    async call({ context }) {
      const progressToken = context.mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await context.mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 100 },
          });
        await sleep(50);
      }
      return say('done');
    },
  },
};

/** Requests that the server sends while the call runs: only the 2025 revisions have them. */
const pushed: Record<string, FixtureTool> = {
  test_sampling: {
    inputSchema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    async call({ context, arguments: { prompt: text } }) {
      const { content } = await context.mcpReq.requestSampling(prompt(String(text)), onItsStream(context));
      return say(`LLM response: ${JSON.stringify(content)}`);
    },
  },
  test_elicitation: {
    inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    call: ({ context, arguments: { message } }) => askNow(context, elicitation('person', String(message))),
  },
  test_elicitation_sep1034_defaults: {
    call: ({ context }) => askNow(context, elicitation('defaults')),
  },
  test_elicitation_sep1330_enums: {
    call: ({ context }) => askNow(context, elicitation('enums')),
  },
};

/** Questions that the client answers by sending the call again: the 2026 revision. */
const asked: Record<string, FixtureTool> = {
  test_missing_capability: untilAnswered({ capital: ask.model() }),
  test_streaming_elicitation: untilAnswered({ user_name: ask.form('name') }),
  test_input_required_result_elicitation: untilAnswered({ user_name: ask.form('name') }),
  test_input_required_result_sampling: untilAnswered({ capital_question: ask.model() }),
  test_input_required_result_list_roots: untilAnswered({ client_roots: ask.roots() }),
  test_input_required_result_request_state: untilAnswered({ confirm: ask.form('ok') }, { sealed: true }),
  test_input_required_result_tampered_state: untilAnswered({ confirm: ask.form('ok') }, { sealed: true }),
  test_input_required_result_multiple_inputs: untilAnswered(
    { user_name: ask.form('name'), greeting: ask.model(), client_roots: ask.roots() },
    { sealed: true },
  ),
  test_input_required_result_multi_round: {
    async call({ context, codec }) {
      const round = context.mcpReq.requestState<{ round: number }>()?.round ?? 0;
      if (round === 2) return say('Thank you.');
      const inputRequests = { [`step${round + 1}`]: ask.form(round === 0 ? 'name' : 'color') };
      return inputRequired({ inputRequests, requestState: await codec.mint({ round: round + 1 }, context) });
    },
  },
  test_input_required_result_capabilities: {
    async call({ context }) {
      const envelope = context.mcpReq.envelope as Record<string, ClientCapabilities> | undefined;
      const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY];
      return inputRequired({
        inputRequests: {
          ...(declared?.sampling && { capital: ask.model() }),
          ...(declared?.elicitation && { user_name: ask.form('name') }),
        },
      });
    },
  },
};

const schemas: Record<string, FixtureTool> = {
  test_custom_headers: {
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      required: ['region'],
    },
    call: async () => say('done'),
  },
  json_schema_2020_12_tool: {
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    call: async () => say('done'),
  },
};

export const fixtureTools: Readonly<Record<string, FixtureTool>> = {
  ...contents,
  ...messages,
  ...pushed,
  ...asked,
  ...schemas,
};

export function say(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

function fixed(result: CallToolResult): FixtureTool {
  return { call: async () => result };
}

async function askNow(context: ServerContext, question: ReturnType<typeof elicitation>): Promise<CallToolResult> {
  const { action, content } = await context.mcpReq.elicitInput(question, onItsStream(context));
  return say(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
}

/** Unless told, the SDK sends its requests on the stream that the client may open beside its calls, or may not. */
function onItsStream(context: ServerContext) {
  return { relatedRequestId: context.mcpReq.id };
}

async function logThrice({ context }: FixtureCall): Promise<CallToolResult> {
  for (const step of ['started', 'working', 'ended']) {
    await context.mcpReq.log('info', step);
    await sleep(50);
  }
  return say('done');
}

/** Asks until every question has an answer of a known form; a sealed one also has its state back. */
function untilAnswered(
  questions: NonNullable<InputRequiredSpec['inputRequests']>,
  options = { sealed: false },
): FixtureTool {
  return {
    async call({ context, codec }) {
      const answers = Object.keys(questions).map((key) => inputResponse(context.mcpReq.inputResponses, key));
      const hasState = !options.sealed || context.mcpReq.requestState() !== undefined;
      if (hasState && answers.every(({ kind }) => kind !== 'missing'))
        return say(`state-ok ${JSON.stringify(answers)}`);
      return inputRequired({
        inputRequests: questions,
        ...(options.sealed && { requestState: await codec.mint({ round: 1 }, context) }),
      });
    },
  };
}
