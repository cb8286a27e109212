import { commandAttempts, environmentAttempt, FORBIDDEN_PROGRAM } from '../advisories/command-attempts';
import { LOADING_VARIABLES } from '../advisories/commands';
import { fileAttempts } from '../advisories/file-attempts';
import { type Ground, withGround } from '../advisories/ground';
import { tryHttp } from '../advisories/http-attempts';
import { ADVISORIES } from '../advisories/list';
import { tryRace } from '../advisories/race-attempts';
import type { Attempt, Verdict } from '../advisories/verdict';
import type { LaunchOptions, Server } from '../server';
import type { Cell, Trial } from '../trial';

const ROW = `${ADVISORIES.length} published advisories, the same attacks: refused, of those that apply`;

export const advisories: Trial = {
  name: 'advisories',
  what: 'The attacks of [the advisories](advisories.md), each with the tools that a server has for it: file tools with paths that lead outside in some way, commands where it runs any, HTTP where it has such a door. Outside lie decoys only. An attack counts as refused when nothing outside was told or changed; it does not apply where a server has no tool to try it on, or no rule that could be got around. Number 22 concerns Windows and is not tried here. Commands of our server run in its sandbox with the network off; a server with a list of forbidden programs has one of them (`touch`) on it.',
  async run(server, scale) {
    const verdicts = new Map<number, Verdict>([[22, 'does not apply']]);
    for (const advisory of [3, 24]) verdicts.set(advisory, await tryRace(server, scale, advisory));
    for (const advisory of [17, 18, 19]) verdicts.set(advisory, await tryHttp(server, advisory));
    const { isQuick } = scale;
    await tryAll(server, { isQuick, network: 'off', blocked: [FORBIDDEN_PROGRAM] }, commandAttempts, verdicts);
    await tryAll(server, { isQuick, env: LOADING_VARIABLES }, [environmentAttempt], verdicts);
    await tryAll(server, { isQuick }, fileAttempts, verdicts);
    return { [ROW]: sum(verdicts) };
  },
};

async function tryAll(
  server: Server,
  options: LaunchOptions & { isQuick: boolean },
  attempts: readonly Attempt[],
  verdicts: Map<number, Verdict>,
): Promise<void> {
  const all = async (ground: Ground) => {
    for (const { advisory, run } of attempts) verdicts.set(advisory, await run(ground));
  };
  await withGround(server, options, all);
}

function sum(verdicts: ReadonlyMap<number, Verdict>): Cell {
  const missing = ADVISORIES.filter(({ number }) => !verdicts.has(number));
  if (missing.length > 0) throw new Error(`not tried: ${missing.map(({ number }) => number).join(', ')}`);
  const rows = ADVISORIES.map((advisory) => ({ ...advisory, verdict: verdicts.get(advisory.number) ?? '' }));
  const refused = rows.filter(({ verdict }) => verdict === 'refused').length;
  const absent = rows.filter(({ verdict }) => verdict === 'does not apply').map(({ number }) => number);
  const through = rows.filter(({ verdict }) => verdict.startsWith('got through'));
  return {
    text: `${refused} of ${refused + through.length} refused`,
    holds: through.length === 0,
    notes: [
      ...(absent.length > 0 ? [`do not apply: ${absent.join(', ')}`] : []),
      ...through.map(({ number, verdict }) => `${number} ${verdict}`),
    ],
  };
}
