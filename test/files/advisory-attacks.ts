/** The longer attacks of the advisories, on our tools. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { almost } from '../../versus/advisories/paths';
import { startAttack } from '../../versus/attack';
import { sampleCalls } from '../contract/sample-calls';
import { type AdvisoryStage, PATH_CALLS } from './advisory-stage';

export type Call = readonly [tool: string, args: object];

const RACE_CALLS = 500;
export function plantLink(stage: AdvisoryStage, name: string, target: string): void {
  mkdirSync(dirname(stage.workspace.path(name)), { recursive: true });
  symlinkSync(target, stage.workspace.path(name));
}

/** Calls on a file in a folder that changes places with a link to the outside; gives the codes that were answered. */
export async function race(stage: AdvisoryStage, folder: string, calls: (file: string) => Call[]): Promise<unknown[]> {
  stage.workspace.write(`${folder}/f`, 'inside');
  plantLink(stage, `${folder}-link`, '../out');
  const codes = new Set<unknown>();
  await stage.unharmed(async () => {
    const attack = await startAttack([[stage.workspace.path(folder), stage.workspace.path(`${folder}-link`)]]);
    try {
      for (let done = 0; done < RACE_CALLS; ) {
        const batch = calls(`${folder}/f`);
        done += batch.length;
        for (const code of await Promise.all(batch.map((call) => stage.codeOf(...call)))) codes.add(code);
      }
    } finally {
      await attack.stop();
    }
  });
  return [...codes];
}

/** Calls with this text in each text parameter; `evil.txt` holds it, and is searched for what almost matches. */
export function callsWith(evil: string, { workspace }: AdvisoryStage): Call[] {
  const near = { old_string: almost(evil), new_string: 'x' };
  const path = workspace.path('evil.txt');
  return [
    ...sampleCalls(workspace).flatMap(({ tool, succeeds }) =>
      variants(succeeds, evil).map((args): Call => [tool, args]),
    ),
    ...PATH_CALLS.map(({ tool, field, others }): Call => [tool, { ...others, [field]: `/${evil}` }]),
    ['run_command', { command: 'node', cwd: evil }],
    ['edit_text_file', { path, ...near }],
    ['edit_file', { file: 'evil.txt', find: near.old_string, replace: 'x' }],
    ['multi_edit_text_file', { path, edits: [near] }],
  ];
}

/** The arguments once for each text in them, with that one replaced. */
function variants<T extends object>(value: T, text: string): T[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const replaced = typeof inner === 'string' ? [text] : typeof inner === 'object' ? variants(inner, text) : [];
    return replaced.map(
      (each) => Object.assign(Array.isArray(value) ? [...value] : { ...value }, { [key]: each }) as T,
    );
  });
}
