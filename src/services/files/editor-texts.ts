/**
 * The editor as a provider of texts. Before an edit is written back the buffer is read again: what the person typed
 * meanwhile is never lost.
 */
import { type Editor, EditorError } from '../../contract/editor';
import { Fault } from '../../contract/fault';
import { cutWindow } from '../../text/lines';
import { type BufferWatch, createBufferWatch } from './buffer-watch';
import { lookAt, MAX_TEXT_BYTES } from './disk';
import { verdictOn } from './fallback';
import type { Pin } from './pin';
import type { ProvidedText, TextProvider } from './text-provider';

export function editorTexts(
  editor: Editor,
  disk: TextProvider,
  watch: BufferWatch = createBufferWatch(),
): TextProvider {
  return {
    read: (pin, { maxBytes }) => readBuffer(pin, maxBytes),
    async readLines(pin, window) {
      const buffer = await readBuffer(pin, MAX_TEXT_BYTES);
      return buffer && { ...cutWindow(buffer.text, window), via: buffer.via, warning: buffer.warning };
    },
    async write(pin, { text }, { basedOn, maxBytes = Number.POSITIVE_INFINITY }) {
      if (!editor.canWrite) return undefined;
      refuseLarge(pin, Buffer.byteLength(text), maxBytes);
      const before = await readBuffer(pin, Number.POSITIVE_INFINITY);
      if (basedOn && before && before.text !== basedOn.text) return 'changed';
      if (basedOn?.via === 'editor' && !before) return 'changed';
      const created = before === undefined && lookAt(pin) === undefined;
      const isTaken = await ask(pin, 'write', async () => {
        await editor.writeText(pin.real, text);
        return true;
      });
      if (!isTaken) return undefined;
      await watch.wrote(pin, text, () => readQuietly(pin, MAX_TEXT_BYTES));
      return { bytes: Buffer.byteLength(text), created, via: 'editor' };
    },
  };

  async function readBuffer(pin: Pin, maxBytes: number): Promise<ProvidedText | undefined> {
    if (!editor.canRead || pin.name === '') return undefined;
    const text = await ask(pin, 'read', () => editor.readText(pin.real));
    if (text === undefined) return undefined;
    const bytes = Buffer.byteLength(text);
    refuseLarge(pin, bytes, maxBytes);
    const judgement = await watch.judge(pin, text, () => readQuietly(pin, maxBytes));
    if (judgement.kind === 'stale') return { ...judgement.disk, warning: STALE };
    const provided = { text, bytes, encoding: 'utf-8', via: 'editor', version: text } as const;
    return judgement.kind === 'differs' ? { ...provided, warning: DIFFERS } : provided;
  }

  /** Only to compare: what cannot be read as text is no text of the editor's either. */
  async function readQuietly(pin: Pin, maxBytes: number): Promise<ProvidedText | undefined> {
    try {
      return await disk.read(pin, { maxBytes });
    } catch (thrown) {
      if (thrown instanceof Fault || (thrown as NodeJS.ErrnoException).code !== undefined) return undefined;
      throw thrown;
    }
  }

  async function ask<T>(pin: Pin, operation: 'read' | 'write', work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof EditorError)) throw thrown;
      const verdict = verdictOn(thrown, operation);
      if (verdict === 'disk') return undefined;
      if (verdict === 'denied') throw new Fault('permission_denied', { path: pin.shown });
      throw new Fault('editor_failed', { path: pin.shown, said: thrown.details || thrown.message });
    }
  }
}

const STALE = 'The editor still shows an older text of this file, which changed on disk; this is the text on disk.';
const DIFFERS =
  'This is the text in the editor. The file changed on disk after a command ran, and the two differ; ask the user which one holds.';

function refuseLarge(pin: Pin, bytes: number, limit: number): void {
  if (bytes > limit) throw new Fault('too_large', { path: pin.shown, bytes, limit });
}
