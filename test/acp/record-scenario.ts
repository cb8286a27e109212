/** Drives one scenario with the real `codex app-server`; gives the lines of its recording. */
import { basename } from 'node:path';
import { makeWorkspace } from '../harness/workspace';
import { type AppServer, type Frame, startAppServer } from '../long/app-server';
import { makeCodexHome } from '../long/codex-home';
import { startScriptedModel } from '../long/scripted-model';
import { scrub } from './scrub-traffic';
import { type Scenario, startTurn } from './traffic-scenarios';

export async function recordScenario(name: string, scenario: Scenario): Promise<string[]> {
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
