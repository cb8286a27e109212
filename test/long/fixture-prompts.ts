/** Prompts, resources and the rest of what a server may offer and ours does not. */
import {
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server';
import { ask } from './fixture-requests';
import { PNG } from './fixture-tools';

interface Prompt {
  readonly arguments?: readonly string[];
  messages(given: Record<string, string>): object[];
}

const user = (content: object) => ({ role: 'user', content });
const text = (words: string) => user({ type: 'text', text: words });

const prompts: Readonly<Record<string, Prompt>> = {
  test_simple_prompt: { messages: () => [text('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    messages: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    messages: ({ resourceUri: uri }) => [
      user({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded.' } }),
      text('Please look at it.'),
    ],
  },
  test_prompt_with_image: {
    messages: () => [user({ type: 'image', data: PNG, mimeType: 'image/png' }), text('Please look at it.')],
  },
  test_input_required_result_prompt: { messages: () => [text('Thank you.')] },
};

const resources: Readonly<Record<string, object>> = {
  'test://static-text': { mimeType: 'text/plain', text: 'A static text.' },
  'test://static-binary': { mimeType: 'image/png', blob: PNG },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched.' },
};

export function offerPrompts(server: Server): void {
  server.setRequestHandler('prompts/list', async () => ({
    prompts: Object.entries(prompts).map(([name, { arguments: names = [] }]) => ({
      name,
      description: 'A fixture of the conformance suite.',
      arguments: names.map((argument) => ({ name: argument, description: 'An argument.', required: true })),
    })),
  }));
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const found = prompts[params.name];
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${params.name}`);
    const answer = inputResponse(context.mcpReq.inputResponses, 'user_context');
    if (params.name === 'test_input_required_result_prompt' && answer.kind === 'missing')
      return inputRequired({ inputRequests: { user_context: ask.form('context') } });
    return { messages: found.messages(params.arguments ?? {}) as never };
  });
  server.setRequestHandler('completion/complete', async () => ({ completion: { values: [], hasMore: false } }));
}

export function offerResources(server: Server): void {
  server.setRequestHandler('resources/list', async () => ({
    resources: Object.keys(resources).map((uri) => ({ uri, name: uri, description: 'A fixture.' })),
  }));
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', description: 'A fixture.' }],
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const [, id] = /^test:\/\/template\/(\w+)\/data$/.exec(uri) ?? [];
    const content = id ? { mimeType: 'application/json', text: JSON.stringify({ id }) } : resources[uri];
    if (!content) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Resource not found', { uri });
    return { contents: [{ uri, ...content }] as never };
  });
  server.setRequestHandler('resources/subscribe', async () => ({}));
  server.setRequestHandler('resources/unsubscribe', async () => ({}));
}
