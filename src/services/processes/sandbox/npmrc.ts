/**
 * The part of an npmrc that commands may have: where packages come from and how the network is reached. Key by key,
 * from a list of the harmless ones. Never a credential, a value with a variable in it (which may be a credential), or
 * a setting that makes npm run or load something.
 */
const KEPT_KEYS = new Set([
  'registry',
  'cafile',
  'strict-ssl',
  'proxy',
  'https-proxy',
  'http-proxy',
  'noproxy',
  'no-proxy',
  'maxsockets',
  'fetch-retries',
  'fetch-retry-factor',
  'fetch-retry-mintimeout',
  'fetch-retry-maxtimeout',
  'fetch-timeout',
  'prefer-offline',
  'engine-strict',
  'legacy-peer-deps',
  'strict-peer-deps',
  'save-exact',
  'save-prefix',
  'package-lock',
  'omit-lockfile-registry-resolved',
  'ignore-scripts',
  'audit',
  'audit-level',
  'fund',
  'update-notifier',
  'yes',
  'loglevel',
]);
const SCOPE_REGISTRY = /^@[\w.~-]+:registry$/;

export function filterNpmrc(text: string): string {
  return text
    .split(/\r?\n/)
    .flatMap((line) => keptSetting(line) ?? [])
    .map((line) => `${line}\n`)
    .join('');
}

function keptSetting(line: string): string | undefined {
  const [, key, value] = /^\s*([^\s=;#[][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
  if (key === undefined || value === undefined) return undefined;
  if (!KEPT_KEYS.has(key) && !SCOPE_REGISTRY.test(key)) return undefined;
  // A user and password in an address stand before an @.
  if (/[$@]/.test(value)) return undefined;
  return `${key}=${value}`;
}
