/** Fails on a promise that no test cites, and on a citation of a promise that does not exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requirements } from '../test/requirements';

/** At the end of a test's title. */
const CITATION =
  /\[((?:editor|workspace|repo|bridge|every)\.[\w.-]+(?:[,\s]+(?:editor|workspace|repo|bridge|every)\.[\w.-]+)*)\](?=['"`])/g;

const cited = new Map<string, string>();
for (const file of testFiles('test'))
  for (const [, ids = ''] of readFileSync(file, 'utf8').matchAll(CITATION))
    for (const id of ids.split(/[,\s]+/)) cited.set(id, file);

const uncited = Object.entries(requirements).filter(([id]) => !cited.has(id));
const unknown = [...cited].filter(([id]) => !(id in requirements));
for (const [id, promise] of uncited) process.stderr.write(`no test cites [${id}]: ${promise}\n`);
for (const [id, file] of unknown) process.stderr.write(`${file} cites [${id}], which is not listed\n`);
if (uncited.length + unknown.length > 0) process.exit(1);
process.stdout.write(`requirements: all ${Object.keys(requirements).length} promises are cited by a test\n`);

function* testFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* testFiles(path);
    else if (entry.name.endsWith('.test.ts')) yield path;
  }
}
