/**
 * The files behind the tools: pin the path, take the file's lock, read, change, write. Changes to one file come one
 * after the other, in this process and between processes; what another program does meanwhile is noticed by comparing
 * the file before the rename, and the change is then applied anew to what stands there.
 */
import { Fault } from '../../contract/fault';
import type { Change, Files, JailedPath } from '../../contract/ports';
import { decodeText, type Encoding, encodeText } from '../../text/encoding';
import { cutWindow } from '../../text/lines';
import { replaceFile, sweepTemporaries } from './atomic-write';
import { type FileBytes, kindOf, lookAt, MAX_TEXT_BYTES, readBytes } from './disk';
import { withFaults } from './errno';
import type { FileLocks } from './file-lock';
import type { Jail } from './jail';
import { listDirectory } from './list';
import { lockPins } from './lock-pins';
import { makeDirectory } from './make-directory';
import { moveEntry, refuseToMove } from './move';
import { removeEntry } from './remove';
import { type Pin, type PinOptions, usePin } from './walk';

export interface FileStoreParts {
  readonly jail: Jail;
  readonly locks: FileLocks;
}

const MAX_ATTEMPTS = 5;
const READ: PinOptions = { follow: true, missing: 'file_not_found' };

export function createFileStore({ jail, locks }: FileStoreParts): Files {
  const swept = new Set<string>();
  return {
    async readLines(path, window) {
      const { text } = await withPin(path, READ, (pin) => readText(pin, MAX_TEXT_BYTES));
      return { ...cutWindow(text, window), via: 'disk' };
    },
    async readText(path, { maxBytes }) {
      const { text, bytes } = await withPin(path, READ, (pin) => readText(pin, maxBytes));
      return { text, bytes: bytes.length, via: 'disk' };
    },
    writeText: (path, text, { createParents }) =>
      withPin(path, { follow: true, missing: createParents ? 'create' : 'parent_not_found' }, (pin) =>
        locked([pin], () => writeText(pin, text)),
      ),
    editText: (path, change, { maxBytes = MAX_TEXT_BYTES } = {}) =>
      withPin(path, READ, (pin) => locked([pin], () => editText(pin, change, maxBytes))),
    list: (path, options) =>
      usePin(
        () => jail.pinDirectory(path),
        async (pin) => listDirectory(pin, options),
      ),
    remove: (path, options) =>
      withPin(path, { follow: false, missing: 'file_not_found' }, (pin) =>
        locked([pin], async () => removeEntry(pin, options)),
      ),
    move: (from, to, options) =>
      withPin(from, { follow: false, missing: 'file_not_found' }, (source) => {
        refuseToMove(source);
        return withPin(to, { follow: false, missing: 'create' }, (target) =>
          locked([source, target], async () => moveEntry(source, target, options)),
        );
      }),
    makeDirectory: (path, options) =>
      withPin(path, { follow: true, missing: options.recursive ? 'create' : 'parent_not_found' }, async (pin) =>
        makeDirectory(pin),
      ),
  };

  function withPin<T>(path: JailedPath, options: PinOptions, use: (pin: Pin) => Promise<T>): Promise<T> {
    return usePin(() => jail.pin(path, options), use);
  }

  function locked<T>(pins: readonly Pin[], work: () => Promise<T>): Promise<T> {
    return lockPins(locks, pins, work);
  }

  async function writeText(pin: Pin, text: string) {
    const previous = lookAt(pin);
    refuseUnwritable(pin, previous);
    const bytes = encodeText(text, await encodingToKeep(pin, text, previous !== undefined));
    sweepOnce(pin);
    await withFaults(pin.shown, bytes.length, () => replaceFile(pin, bytes, { previous, onlyIfSame: false }));
    return { bytes: bytes.length, created: previous === undefined, via: 'disk' as const };
  }

  async function editText<T>(pin: Pin, change: (text: string) => Change<T>, maxBytes: number) {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const { text, encoding, stat } = await readText(pin, maxBytes);
      const changed = change(text);
      if (changed.text === text) return { result: changed.result, via: 'disk' as const };
      const bytes = encodeText(changed.text, encoding);
      if (bytes.length > maxBytes)
        throw new Fault('too_large', { path: pin.shown, bytes: bytes.length, limit: maxBytes });
      sweepOnce(pin);
      const isWritten = await withFaults(pin.shown, bytes.length, () =>
        replaceFile(pin, bytes, { previous: stat, onlyIfSame: true }),
      );
      if (isWritten) return { result: changed.result, via: 'disk' as const };
    }
    throw new Fault('changed_meanwhile', { path: pin.shown });
  }

  function sweepOnce(pin: Pin): void {
    const { dev, ino } = pin.directory.identity();
    const key = `${dev}:${ino}`;
    if (swept.has(key)) return;
    swept.add(key);
    sweepTemporaries(pin, Date.now());
  }
}

async function readText(pin: Pin, maxBytes: number): Promise<FileBytes & { text: string; encoding: Encoding }> {
  const file = await readBytes(pin, { maxBytes });
  const decoded = decodeText(file.bytes);
  if (!decoded.ok)
    throw new Fault('not_text', { path: pin.shown, reason: 'binary', problem: decoded.reason.replaceAll('_', ' ') });
  return { ...file, text: decoded.text, encoding: decoded.encoding };
}

/** A file in UTF-16 stays in UTF-16 where the new text brings the byte order mark along; all else is UTF-8. */
async function encodingToKeep(pin: Pin, text: string, isThere: boolean): Promise<Encoding> {
  if (!isThere || !text.startsWith('\uFEFF')) return 'utf-8';
  const { bytes } = await readBytes(pin, { maxBytes: MAX_TEXT_BYTES });
  const decoded = decodeText(bytes);
  return decoded.ok ? decoded.encoding : 'utf-8';
}

function refuseUnwritable(pin: Pin, there: ReturnType<typeof lookAt>): void {
  if (pin.name === '' || there?.isDirectory()) throw new Fault('is_directory', { path: pin.shown });
  if (pin.isDirectory)
    throw new Fault('invalid_path', { path: pin.shown, problem: 'it ends with a slash, but a file is to be written' });
  if (there && !there.isFile()) throw new Fault('not_a_file', { path: pin.shown, found: kindOf(there) });
}
