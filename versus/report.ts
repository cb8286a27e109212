/** Makes the table of trials and servers: for the terminal, and as docs/versus.md. */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { repository } from '../test/harness/binary';
import type { Measured } from './figures';
import type { Server } from './server';
import type { Cell, Trial } from './trial';

export function writeReport(measured: readonly Measured[], trials: readonly Trial[], servers: readonly Server[]): void {
  const dates = measured.map(({ date }) => date).sort();
  const [first, last] = [dates[0] ?? '', dates.at(-1) ?? ''];
  const text = `# Against its peers

The same trials on Tenon and on three other file servers, each through its MCP door: stdio, or HTTP where the row says so. **Bold** marks a figure that breaks what the row asks for. "x of n": x failures in n tries; slow servers got fewer tries. "no tool", "has no commands", "has no HTTP door": the server does not offer that. "–": can be tried on our own code only.

Measured ${first === last ? `on ${first}` : `from ${first} to ${last}`} with Node.js ${process.versions.node} (filesystem-mcp: 24.21.0) on ${process.platform} ${process.arch}, ${cpus().length} cores. Races depend on the machine: the figures of another run differ, zero stays zero. A run with \`--only\` replaces the rows of its trial and keeps the others.

To repeat: \`npm run versus\` (everything, about half an hour), \`npm run versus -- --quick\` (small counts, about two minutes; desktop-commander, which takes seconds to start, only in the trials that start few servers), \`npm run versus -- --only ${trials[0]?.name} --server tenon\`. It needs Linux; gcc, strace, and root for the trials that mount a file system. What is missing is said in the table.

${table(measured, trials, servers)}

## What each trial does

${trials.map((trial) => section(trial, measured, servers)).join('\n\n')}
`;
  writeFileSync(join(repository, 'docs', 'versus.md'), text);
}

export function printTable(
  measured: readonly Measured[],
  trials: readonly Trial[],
  servers: readonly Server[],
): string {
  const notes = measured.flatMap(({ trial, server, figure }) =>
    Object.values(figure).flatMap((cell) => (cell.notes ?? []).map((note) => `${trial}, ${server}: ${note}`)),
  );
  return [table(measured, trials, servers), '', ...new Set(notes)].join('\n');
}

function table(measured: readonly Measured[], trials: readonly Trial[], servers: readonly Server[]): string {
  const head = ['trial', ...servers.map(({ name, version }) => `${name} ${version}`)];
  const rows = trials.flatMap((trial) =>
    rowNames(trial, measured).map((row) => [
      row,
      ...servers.map((server) => show(cellOf(measured, trial, server, row))),
    ]),
  );
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** In the order in which our own figure has them; then what only others have. */
function rowNames(trial: Trial, measured: readonly Measured[]): string[] {
  return [
    ...new Set(measured.filter((each) => each.trial === trial.name).flatMap(({ figure }) => Object.keys(figure))),
  ];
}

function cellOf(measured: readonly Measured[], trial: Trial, server: Server, row: string): Cell | undefined {
  return measured.find((each) => each.trial === trial.name && each.server === server.name)?.figure[row];
}

function show(cell: Cell | undefined): string {
  if (!cell) return '–';
  return cell.holds === false ? `**${cell.text}**` : cell.text;
}

function section(trial: Trial, measured: readonly Measured[], servers: readonly Server[]): string {
  const notes = servers.flatMap(({ name }) => {
    const figure = measured.find((each) => each.trial === trial.name && each.server === name)?.figure ?? {};
    const said = new Set(Object.values(figure).flatMap((cell) => cell.notes ?? []));
    return said.size === 0 ? [] : [`- ${name}: ${[...said].join('; ')}.`];
  });
  return [`### ${trial.name}`, '', trial.what, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}
