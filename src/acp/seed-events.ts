/**
 * The events that announce a call to the editor, in the form that the tool contracts print: one when it begins, one
 * when it is complete, and one when it failed. Pure: a call goes in, the message comes out.
 */
import type { Effect } from '../contract/contract';
import { shorten } from '../text/truncate';

export interface AnnouncedCall {
  readonly sessionId: string;
  readonly id: string;
  readonly tool: string;
  readonly effect: Effect;
  readonly input: Readonly<Record<string, unknown>>;
  /** Where it happens, if that is not what the input says: editors want absolute paths. */
  readonly locations?: readonly Location[] | undefined;
}

export interface Location {
  readonly path: string;
  /** 1-based. */
  readonly line?: number;
}

export type SeedKind = 'read' | 'write' | 'edit' | 'delete' | 'move' | 'execute';

export interface SeedEvent {
  readonly method: 'session/update';
  readonly params: { readonly sessionId: string; readonly update: SeedUpdate };
}

export type SeedUpdate =
  | {
      readonly type: 'toolCall';
      readonly id: string;
      readonly kind: SeedKind;
      readonly status: 'pending';
      readonly title: string;
      readonly locations: readonly Location[];
      readonly rawInput: object;
    }
  | {
      readonly type: 'toolCallUpdate';
      readonly id: string;
      readonly fields: {
        readonly status: 'completed' | 'failed';
        readonly rawOutput: object;
        readonly content?: readonly { type: 'text'; text: string }[];
      };
    };

/** A longer `content` is cut in what is shown; the tool itself gets all of it. */
const MAX_SHOWN_CHARACTERS = 10_240;

const KINDS: Record<Effect, SeedKind> = {
  read: 'read',
  create: 'write',
  append: 'write',
  change: 'edit',
  replace: 'write',
  remove: 'delete',
  run: 'execute',
};

export function beginEvent(call: AnnouncedCall): SeedEvent {
  return event(call, {
    type: 'toolCall',
    id: call.id,
    kind: call.tool === 'move_file' ? 'move' : KINDS[call.effect],
    status: 'pending',
    title: titleOf(call),
    locations: call.locations ?? pathsIn(call.input).map((path) => ({ path })),
    rawInput: shownInput(call.input),
  });
}

/** An edit shows its diff as text. */
export function completeEvent(call: AnnouncedCall, output: object): SeedEvent {
  const diff = 'diff' in output && typeof output.diff === 'string' ? output.diff : undefined;
  const content = diff === undefined ? undefined : [{ type: 'text' as const, text: diff }];
  const fields = { status: 'completed' as const, rawOutput: output, ...(content && { content }) };
  return event(call, { type: 'toolCallUpdate', id: call.id, fields });
}

export function failedEvent(call: AnnouncedCall, failure: object): SeedEvent {
  return event(call, { type: 'toolCallUpdate', id: call.id, fields: { status: 'failed', rawOutput: failure } });
}

function event({ sessionId }: AnnouncedCall, update: SeedUpdate): SeedEvent {
  return { method: 'session/update', params: { sessionId, update } };
}

function titleOf({ tool, input }: AnnouncedCall): string {
  return Array.isArray(input.edits) ? `${tool} (${input.edits.length} edits)` : tool;
}

/** The paths that a call names. */
export function pathsIn(input: AnnouncedCall['input']): string[] {
  return [input.path, input.file, input.dir, input.from, input.to].filter((path) => typeof path === 'string');
}

function shownInput(input: AnnouncedCall['input']): object {
  const { content } = input;
  return typeof content === 'string' ? { ...input, content: shorten(content, MAX_SHOWN_CHARACTERS) } : input;
}
