import { it } from 'vitest';
import { makeWorkspace } from '../harness/workspace';
import { makeCodexHome } from './codex-home';
import { run } from './run';
import { startScriptedModel } from './scripted-model';
it('probe', async () => {
  const workspace = makeWorkspace({ 'a.txt': 'one\n' });
  const model = await startScriptedModel([
    { tool: 'read_text_file', arguments: { path: workspace.path('a.txt') } },
    { tool: 'mkdir', arguments: { dir: 'made' } },
    { tool: 'write_file', arguments: { path: 'b.txt', content: 'x' } },
    { tool: 'write_memory_entry', arguments: { file: 'best_practices.md', entry: 'x' } },
  ]);
  const home = await makeCodexHome({ root: workspace.root, modelUrl: model.url });
  const [program, launcher] = home.command;
  const ended = await run(program, [launcher, 'exec', '--json', '--skip-git-repo-check', 'go'], { limitMs: 60000, env: home.env, cwd: workspace.root });
  console.log(ended.code, ended.stdout, ended.stderr);
  console.log(model.outputs());
  await model.stop(); home.remove(); workspace.remove();
});
