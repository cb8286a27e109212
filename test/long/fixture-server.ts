/**
 * Two servers behind our HTTP door, for the conformance suite. `ours` is our own server and engine with fixture tools
 * in place of the real ones; `full` offers everything that the suite asks about, so that the door is tried with all of
 * it. Prints the two addresses as one line of JSON; the token comes from the environment, as for the binary.
 */
import { randomBytes } from 'node:crypto';
import {
  createRequestStateCodec,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { createEngine } from '../../src/engine/dispatch';
import { createRegistry } from '../../src/engine/registry';
import { createApprovalDesk } from '../../src/mcp/approval';
import { openHttp } from '../../src/mcp/http';
import { createLongAnswers } from '../../src/mcp/long-answers';
import { createServerFactory } from '../../src/mcp/server';
import { createApprover } from '../../src/services/approvals';
import { systemClock } from '../../src/services/clock';
import { entryOf } from '../../src/tools/listing';
import { offerPrompts, offerResources } from './fixture-prompts';
import { fixtureTools } from './fixture-tools';
import { fixtureToolset } from './fixture-toolset';

const HOST = '127.0.0.1';
const longAnswers = createLongAnswers();

async function main(): Promise<void> {
  const addresses = { ours: await serve(ourFactory()), full: await serve(fullFactory()) };
  process.stdout.write(`${JSON.stringify(addresses)}\n`);
}

async function serve(factory: McpServerFactory): Promise<string> {
  const onerror = (error: Error) => process.stderr.write(`${error.message}\n`);
  const token = process.env.TENON_TOKEN ?? '';
  const { port } = await openHttp({ factory, host: HOST, port: 0, token, onerror, longAnswers });
  return `http://${HOST}:${port}/mcp`;
}

function ourFactory(): McpServerFactory {
  const engine = createEngine({
    registry: createRegistry([fixtureToolset], { readOnly: false }),
    // The fixture tools use the clock and the call; there is no disk here.
    servicesFor: () => ({ clock: systemClock }) as never,
    approver: createApprover('ask'),
    observers: [{ bug: (id, thrown) => process.stderr.write(`${id}: ${thrown}\n`) }],
    clock: systemClock,
  });
  return createServerFactory({
    engine,
    tools: fixtureToolset.tools.map((tool) => entryOf(tool, fixtureToolset.dialect)),
    instructions: fixtureToolset.instructions,
    version: '0.0.0',
    toolErrors: 'result',
    desk: createApprovalDesk(),
    longAnswers,
  });
}

function fullFactory(): McpServerFactory {
  const codec = createRequestStateCodec<{ round: number }>({ key: randomBytes(32), ttlSeconds: 60 });
  return () => {
    const server = new Server(
      { name: 'fixture', version: '0.0.0' },
      {
        capabilities: { tools: {}, prompts: {}, resources: { subscribe: true }, completions: {}, logging: {} },
        requestState: { verify: codec.verify },
      },
    );
    server.setRequestHandler('tools/list', async () => ({
      tools: Object.entries(fixtureTools).map(([name, { inputSchema = { type: 'object' } }]) => ({
        name,
        description: 'A fixture of the conformance suite.',
        inputSchema: inputSchema as never,
      })),
    }));
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const tool = fixtureTools[params.name];
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
      return tool.call({ arguments: params.arguments ?? {}, context, codec });
    });
    offerPrompts(server);
    offerResources(server);
    return server;
  };
}

void main();
