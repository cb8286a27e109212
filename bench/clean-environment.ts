/**
 * The environment that everything on trial gets. The settings of whoever runs the bench are not the servers', and
 * Node's own change what is measured: NODE_EXTRA_CA_CERTS alone more than doubles the start of Node 20.
 */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:TENON|NODE)_/.test(name)));
}
