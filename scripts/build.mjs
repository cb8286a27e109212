// Bundles the binary: one minified CommonJS file, which starts faster than the same code as ES modules.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const home = join(dirname(fileURLToPath(import.meta.url)), '..');
const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));

/**
 * zod says that its modules have no side effects. Where a module is loaded lazily, esbuild then forgets to run it for
 * its other users. All but the translations, which nobody uses, are therefore marked as having some.
 */
const runZod = {
  name: 'run-zod',
  setup(bundler) {
    bundler.onResolve({ filter: /./ }, async ({ path, pluginData, ...rest }) => {
      if (pluginData === 'seen' || !(path.startsWith('zod') || rest.resolveDir.includes('node_modules/zod'))) return;
      const found = await bundler.resolve(path, { ...rest, pluginData: 'seen' });
      return { ...found, sideEffects: !path.includes('locales') };
    });
  },
};

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
  plugins: [runZod],
  logLevel: 'warning',
});
