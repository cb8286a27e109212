/** An editor, the bridge, the real Codex and a model that follows a script: everything but the model is real. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { type AcpClient, type AcpClientOptions, openAcpClient } from '../harness/acp-client';
import { agentFrameProblems } from '../harness/acp-frames';
import { makeWorkspace, type Workspace } from '../harness/workspace';
import { type CodexHome, makeCodexHome } from './codex-home';
import { CODEX, install } from './foreign';
import type { ModelItem } from './model-items';
import type { Script, ScriptedStep } from './model-script';
import { type ScriptedModel, startScriptedModel } from './scripted-model';

export interface AcpStage {
  readonly workspace: Workspace;
  readonly model: ScriptedModel;
  /** Another editor with the same Codex home, as after a restart. */
  open(options?: Omit<AcpClientOptions, 'env'>): Promise<AcpClient>;
  /** Ends everything, and has seen that all that the bridge said was valid. */
  close(): Promise<void>;
}

export async function setStage(
  script: (workspace: Workspace) => Script,
  files: Readonly<Record<string, string>> = {},
): Promise<AcpStage> {
  const workspace = makeWorkspace({ ...files });
  const model = await startScriptedModel(script(workspace));
  const home = await makeCodexHome({ modelUrl: model.url });
  const env = await environmentOf(home);
  const clients: AcpClient[] = [];
  return {
    workspace,
    model,
    async open(options = {}) {
      const client = await openAcpClient({ ...options, env });
      clients.push(client);
      return client;
    },
    async close() {
      const problems = clients.flatMap(({ frames }) => agentFrameProblems(frames));
      for (const client of clients) await client.stop();
      await model.stop();
      home.remove();
      workspace.remove();
      expect(problems).toEqual([]);
    },
  };
}

async function environmentOf(home: CodexHome): Promise<NodeJS.ProcessEnv> {
  return { ...home.env, CODEX_PATH: join(await install(CODEX), 'bin', 'codex.js') };
}

export type Route = 'dynamic' | 'mcp';
export const ROUTES: readonly Route[] = ['dynamic', 'mcp'];

/** A call of one of our tools, as a model makes it on each of the two ways. */
export function toolCall(route: Route, tool: string, args: object): ModelItem {
  return { call: tool, arguments: args, ...(route === 'mcp' && { namespace: 'mcp__tenon_bridge' }) };
}

export const says = (...items: ModelItem[]): ScriptedStep => ({ items });
export const BYE = says({ say: ['Done', '.'] });

export const runs = (cmd: string, more: object = {}): ScriptedStep =>
  says({ call: 'exec_command', arguments: { cmd, ...more } });

/** A command that asks to be let out of the sandbox. */
export const asksToRun = (cmd: string): ScriptedStep =>
  runs(cmd, { sandbox_permissions: 'require_escalated', justification: 'May this run?' });

export const patches = (...lines: string[]): ScriptedStep =>
  says({ custom: 'apply_patch', input: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n') });
