/**
 * Runs the same trials on this server and on its peers, through their MCP doors.
 *
 *   npm run versus                            all trials on all servers; writes docs/versus.md
 *   npm run versus -- --quick                 small counts, under two minutes; prints the table only
 *   npm run versus -- --only NAME --server NAME   one trial, one server; refreshes their part of docs/versus.md
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadFigures, type Measured, saveFigures } from './figures';
import { cache } from './places';
import { printTable, writeReport } from './report';
import type { Server } from './server';
import { servers } from './servers/all';
import { notRun, scaleFor, type Trial } from './trial';
import { trials } from './trials/all';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    server: { type: 'string', multiple: true },
  },
});
const chosenTrials = choose(trials, values.only, 'trial');
const chosenServers = choose(servers, values.server, 'server');

const measured: Measured[] = [];
for (const server of chosenServers) await server.prepare();
try {
  for (const trial of chosenTrials)
    for (const server of chosenServers) if (takesPart(trial, server)) measured.push(await measure(trial, server));
} finally {
  rmSync(join(cache, 'homes'), { recursive: true, force: true });
}
process.stdout.write(`${printTable(measured, chosenTrials, chosenServers)}\n`);
if (!values.quick) {
  saveFigures(measured);
  writeReport(loadFigures(), trials, servers);
}
const isBroken = measured.some(({ server, figure }) => server === 'tenon' && Object.values(figure).some(breaks));
process.exit(isBroken ? 1 : 0);

async function measure(trial: Trial, server: Server): Promise<Measured> {
  process.stderr.write(`${trial.name} on ${server.name} … `);
  const started = performance.now();
  const scale = scaleFor(server, { isQuick: values.quick });
  const figure = await trial.run(server, scale).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    return { [trial.name]: notRun(`the trial itself failed: ${error instanceof Error ? error.message : error}`) };
  });
  process.stderr.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  return { trial: trial.name, server: server.name, date: new Date().toISOString().slice(0, 10), figure };
}

/** A slow server that is named takes part in everything. */
function takesPart(trial: Trial, { name, isSlow = false }: Server): boolean {
  return !values.quick || !isSlow || trial.isLight === true || values.server?.includes(name) === true;
}

function breaks({ holds }: { holds: boolean | undefined }): boolean {
  return holds === false;
}

function choose<T extends { name: string }>(
  all: readonly T[],
  names: readonly string[] | undefined,
  kind: string,
): T[] {
  for (const name of names ?? [])
    if (!all.some((each) => each.name === name)) {
      process.stderr.write(`There is no ${kind} ${name}; there are: ${all.map((each) => each.name).join(', ')}\n`);
      process.exit(2);
    }
  return all.filter(({ name }) => names === undefined || names.includes(name));
}
