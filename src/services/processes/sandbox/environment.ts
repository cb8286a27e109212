/**
 * The environment inside: the one every command gets, with the private home in place of the person's, a PATH of
 * folders that are there, and what the network may need: certificates and proxies, these only without credentials.
 */
import { join } from 'node:path';
import { PRIVATE_HOME } from './system-view';
import { lookAtPath, resolveLinks, type View } from './view';

const CERTIFICATE_VARIABLES = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'PIP_CERT',
  'GIT_SSL_CAINFO',
];
const PROXY_VARIABLES = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'].flatMap((name) => [
  name,
  name.toUpperCase(),
]);

type Variables = Readonly<Record<string, string>>;

export function environmentInside(given: Variables, network: Variables, view: View): Variables {
  const { HOME: _home, TMPDIR: _tmp, SHELL: shell, PATH: path = '', ...rest } = given;
  const visible = path.split(':').filter((directory) => view.showsDirectory(directory));
  return {
    ...rest,
    ...network,
    ...(shell !== undefined && view.shows(shell) ? { SHELL: shell } : {}),
    PATH: visible.join(':'),
    HOME: PRIVATE_HOME,
    npm_config_cache: join(PRIVATE_HOME, '.cache/npm'),
  };
}

/** Shows the certificate files that lie elsewhere, and gives the variables to pass on. */
export function networkVariables(server: NodeJS.ProcessEnv, view: View): Variables {
  const certificates = CERTIFICATE_VARIABLES.flatMap((name) => {
    const path = server[name];
    return path !== undefined && showCertificates(path, view) ? [[name, path]] : [];
  });
  const proxies = PROXY_VARIABLES.flatMap((name) => {
    const value = server[name];
    return value === undefined || value === '' || value.includes('@') ? [] : [[name, value]];
  });
  return Object.fromEntries([...certificates, ...proxies]);
}

/** A single file is shown where it lies; a folder only where it is there anyway. */
export function showCertificates(path: string, view: View): boolean {
  if (view.shows(path)) return true;
  const real = path.startsWith('/') ? resolveLinks(path) : undefined;
  if (real === undefined || !lookAtPath(real)?.isFile()) return false;
  view.readOnly(path, real);
  return true;
}
