/** Tells the editor of one call of our tools, in the form that was chosen: valid ACP, or the contracts' own. */
import type { SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { FileDiff } from '../contract/call';
import { shorten } from '../text/truncate';
import { type AnnouncedCall, beginEvent, completeEvent, failedEvent, pathsIn, type SeedEvent } from './seed-events';
import { toWireEvent } from './wire-events';

export type EventForm = 'acp' | 'seed';

const MAX_TITLE_CHARACTERS = 500;

export interface Announcer {
  began(call: AnnouncedCall, diffs: readonly FileDiff[]): void;
  running(call: AnnouncedCall): void;
  completed(call: AnnouncedCall, output: object, diffs: readonly FileDiff[]): void;
  failed(call: AnnouncedCall, output: object): void;
}

export function createAnnouncer(send: (update: SessionUpdate) => void, form: EventForm): Announcer {
  const tell = (event: SeedEvent, diffs: readonly FileDiff[] = []) =>
    // The contracts' own form is none of ACP's; whoever chose it reads it as it is.
    send(form === 'seed' ? (event.params.update as unknown as SessionUpdate) : toWireEvent(event, diffs).params.update);
  return {
    began: (call, diffs) => tell(beginEvent(call), diffs),
    running(call) {
      if (form === 'acp') send({ sessionUpdate: 'tool_call_update', toolCallId: call.id, status: 'in_progress' });
    },
    completed: (call, output, diffs) => tell(completeEvent(call, output), diffs),
    failed: (call, output) => tell(failedEvent(call, output)),
  };
}

/** The same call as a person is asked about it: with what it is about in its title. */
export function askedCall(call: AnnouncedCall, diffs: readonly FileDiff[]): ToolCallUpdate {
  const { sessionUpdate: _, _meta: __, ...shown } = toWireEvent(beginEvent(call), diffs).params.update;
  return { ...shown, title: shorten(`${shown.title} ${subjectOf(call.input)}`.trim(), MAX_TITLE_CHARACTERS) };
}

/** The command line, or the paths. */
function subjectOf(input: AnnouncedCall['input']): string {
  const { command, args } = input;
  if (typeof command !== 'string') return pathsIn(input).join(' → ');
  return [command, ...(Array.isArray(args) ? args.map(String) : [])].map(quoted).join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
