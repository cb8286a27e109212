/** Schema pieces that carry the contracts' own faults: a check that fails names the fault in its message. */
import * as z from 'zod';
import { parseAbsolute } from '../text/path-syntax';
import type { FaultKind } from './fault';

const MARK = '@';

/** A zod check with this error fails as the named fault, not as a plain validation error. */
export function failsAs(kind: FaultKind): { error: string } {
  return { error: MARK + kind };
}

export function faultNamedIn(message: string): FaultKind | undefined {
  return message.startsWith(MARK) ? (message.slice(MARK.length) as FaultKind) : undefined;
}

/** The `path` of the editor tools. Whether it is absolute is the first thing that is checked. */
export function absolutePath() {
  return z
    .string()
    .refine((path) => !isRelative(path), { ...failsAs('path_not_absolute'), abort: true })
    .refine((path) => !path.includes('\0'), { error: 'contains a NUL character' })
    .describe('Absolute path to the file');
}

/** A text whose length is counted in characters, as JSON Schema does, not in UTF-16 units. */
export function textUpTo(maxLength: number) {
  const fits = (text: string) => text.length <= maxLength * 2 && [...text].length <= maxLength;
  return encodableText()
    .refine(fits, { error: `is longer than ${maxLength} characters` })
    .meta({ maxLength });
}

/** Text that a file can hold: a lone surrogate has no bytes in any encoding, though it would match half a character. */
export function encodableText() {
  return z
    .string()
    .refine((text) => text.isWellFormed(), { error: 'contains a lone surrogate, which no file can hold' });
}

/** What its names hold is judged later: a path that is not absolute is told so, whatever else is wrong with it. */
function isRelative(path: string): boolean {
  const parsed = parseAbsolute(path, { platform: process.platform });
  return !parsed.ok && parsed.kind === 'not_absolute';
}
