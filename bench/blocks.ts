/**
 * One of the heaviest calls in many fresh servers, and the longest block of each.
 *
 *   npm run bench -- --only blocks '1,000 edits' 20
 */
import { contestant, OURS } from './contestants';
import { heavyCalls } from './heavy-calls';
import { watchRounds } from './loop-blocks';
import { partsOf } from './report/blocks-table';
import { figure, table } from './report/numbers';
import { makeStage } from './stage';

const [wanted = '', rounds = '12'] = process.argv.slice(2);
await contestant(OURS).prepare();
const stage = makeStage();
try {
  for (const heavy of heavyCalls(stage).filter(({ what }) => what.includes(wanted))) {
    const watched = await watchRounds(heavy, { name: OURS, stage, rounds: Number(rounds) });
    process.stdout.write(`\n${heavy.what}\n\n${typeof watched === 'string' ? watched : rowsOf(watched)}\n`);
  }
} finally {
  stage.remove();
}

function rowsOf(watched: Exclude<Awaited<ReturnType<typeof watchRounds>>, string>): string {
  const longestFirst = watched.toSorted((one, other) => other.block.ownMs - one.block.ownMs);
  return table(
    ['block, ms', 'without the machine’s part', 'computing + waiting for a processor', 'whole call'],
    longestFirst.map(({ block, ms }) => [figure(block.ms), figure(block.ownMs), partsOf(block), figure(ms)]),
  );
}
