import { Fault } from '../../contract/fault';
import { type DecodedText, decodeSteps, decodeText, type NotTextReason } from '../../text/encoding';
import { runGently } from '../../text/steps';
import { isLarge } from '../../text/yield-to-loop';
import type { Pin } from './pin';

export type Decoded = Extract<DecodedText, { ok: true }>;

/** The text that the bytes are, or the fault that they are none. Others have their turn where there are many. */
export function textOf(pin: Pin, bytes: Uint8Array): Decoded | Promise<Decoded> {
  if (!isLarge(bytes)) return accepted(pin, decodeText(bytes));
  return runGently(decodeSteps(bytes)).then((decoded) => accepted(pin, decoded));
}

function accepted(pin: Pin, decoded: DecodedText): Decoded {
  if (decoded.ok) return decoded;
  throw notText(pin, decoded.reason);
}

export function notText(pin: Pin, reason: NotTextReason): Fault {
  return new Fault('not_text', { path: pin.shown, reason: 'binary', problem: reason.replaceAll('_', ' ') });
}
