/**
 * The editor as a provider of texts. Before an edit is written back the buffer is read again: what the person typed
 * meanwhile is never lost.
 */
import { type Editor, EditorError } from '../../contract/editor';
import { Fault } from '../../contract/fault';
import { cutWindow } from '../../text/lines';
import { lookAt, MAX_TEXT_BYTES } from './disk';
import { verdictOn } from './fallback';
import type { ProvidedText, TextProvider } from './text-provider';
import type { Pin } from './walk';

export function editorTexts(editor: Editor): TextProvider {
  return {
    read: (pin, { maxBytes }) => readBuffer(pin, maxBytes),
    async readLines(pin, window) {
      const buffer = await readBuffer(pin, MAX_TEXT_BYTES);
      return buffer && { ...cutWindow(buffer.text, window), via: buffer.via };
    },
    async write(pin, text, { basedOn }) {
      if (!editor.canWrite) return undefined;
      const before = await readBuffer(pin, Number.POSITIVE_INFINITY);
      if (basedOn?.via === 'editor' && before?.text !== basedOn.text) return 'changed';
      const created = before === undefined && lookAt(pin) === undefined;
      const isTaken = await ask(pin, 'write', async () => {
        await editor.writeText(pin.real, text);
        return true;
      });
      return isTaken ? { bytes: Buffer.byteLength(text), created, via: 'editor' } : undefined;
    },
  };

  async function readBuffer(pin: Pin, maxBytes: number): Promise<ProvidedText | undefined> {
    if (!editor.canRead || pin.name === '') return undefined;
    const text = await ask(pin, 'read', () => editor.readText(pin.real));
    if (text === undefined) return undefined;
    const bytes = Buffer.byteLength(text);
    if (bytes > maxBytes) throw new Fault('too_large', { path: pin.shown, bytes, limit: maxBytes });
    return { text, bytes, encoding: 'utf-8', via: 'editor', version: text };
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
