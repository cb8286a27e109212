/** 1 KB read over HTTP on one kept-alive connection, beside the same tool on the MCP SDK v1's own transport. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { repository } from '../../test/harness/binary';
import { copy } from '../../versus/servers/tenon';
import { tenonCalls } from '../adapters';
import { answerOf } from '../answer';
import { cleanEnvironment } from '../clean-environment';
import { OURS } from '../contestants';
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

const TOKEN = 'bench-token-0123456789abcdef';
const LINES = 10;
const WARM_UPS = 400;
const TRIES = 300;

interface Running {
  readonly url: string;
  readonly token?: string;
  readonly pid: number;
  stop(): unknown;
}

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
  { url, token, pid }: Running,
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

function startOurs(root: string): Promise<Running> {
  return start([copy, 'serve', '--http', '127.0.0.1:0', '--root', root], TOKEN);
}

function startYardstick(root: string): Promise<Running> {
  return start([join(repository, 'bench', 'sdk-http-server.mjs'), root]);
}

/** Waits for the address that the server prints. */
async function start(args: readonly string[], token?: string): Promise<Running> {
  const env = { ...cleanEnvironment(), ...(token && { TENON_TOKEN: token }) };
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${args[0]} did not start`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /http:\/\/[^\s"]+\/mcp/.exec(line);
      if (address) resolve(address[0]);
    });
  });
  return { url, pid: child.pid ?? -1, stop: () => child.kill('SIGKILL'), ...(token && { token }) };
}
