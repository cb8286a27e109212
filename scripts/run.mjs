// Runs a TypeScript script of this repository: bundles it into .cache/ and imports the result.
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { home } from './prepare.mjs';

const [script, ...rest] = process.argv.slice(2);
const outfile = join(home, '.cache', 'scripts', `${script.replaceAll(/[/\\]/g, '-')}.mjs`);
await build({
  absWorkingDir: home,
  entryPoints: [resolve(script)],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  packages: 'external',
  define: { TENON_VERSION: '"0.0.0"' },
  logLevel: 'warning',
});
process.argv.splice(1, process.argv.length, outfile, ...rest);
await import(pathToFileURL(outfile).href);
