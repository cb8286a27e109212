// How the bundles refer to each other and to Node: by file, and where it counts, at first use.

/** What matches is not bundled but required from a file beside the bundle. */
export function fromFile(filter, file) {
  return {
    name: 'from-file',
    setup(bundler) {
      bundler.onResolve({ filter }, () => ({ path: file, external: true }));
    },
  };
}

/**
 * What matches is required, from `file` or as itself, when one of its members is first asked for. The importer sees an
 * object without members of its own whose prototype fetches them: esbuild keeps the prototype of a CommonJS module. A
 * member that was fetched once stays with the importer.
 */
export function atFirstUse(filter, file) {
  const namespace = `at-first-use-${filter.source}`;
  return {
    name: 'at-first-use',
    setup(bundler) {
      bundler.onResolve({ filter }, ({ path, namespace: importer }) =>
        importer === namespace ? { path: file ?? path, external: true } : { path, namespace },
      );
      bundler.onLoad({ filter: /./, namespace }, ({ path }) => ({
        contents: `module.exports = Object.create(new Proxy({}, {
          get(_, name, importer) {
            const value = require('${path}')[name];
            Object.defineProperty(importer, name, { value });
            return value;
          },
        }));`,
        loader: 'js',
      }));
    },
  };
}

/** zod re-exports its error messages in all languages; nobody reads them here. */
export const withoutTranslations = {
  name: 'without-translations',
  setup(bundler) {
    bundler.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({ contents: 'export {}' }));
  },
};

/** The logger can hand its lines to other threads; ours writes them itself. A quarter of its loading is for that. */
export const withoutTransports = {
  name: 'without-transports',
  setup(bundler) {
    bundler.onLoad({ filter: /pino[\\/]lib[\\/]transport\.js$/ }, () => ({ contents: '' }));
    bundler.onResolve({ filter: /^assert$/, namespace: 'file' }, ({ path }) => ({ path, namespace: 'when-called' }));
    bundler.onLoad({ filter: /./, namespace: 'when-called' }, ({ path }) => ({
      contents: `module.exports = (...values) => require('node:${path}')(...values);`,
    }));
  },
};
