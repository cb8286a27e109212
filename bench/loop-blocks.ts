/** How long the heaviest calls keep the event loop from everybody else. */
import { officialCalls, tenonCalls } from './adapters';
import { OFFICIAL, OURS } from './contestants';
import { type Heavy, heavyCalls } from './heavy-calls';
import { openProbedSession, type ProbedSession, type Watched, watchFirstOverHttp } from './probed-session';
import type { Stage } from './stage';

export interface HeavyResult {
  readonly what: string;
  /** By contestant, all rounds; a word where there is no figure. */
  readonly by: Readonly<Record<string, readonly Watched[] | string>>;
}

const ROUNDS = 3;

export async function measureBlocks(stage: Stage): Promise<HeavyResult[]> {
  const results: HeavyResult[] = [];
  for (const heavy of heavyCalls(stage)) results.push({ what: heavy.what, by: await watchAll(heavy, stage) });
  const first: Watched[] = [];
  for (let round = 0; round < ROUNDS; round++) first.push(await watchFirstOverHttp(stage));
  return [...results, { what: 'the first requests over HTTP', by: { [OURS]: first } }];
}

async function watchAll(heavy: Heavy, stage: Stage): Promise<HeavyResult['by']> {
  const ours = await watchRounds(heavy, { name: OURS, stage, rounds: heavy.rounds ?? ROUNDS });
  if (heavy.isOursAlone) return { [OURS]: ours };
  return { [OURS]: ours, [OFFICIAL]: await watchRounds(heavy, { name: OFFICIAL, stage, rounds: 1 }) };
}

export interface Rounds {
  readonly name: string;
  readonly stage: Stage;
  readonly rounds: number;
}

/** Each round in a fresh server. */
export async function watchRounds(heavy: Heavy, { name, stage, rounds }: Rounds): Promise<Watched[] | string> {
  const watched: Watched[] = [];
  for (let round = 0; round < rounds; round++) {
    heavy.prepare();
    const session = await openProbedSession(name, stage);
    try {
      watched.push(await watchOnce(session, heavy, name, stage));
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      await session.kill();
    }
  }
  return watched;
}

function watchOnce(session: ProbedSession, heavy: Heavy, name: string, stage: Stage): Promise<Watched> {
  const call = heavy.call(name === OURS ? tenonCalls(stage.root) : officialCalls());
  if (!call) throw new Error('no tool');
  return session.watch([call].flat(), { mayFail: heavy.mayFail ?? false });
}
