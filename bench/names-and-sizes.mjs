// Reads the names in a directory, sorts them, and looks at the first of them for their sizes, over and over, and prints
// how long each time took, in ms: no call, no wall, no answer. What a listing with sizes takes in Node at least.
// node bench/names-and-sizes.mjs COUNT WARM-UPS ENTRIES DIRECTORY
import { lstatSync, opendirSync } from 'node:fs';

const [count, warmUps, entries] = process.argv.slice(2, 5).map(Number);
const NAMES_PER_READ = 128;

process.chdir(process.argv[5]);
const times = Array.from({ length: warmUps + count }, () => {
  const started = performance.now();
  const files = names()
    .slice(0, entries)
    .map((path) => ({ path, type: 'file', size: lstatSync(path).size }));
  if (JSON.stringify(files).length < entries) throw new Error('too few');
  return performance.now() - started;
});
process.stdout.write(JSON.stringify(times.slice(warmUps)));

function names() {
  const found = [];
  const directory = opendirSync('.', { bufferSize: NAMES_PER_READ });
  for (let entry = directory.readSync(); entry !== null; entry = directory.readSync())
    if (entry.isFile()) found.push(entry.name);
  directory.closeSync();
  return found.sort();
}
