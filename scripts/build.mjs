// Bundles the binary: minified CommonJS, which starts faster than the same code as ES modules. What a client waits for
// at the start is in one small file; the packages stand beside it and are loaded when they are first needed.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { atFirstUse, fromFile, withoutTranslations, withoutTransports } from './build-plugins.mjs';

const home = join(dirname(fileURLToPath(import.meta.url)), '..');
const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
const zod = /^zod(?:\/v4)?$/;
const sdkCore = /^@modelcontextprotocol\/core\/internal$/;
/** Those that cost milliseconds, and that no opening message needs. */
const builtins =
  /^node:(?:child_process|cluster|crypto|http|net|os|readline\/promises|timers\/promises|v8|vm|worker_threads)$/;

await Promise.all([
  bundle('zod', { stdin: { contents: "export * from 'zod'", resolveDir: home }, plugins: [withoutTranslations] }),
  bundle('pino', {
    stdin: { contents: "export { pino } from 'pino'", resolveDir: home },
    plugins: [withoutTransports],
  }),
  bundle('sdk-core', { entryPoints: ['src/mcp/sdk-core.ts'], plugins: [fromFile(zod, './zod.cjs')] }),
  bundle('sdk', {
    entryPoints: ['src/mcp/sdk.ts'],
    plugins: [fromFile(zod, './zod.cjs'), fromFile(sdkCore, './sdk-core.cjs'), atFirstUse(builtins)],
    // The SDK carries a JSON Schema validator that its low-level server never calls.
    alias: { '@modelcontextprotocol/server/_shims': './src/mcp/sdk-shims.ts' },
  }),
  bundle('staging-process', { entryPoints: ['src/services/files/staging-process.ts'] }),
  bundle('reading-thread', { entryPoints: ['src/services/files/reading-thread.ts'] }),
  // Whole by itself: the classes of its errors must be the ones that are thrown.
  bundle('acp', {
    entryPoints: ['src/compose/acp.ts'],
    plugins: [fromFile(zod, './zod.cjs'), fromFile(/^pino$/, './pino.cjs'), fromFile(/\/mcp\/sdk$/, './sdk.cjs')],
  }),
]);
// The tools and services, loaded when a client has its list of tools.
await bundle('engine', {
  entryPoints: ['src/compose/engine.ts'],
  plugins: [atFirstUse(zod, './zod.cjs'), fromFile(/^pino$/, './pino.cjs'), atFirstUse(builtins)],
});
// Last: its time says whether the build is stale.
await bundle('tenon', {
  entryPoints: ['src/index.ts'],
  banner: { js: '#!/usr/bin/env node' },
  plugins: [
    atFirstUse(zod, './zod.cjs'),
    fromFile(/^pino$/, './pino.cjs'),
    fromFile(/\/mcp\/sdk$/, './sdk.cjs'),
    fromFile(/\/mcp\/sdk-core$/, './sdk-core.cjs'),
    fromFile(/\/compose\/acp$/, './acp.cjs'),
    fromFile(/\/compose\/engine$/, './engine.cjs'),
    atFirstUse(builtins),
  ],
});

function bundle(name, options) {
  return build({
    absWorkingDir: home,
    outfile: `dist/${name}.cjs`,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    define: { TENON_VERSION: JSON.stringify(version) },
    logLevel: 'warning',
    ...options,
  });
}
