/**
 * The system as a command sees it, by a list of what is there, not of what is hidden: programs and libraries, the few
 * files of /etc that they need, and a /proc, /dev, /tmp and home of its own. There is no /var, /run, /root or /home, no
 * host key, no password file, and no socket of a service.
 */
import { accessSync, constants, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { lookAtPath, resolveLinks, type View } from './view';

/** A place that no workspace has: a root may be /tmp or a home itself. */
export const PRIVATE_HOME = '/sandbox-home';

const PROGRAM_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
const OTHER_FOLDERS = ['/opt', '/nix/store', '/gnu/store', '/snap'];
const ETC_ENTRIES = [
  'alternatives',
  'ca-certificates',
  'crypto-policies',
  'fonts',
  'group',
  'host.conf',
  'hosts',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'lsb-release',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'passwd',
  'pki/ca-trust',
  'pki/tls/cert.pem',
  'pki/tls/certs',
  'pki/tls/openssl.cnf',
  'protocols',
  'python3',
  'resolv.conf',
  'services',
  'ssl/cert.pem',
  'ssl/certs',
  'ssl/openssl.cnf',
];
const MAX_COPIED_BYTES = 128 * 1024;
const MAX_COPIED_FILES = 4;
const TMP_BYTES = String(1024 ** 3);
const SHARED_MEMORY_BYTES = String(64 * 1024 ** 2);

export function showSystem(view: View): void {
  view.readOnly('/usr');
  for (const folder of PROGRAM_FOLDERS) {
    const found = lookAtPath(folder);
    if (found?.isSymbolicLink()) view.link(folder, readlinkSync(folder));
    else if (found?.isDirectory()) view.readOnly(folder);
  }
  for (const folder of OTHER_FOLDERS) if (lookAtPath(folder)?.isDirectory()) view.readOnly(folder);
  showEtc(view);
  view.add(
    ['--proc', '/proc'],
    ['--dev', '/dev'],
    ['--size', SHARED_MEMORY_BYTES],
    ['--tmpfs', '/dev/shm'],
    // Without this the device folder is a place of unlimited size.
    ['--remount-ro', '/dev'],
    ['--perms', '1777'],
    ['--size', TMP_BYTES],
    ['--tmpfs', '/tmp'],
    ['--dir', '/var'],
    ['--symlink', '../tmp', '/var/tmp'],
    ['--dir', '/run'],
    ['--perms', '0700'],
    ['--size', TMP_BYTES],
    ['--tmpfs', PRIVATE_HOME],
  );
}

function showEtc(view: View): void {
  view.add(['--perms', '0755'], ['--dir', '/etc']);
  for (const entry of [...ETC_ENTRIES, ...javaFolders()]) {
    const path = `/etc/${entry}`;
    // By the real place: some are links to where services keep them, which is not there.
    const real = resolveLinks(path);
    if (real !== undefined) showEntry(view, path, real);
  }
}

/** In the cheapest way that shows the same: mounts are what the start of a command waits for. */
function showEntry(view: View, path: string, real: string): void {
  const files = copiableFiles(real);
  if (real !== path && view.shows(real)) view.link(path, real);
  else if (files === undefined) view.readOnly(path, real);
  else for (const file of files) view.file(path + file.slice(real.length), file);
}

/** The file itself, or those of a folder of a few; undefined where their copies would cost more than a mount. */
function copiableFiles(path: string): string[] | undefined {
  const found = lookAtPath(path);
  if (found?.isFile()) return found.size <= MAX_COPIED_BYTES && isReadable(path) ? [path] : undefined;
  if (!found?.isDirectory() || !isReadable(path)) return undefined;
  const names = readdirSync(path);
  if (names.length === 0 || names.length > MAX_COPIED_FILES) return undefined;
  const files = names.map((name) => copiableFiles(join(path, name)));
  return files.every((each) => each !== undefined) ? files.flat() : undefined;
}

/** A mount shows what is not ours to read as well. */
function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function javaFolders(): string[] {
  return readdirSync('/etc').filter((name) => /^java(?:-\d|$)/.test(name));
}
