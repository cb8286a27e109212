/** 1 KB read over HTTP on one kept-alive connection, beside the same tool on the MCP SDK v1's own transport. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../test/harness/binary';
import { tenonCalls } from '../adapters';
import { answerOf } from '../answer';
import { OURS } from '../contestants';
import { type HttpServer, startHttpServer, startOurs } from '../http-server';
import { openHttpWire } from '../http-wire';
import { type Contender, interleave, repeat } from '../interleave';
import { cpuMs } from '../process-stats';
import { Setback } from '../results';
import { paramsOf } from '../sessions';
import { linesOf, nameIn } from '../stage';
import { BLOCK_BUDGET_MS, WARM_UP_BUDGET_MS } from '../tool-workload';
import type { Family } from '../workload';

export const HTTP_CALL = 'read 1 KB over HTTP';
export const SDK_HTTP = 'MCP SDK v1 over HTTP';

const LINES = 10;
const WARM_UPS = 400;
const TRIES = 300;

export const http: Family = {
  name: 'http',
  workloads: [HTTP_CALL],
  async run({ stage, scale }) {
    const path = stage.at('over-http.ts');
    writeFileSync(path, linesOf(LINES));
    const params = paramsOf(tenonCalls(stage.root).read(path));
    const servers = [await startOurs(stage.root), await startYardstick(stage.root)] as const;
    try {
      const [ours, yardstick] = servers;
      const budgetMs = scale(BLOCK_BUDGET_MS);
      const contenders = [
        await caller(OURS, ours, params, budgetMs),
        await caller(SDK_HTTP, yardstick, params, budgetMs),
      ];
      return [{ workload: HTTP_CALL, cells: await interleave(contenders, scale({ full: 7, quick: 5 })) }];
    } finally {
      for (const server of servers) await server.stop();
    }
  },
};

async function caller(
  name: string,
  { url, token, pid }: HttpServer,
  params: string,
  budgetMs: number,
): Promise<Contender> {
  const wire = await openHttpWire(url, token);
  const once = async () => {
    const { ms, line } = await wire.ask('tools/call', params);
    const text = answerOf({ line }).content?.[0]?.text ?? '';
    if (!text.includes(nameIn(1)) || !text.includes(nameIn(LINES))) throw new Setback('wrong answer');
    return ms;
  };
  return {
    name,
    cpuMs: () => cpuMs(pid),
    warmUp: () => repeat({ count: WARM_UPS, budgetMs: WARM_UP_BUDGET_MS }, once),
    block: () => repeat({ count: TRIES, budgetMs }, once),
  };
}

function startYardstick(root: string): Promise<HttpServer> {
  return startHttpServer([join(repository, 'bench', 'sdk-http-server.mjs'), root]);
}
