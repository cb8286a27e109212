/** The trials of `npm run versus` that are no tests of their own elsewhere, in their short form, on our own server. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { tenon } from '../../versus/servers/tenon';
import { scaleFor } from '../../versus/trial';
import { advisories } from '../../versus/trials/advisories';
import { fullDisk } from '../../versus/trials/full-disk';
import { httpAttacks } from '../../versus/trials/http-attacks';
import { injectedErrors } from '../../versus/trials/injected-errors';
import { sandboxEscapes } from '../../versus/trials/sandbox-escapes';

const LIMIT_MS = 120_000;

describe.skipIf(process.platform !== 'linux')('in short', () => {
  beforeAll(() => {
    // As shipped, unlike in the other tests: with the sandbox, where there is one.
    vi.stubEnv('TENON_SANDBOX', 'auto');
    return tenon.prepare();
  });
  afterAll(() => vi.unstubAllEnvs());

  for (const trial of [advisories, httpAttacks, fullDisk, injectedErrors, sandboxEscapes])
    it(
      `holds: ${trial.name}`,
      async () => {
        const figure = await trial.run(tenon, scaleFor(tenon, { isQuick: true }));
        expect(Object.entries(figure).filter(([, { holds }]) => holds === false)).toEqual([]);
      },
      LIMIT_MS,
    );
});
