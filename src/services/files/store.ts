/**
 * The files behind the tools: pin the path, take the file's lock, read, change, write. Changes to one file come one
 * after the other, in this process and between processes; what another program does meanwhile is noticed by comparing
 * the file before the rename, and the change is then applied anew to what stands there.
 */
import type { Editor } from '../../contract/editor';
import { Fault } from '../../contract/fault';
import type { Change, EditedText, Files, JailedPath, Lines, LineWindow, TextFile, Via } from '../../contract/ports';
import type { Text } from '../../text/pieced-text';
import { isLarge, isTurnLong, yieldToLoop } from '../../text/yield-to-loop';
import { removeTemporary } from './atomic-write';
import type { BufferWatch } from './buffer-watch';
import type { ChangeGuard } from './change-guard';
import { diskTexts } from './disk-texts';
import { editedText, isInVain, refuseUnfit } from './edited-text';
import { editorTexts } from './editor-texts';
import type { FileLocks } from './file-lock';
import type { Jail } from './jail';
import { createKnownEntries } from './known-entries';
import { createLineIndexes, type LineIndexes } from './line-indexes';
import { listDirectory } from './list';
import { loadCrypto } from './load-crypto';
import { lockPins } from './lock-pins';
import { makeDirectory } from './make-directory';
import { moveEntry, refuseToMove } from './move';
import { createPendingWrites, type PendingWrites } from './pending-writes';
import { type Pin, usePin } from './pin';
import type { ReadAside } from './read-aside';
import { removeEntry } from './remove';
import type { StageAside } from './stage-aside';
import type { NewText, ProvidedText, WriteOptions, Written } from './text-provider';
import type { PinOptions } from './walk';

export interface FileStoreParts {
  readonly jail: Jail;
  readonly locks: FileLocks;
  /** Asked before the disk, where there is one. */
  readonly editor?: Editor | undefined;
  readonly watch?: BufferWatch | undefined;
  readonly pending?: PendingWrites;
  readonly indexes?: LineIndexes;
  /** Says which changes are refused; without one, none is. */
  readonly guard?: ChangeGuard | undefined;
  /** Stages the edits of long texts; without it, that is done in place. */
  readonly stageAside?: StageAside;
  /** Reads the names in large directories; without it, that is done in place. */
  readonly readAside?: ReadAside;
}

export interface FileStore extends Files {
  /** Removes the temporary files that killed processes left inside the roots. */
  mend(): Promise<void>;
}

interface Edited<T> {
  readonly result: T;
  readonly via: Via;
  readonly warning?: string | undefined;
}

const MAX_ATTEMPTS = 5;
const EDIT: PinOptions = { follow: true, missing: 'file_not_found' };

