// Bundles the binary: one minified CommonJS file, which starts faster than the same code as ES modules.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const home = join(dirname(fileURLToPath(import.meta.url)), '..');
const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));

await build({
  absWorkingDir: home,
  entryPoints: ['src/index.ts'],
  outfile: 'dist/tenon.cjs',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  minify: true,
  legalComments: 'none',
  banner: { js: '#!/usr/bin/env node' },
  define: { TENON_VERSION: JSON.stringify(version) },
  // The SDK carries a JSON Schema validator that its low-level server never calls.
  alias: { '@modelcontextprotocol/server/_shims': './src/mcp/sdk-shims.ts' },
  logLevel: 'warning',
});
