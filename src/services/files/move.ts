/**
 * Moves an entry. Without `overwrite` the new name is taken by a call that fails when the name exists (`link` for
 * files, `mkdir` for directories), so that two moves onto one name never both succeed.
 */
import { closeSync, linkSync, mkdirSync, openSync, rename, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { sep } from 'node:path';
import { promisify } from 'node:util';
import { Fault } from '../../contract/fault';
import { runGently } from '../../text/steps';
import { kindOf, lookAt } from './disk';
import { errnoOf } from './errno';
import type { Pin } from './pin';
import { countEntries } from './remove';
import { syncDirectoryAside } from './sync';

const renameAsync = promisify(rename);

/** What can be said of the source before anything is made for the target. */
export function refuseToMove(source: Pin): void {
  if (source.name === '')
    throw new Fault('invalid_path', { path: source.shown, problem: 'the workspace itself cannot be moved' });
  const stat = lookAt(source);
  if (!stat) throw new Fault('file_not_found', { path: source.shown });
  if (source.isDirectory && !stat.isDirectory())
    throw new Fault('invalid_path', { path: source.shown, problem: 'it ends with a slash, but is not a directory' });
}

export async function moveEntry(
  source: Pin,
  target: Pin,
  { overwrite }: { overwrite: boolean },
): Promise<{ overwritten: boolean }> {
  const moved = lookAt(source);
  if (!moved) throw new Fault('file_not_found', { path: source.shown });
  if (target.real === source.real || target.real.startsWith(source.real + sep))
    throw new Fault('into_itself', { path: source.shown, to: target.shown });
  const there = lookAt(target);
  if (target.isDirectory && !moved.isDirectory() && !there?.isDirectory())
    throw new Fault('invalid_path', {
      path: target.shown,
      problem: 'it ends with a slash, but a file is to be moved there',
    });
  if (there) await replace(source, target, { moved, there, overwrite });
  else take(source, target, moved.isDirectory());
  await syncDirectoryAside(target.directory);
  await syncDirectoryAside(source.directory);
  return { overwritten: there !== undefined };
}

type Stat = NonNullable<ReturnType<typeof lookAt>>;

async function replace(
  source: Pin,
  target: Pin,
  { moved, there, overwrite }: { moved: Stat; there: Stat; overwrite: boolean },
): Promise<void> {
  const isReplaceable = target.name !== '' && moved.isDirectory() === there.isDirectory();
  if (!overwrite || !isReplaceable) throw new Fault('already_exists', { path: target.shown, found: kindOf(there) });
  try {
    // By another thread: what is replaced is freed with it, and may be large.
    await renameAsync(source.at(), target.at());
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOTEMPTY' && errnoOf(thrown) !== 'EEXIST') throw thrown;
    throw new Fault('directory_not_empty', { path: target.shown, entries: await runGently(countEntries(target)) });
  }
}

function take(source: Pin, target: Pin, isDirectory: boolean): void {
  try {
    if (isDirectory) takeDirectory(source, target);
    else takeFile(source, target);
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST' || errnoOf(thrown) === 'ENOTEMPTY')
      throw new Fault('already_exists', { path: target.shown, found: kindOf(lookAt(target) ?? notThere) });
    if (errnoOf(thrown) === 'EINVAL') throw new Fault('into_itself', { path: source.shown, to: target.shown });
    throw thrown;
  }
}

function takeDirectory(source: Pin, target: Pin): void {
  mkdirSync(target.at());
  try {
    renameSync(source.at(), target.at());
  } catch (thrown) {
    rmdirSync(target.at());
    throw thrown;
  }
}

function takeFile(source: Pin, target: Pin): void {
  try {
    linkSync(source.at(), target.at());
  } catch (thrown) {
    // Some file systems have no hard links: an empty file then keeps the name until the rename.
    if (!['EPERM', 'ENOTSUP', 'EMLINK', 'ENOSYS'].includes(errnoOf(thrown) ?? '')) throw thrown;
    closeSync(openSync(target.at(), 'wx'));
    renameSync(source.at(), target.at());
    return;
  }
  giveUpName(source, target);
}

/** The file has two names now. Where the old one does not go, the new one goes again. */
function giveUpName(source: Pin, target: Pin): void {
  try {
    unlinkSync(source.at());
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return;
    const [old, fresh] = [lookAt(source), lookAt(target)];
    if (old && fresh && old.ino === fresh.ino && old.dev === fresh.dev) unlinkSync(target.at());
    throw thrown;
  }
}

const notThere = { isDirectory: () => false, isSymbolicLink: () => false, isFile: () => true };
