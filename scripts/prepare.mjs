// Installs and builds what is missing or stale, and nothing else: the second run costs a few stat calls.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const home = join(dirname(fileURLToPath(import.meta.url)), '..');
const installedMark = join(home, 'node_modules', '.tenon-installed');
const bundle = join(home, 'dist', 'tenon.cjs');

export function prepare() {
  refuseOldNode();
  if (!isInstalled()) install();
  if (!isBuilt()) run(process.execPath, [join(home, 'scripts', 'build.mjs')], 'build');
}

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`Tenon needs Node.js 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exit(1);
}

function isInstalled() {
  return existsSync(installedMark) && readFileSync(installedMark, 'utf8') === lockDigest();
}

function install() {
  process.stderr.write('Installing dependencies (first run only) …\n');
  const npm = process.env.npm_execpath;
  // Not `npm ci`: it refuses a lock that does not list the binaries of every platform, and some registries lack some.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  // npm ≥ 7 names its own script in npm_execpath; without it, `npm` on the PATH serves.
  if (npm?.endsWith('.js')) run(process.execPath, [npm, ...args], 'npm install');
  else run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, 'npm install');
  mkdirSync(dirname(installedMark), { recursive: true });
  writeFileSync(installedMark, lockDigest());
}

function lockDigest() {
  return createHash('sha256')
    .update(readFileSync(join(home, 'package-lock.json')))
    .digest('hex');
}

function isBuilt() {
  if (!existsSync(bundle)) return false;
  const built = statSync(bundle).mtimeMs;
  return (
    newest(join(home, 'src')) < built && newest(join(home, 'scripts')) < built && mtime('package-lock.json') < built
  );
}

function newest(folder) {
  let latest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return latest;
}

function mtime(name) {
  return statSync(join(home, name)).mtimeMs;
}

function run(command, args, what) {
  const done = spawnSync(command, args, { cwd: home, stdio: ['ignore', 2, 2], shell: command.endsWith('.cmd') });
  if (done.status === 0) return;
  process.stderr.write(`${what} failed${done.error ? `: ${done.error.message}` : ''}.\n`);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) prepare();
