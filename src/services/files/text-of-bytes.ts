import { Fault } from '../../contract/fault';
import { decodeText, type Encoding, type NotTextReason } from '../../text/encoding';
import type { Pin } from './pin';

/** The text that the bytes are, or the fault that they are none. */
export function textOf(pin: Pin, bytes: Uint8Array): { text: string; encoding: Encoding } {
  const decoded = decodeText(bytes);
  if (decoded.ok) return decoded;
  throw notText(pin, decoded.reason);
}

export function notText(pin: Pin, reason: NotTextReason): Fault {
  return new Fault('not_text', { path: pin.shown, reason: 'binary', problem: reason.replaceAll('_', ' ') });
}