export function createFileStore(parts: FileStoreParts): FileStore {
  const { jail, locks, editor, watch, guard, stageAside, readAside } = parts;
  const { pending = createPendingWrites(), indexes = createLineIndexes() } = parts;
  const disk = diskTexts(pending, indexes);
  const known = createKnownEntries({ readAside });
  // An editor may have the text of a file that is not on disk, or not readable there.
  const read: PinOptions = { ...EDIT, opens: editor === undefined };
  const providers = editor ? [editorTexts(editor, disk, watch), disk] : [disk];
  return {
    readLines: (path, window) => withPin(path, read, (pin) => readLines(pin, window)),
    readText: (path, { maxBytes }) =>
      withPin(path, read, (pin) => useText(pin, maxBytes, async (text) => wordsOf(text))),
    writeText: (path, text, { createParents, maxBytes }) =>
      changePin(path, { follow: true, missing: createParents ? 'create' : 'parent_not_found' }, (pin) =>
        locked([pin], () => writeText(pin, text, maxBytes)),
      ),
    editText: (path, change, { maxBytes = Number.POSITIVE_INFINITY } = {}) =>
      changePin(path, EDIT, (pin) => locked([pin], () => editText(pin, change, maxBytes))),
    list: (path, options) =>
      usePin(
        () => jail.pinDirectory(path),
        (pin) => listDirectory(pin, options, known),
      ),
    remove: (path, options) =>
      changePin(path, { follow: false, missing: 'file_not_found' }, (pin) =>
        locked([pin], () => removeEntry(pin, options)),
      ),
    move: (from, to, options) =>
      changePin(from, { follow: false, missing: 'file_not_found' }, (source) => {
        refuseToMove(source);
        // Before the parents of the target are made, some of which would lie inside the source.
        if (jail.contains(from, to)) throw new Fault('into_itself', { path: from.shown, to: to.shown });
        return changePin(to, { follow: false, missing: 'create' }, (target) =>
          locked([source, target], () => moveEntry(source, target, options)),
        );
      }),
    makeDirectory: (path, options) =>
      changePin(path, { follow: true, missing: options.recursive ? 'create' : 'parent_not_found' }, (pin) =>
        makeDirectory(pin),
      ),
    async mend() {
      for (const write of pending.unfinished()) await mendOne(write);
    },
  };

  /** Nothing depends on it: what cannot be mended now is tried again at the next start. */
  async function mendOne({ target, id, forget }: ReturnType<PendingWrites['unfinished']>[number]): Promise<void> {
    try {
      const path = jail.paths('absolute').admit(target);
      await withPin(path, { follow: false, missing: 'file_not_found' }, (pin) =>
        locked([pin], () => removeTemporary(pin, id)),
      );
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.kind !== 'file_not_found') return;
    }
    forget();
  }

  function withPin<T>(path: JailedPath, options: PinOptions, use: (pin: Pin) => Promise<T>): Promise<T> {
    return usePin(() => jail.pin(path, options), use);
  }

  /** The same for a change: asked about the path before anything is made, and about where it really leads. */
  async function changePin<T>(path: JailedPath, options: PinOptions, use: (pin: Pin) => Promise<T>): Promise<T> {
    guard?.beforeWalk(path);
    const loading = loadCrypto();
    if (loading) await loading;
    const stops = options.missing === 'create' ? jail.stops(path) : [];
    return afterStops(stops, () =>
      withPin(path, options, (pin) => {
        guard?.beforeChange(pin);
        return use(pin);
      }),
    );
  }

  /** A long way is made stop by stop, and others have their turn: to make a directory can take its time. */
  async function afterStops<T>([stop, ...rest]: readonly JailedPath[], use: () => Promise<T>): Promise<T> {
    if (!stop) return use();
    return usePin(
      () => jail.pinDirectory(stop, { missing: 'create' }),
      async () => {
        await yieldToLoop();
        return afterStops(rest, use);
      },
    );
  }

  function locked<T>(pins: readonly Pin[], work: () => Promise<T>): Promise<T> {
    // Many that waited for the same thing go on in the same moment.
    return lockPins(locks, pins, () => (isTurnLong() ? yieldToLoop().then(work) : work()));
  }

  async function readText(pin: Pin, maxBytes: number): Promise<ProvidedText> {
    for (const provider of providers) {
      const provided = await provider.read(pin, { maxBytes, isBrief: true });
      if (provided) return provided;
    }
    throw new Fault('file_not_found', { path: pin.shown });
  }

  async function useText<T>(pin: Pin, maxBytes: number, use: (text: ProvidedText) => Promise<T>): Promise<T> {
    const text = await readText(pin, maxBytes);
    try {
      return await use(text);
    } finally {
      const gone = text.letGo?.();
      if (gone) await gone;
    }
  }

  async function readLines(pin: Pin, window: LineWindow): Promise<Lines> {
    for (const provider of providers) {
      const provided = await provider.readLines(pin, window);
      if (provided) return provided;
    }
    throw new Fault('file_not_found', { path: pin.shown });
  }

  async function writeText(pin: Pin, text: Text, maxBytes: number | undefined): Promise<Written> {
    const written = await write(pin, newText(text), { encoding: 'keep', maxBytes });
    if (written === 'changed') throw new Fault('changed_meanwhile', { path: pin.shown });
    return written;
  }

  async function write(pin: Pin, next: NewText, options: WriteOptions): Promise<Written | 'changed'> {
    for (const provider of providers) {
      const written = await provider.write(pin, next, options);
      if (written) return written;
    }
    throw new Fault('system_error', { path: pin.shown, problem: 'nobody could write it' });
  }

  /** A change that met a newer text is applied anew to that one, if it still fits there. */
  async function editText<T>(
    pin: Pin,
    change: (text: EditedText) => Change<T> | Promise<Change<T>>,
    maxBytes: number,
  ): Promise<Edited<T>> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const edited = await useText(pin, maxBytes, async (current) => {
        const changed = await change(editedText(current, stageAside));
        const { warning } = current;
        if (isInVain(changed, current)) return { result: await changed.tell(), via: current.via, warning };
        refuseUnfit(pin, changed, current, maxBytes);
        if (isLarge({ length: current.bytes })) await yieldToLoop();
        const writing = write(pin, changed, { encoding: current.encoding, basedOn: current });
        const [written, result] = await withMeanwhile(writing, changed.tell);
        return written === 'changed' ? undefined : { result, via: written.via, warning };
      });
      if (edited) return edited;
    }
    throw new Fault('changed_meanwhile', { path: pin.shown });
  }
}

/** Does the other thing once the work waits for somebody else, as for the disk: 0.3 ms less for an edit in 1 MB. */
async function withMeanwhile<A, B>(work: Promise<A>, other: () => B | Promise<B>): Promise<[A, B]> {
  // Comes after every promise that is settled by now.
  const done = new Promise<void>((resolve) => process.nextTick(resolve)).then(other);
  done.catch(() => {}); // Thrown below, when the work is over.
  return [await work, await done];
}

function newText(text: Text): NewText {
  if (typeof text === 'string') return { text };
  return {
    get text() {
      return text.toString();
    },
    pieced: text,
  };
}

function wordsOf({ text, bytes, via, warning }: ProvidedText): TextFile {
  return { text, bytes, via, warning };
}
