/** Schema pieces that carry the contracts' own faults: a check that fails names the fault in its message. */
import * as z from 'zod';
import type { Text } from '../text/pieced-text';
import type { FaultKind } from './fault';
import { hasAtMost, RULES } from './rules';

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
    .refine(RULES.absolute, { ...failsAs('path_not_absolute'), abort: true })
    .refine(RULES.withoutNul, { error: 'contains a NUL character' })
    .describe('Absolute path to the file');
}

/** A text whose length is counted in characters, as JSON Schema does, not in UTF-16 units. */
export function textUpTo(maxLength: number) {
  return encodableText()
    .refine(hasAtMost(maxLength), { error: `is longer than ${maxLength} characters` })
    .meta({ maxLength });
}

/** The same, which comes in pieces where it is long. */
export function contentText(text: z.ZodString = encodableText()) {
  return text.refine(RULES.mayBePieced) as unknown as z.ZodType<Text, string>;
}

/** Text that a file can hold. */
export function encodableText() {
  return z.string().refine(RULES.encodable, { error: 'contains a lone surrogate, which no file can hold' });
}
