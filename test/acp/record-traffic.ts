/**
 * Records what the real `codex app-server` says: one file of lines for each scenario, which the fake Codex of the quick
 * tests plays. `node scripts/run.mjs test/acp/record-traffic.ts [scenario …]`
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeWorkspace } from '../harness/workspace';
import { type AppServer, type Frame, startAppServer } from '../long/app-server';
import { makeCodexHome } from '../long/codex-home';
import { startScriptedModel } from '../long/scripted-model';
import { scrub } from './scrub-traffic';
import { SCENARIOS, type Scenario, startTurn } from './traffic-scenarios';

const folder = join('test', 'acp', 'traffic');
const wanted = process.argv.slice(2);

mkdirSync(folder, { recursive: true });
for (const [name, scenario] of Object.entries(SCENARIOS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const lines = await record(name, scenario);
  writeFileSync(join(folder, `${name}.jsonl`), lines.map((line) => `${line}\n`).join(''));
  process.stdout.write(`${name}: ${lines.length} lines\n`);
}

async function record(name: string, scenario: Scenario): Promise<string[]> {
  const workspace = makeWorkspace(scenario.files ?? {});
  const model = await startScriptedModel(scenario.script ?? []);
  const home = await makeCodexHome({
    modelUrl: model.url,
    ...(scenario.mcp && { server: { root: workspace.root } }),
  });
  const recorded: Frame[] = [];
  const start = () => startAppServer(home, scenario.answer ?? (() => undefined));
  let codex = await start();
  const stop = async (running: AppServer) => {
    await running.stop();
    recorded.push(...running.frames);
  };
  const stage = {
    model,
    cwd: workspace.root,
    get codex() {
      return codex;
    },
    async thread() {
      const settings = { cwd: workspace.root, approvalsReviewer: 'user', ...scenario.thread };
      const { thread } = await codex.request<{ thread: { id: string } }>('thread/start', settings);
      return thread.id;
    },
    async turn(threadId: string, text = name) {
      const { turn } = await startTurn(codex, threadId, text);
      await codex.told('turn/completed', (told) => (told.turn as { id: string }).id === turn.id);
    },
    async restart() {
      await stop(codex);
      codex = await start();
      return codex;
    },
  };
  try {
    await (scenario.act ?? (async ({ thread, turn }) => turn(await thread())))(stage);
  } finally {
    await stop(codex);
    await model.stop();
    home.remove();
    workspace.remove();
  }
  const { root } = workspace;
  return scrub(recorded, { cwd: root, folder: basename(root), home: home.env.CODEX_HOME ?? '', model: model.url });
}
