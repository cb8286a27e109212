/**
 * Our tools inside a session: each call is announced with what it would change, asked about where the mode wants it,
 * run by the engine, and its end is told. Both ways to Codex, dynamic tools and the MCP endpoint, come through here.
 */
import type { ApprovalChannel, Call, CallNotes, Decision, FileDiff, Outcome } from '../contract/call';
import type { Effect } from '../contract/contract';
import type { Engine } from '../engine/dispatch';
import { type Announcer, askedCall } from './announcer';
import type { Mode } from './modes';
import { type Arrival, createOpenCalls, type OpenCall, type OpenCalls } from './open-calls';
import type { Permissions, Verdict } from './permissions';
import type { AnnouncedCall } from './seed-events';
import { locationsOf } from './translate/shown-path';

const MAX_SHOWN_CHARACTERS = 2_097_152;

export interface ToolHostParts {
  readonly sessionId: string;
  readonly cwd: string;
  readonly engine: Engine;
  readonly announcer: Announcer;
  readonly permissions: Permissions;
  readonly mode: () => Mode;
  /** Whether our own commands run in a sandbox; without one they are asked about. */
  readonly isConfined: () => Promise<boolean>;
  /** Whether the editor takes texts; where it does not, they go to the disk. */
  readonly editorWrites: boolean;
  readonly commandRan: () => void;
}

export interface ToolHost {
  readonly calls: OpenCalls;
  call(arrival: Arrival, context: Pick<Call, 'context' | 'client'>): Promise<Outcome>;
}

export function createToolHost(parts: ToolHostParts): ToolHost {
  const { engine, permissions } = parts;
  const effectOf = (tool: string): Effect => engine.registry.find(tool)?.tool.contract.effect ?? 'read';
  const calls = createOpenCalls({
    announcer: parts.announcer,
    describe: (id, { tool, input }) => ({
      sessionId: parts.sessionId,
      id,
      tool,
      effect: effectOf(tool),
      input: recordOf(input),
      locations: locationsOf(parts.cwd, recordOf(input)),
    }),
    preview: ({ tool, input }) => engine.preview(previewCall(tool, input)),
  });

  return {
    calls,
    async call(arrival, { client, context }) {
      const open = await calls.arrived(arrival);
      const diffs = await open.announced;
      const notes: CallNotes = {};
      const outcome = await engine.call({
        tool: arrival.tool,
        arguments: arrival.input,
        client,
        context,
        notes,
        approvals: channel(open, diffs, context.signal),
      });
      const told = withNotes(outcome, notes);
      tellEnd(open, told, shownDiffs(notes, diffs));
      return told;
    },
  };

  function channel(open: OpenCall, diffs: readonly FileDiff[], signal: AbortSignal): ApprovalChannel {
    const shown = askedCall(open.call, diffs);
    const decide = (verdict: Verdict): Decision => {
      if (verdict === 'reject') return { kind: 'refused', problem: 'the user declined' };
      if (verdict === 'cancel') return { kind: 'refused', problem: 'the user dismissed the question' };
      open.running();
      return { kind: 'granted' };
    };
    return {
      async ask(question) {
        const text = { type: 'content' as const, content: { type: 'text' as const, text: question.message } };
        return decide(await permissions.ask({ toolCall: { ...shown, content: [text] }, signal }));
      },
      async admit(effect) {
        if (effect === 'run') parts.commandRan();
        if (!(await isAskedAbout(effect))) return decide('allow');
        return decide(await permissions.ask({ toolCall: shown, scope: scopeOf(open.call), signal }));
      },
    };
  }

  async function isAskedAbout(effect: Effect): Promise<boolean> {
    const mode = parts.mode();
    if (mode.asks.includes(effect)) return true;
    if (effect === 'run' && mode.sandbox !== 'danger-full-access') return !(await parts.isConfined());
    const goesToDisk = (effect === 'change' || effect === 'replace') && !parts.editorWrites;
    return mode.isWithoutEnvironment && goesToDisk;
  }
}

/** A yes for the session covers the tool, and of commands the one program. */
function scopeOf({ tool, input }: AnnouncedCall): string {
  return typeof input.command === 'string' ? `${tool} ${input.command}` : tool;
}

function tellEnd(open: OpenCall, outcome: Outcome, diffs: readonly FileDiff[]): void {
  if (outcome.kind === 'answer') {
    if (outcome.ok) open.completed(outcome.body, diffs);
    else open.failed(outcome.body);
  } else open.failed({ error: { message: outcome.kind === 'unknown_tool' ? outcome.message : 'not approved' } });
}

/** What was really done, where that is known; a text that is too large for a message is not shown. */
function shownDiffs({ diff }: CallNotes, foreseen: readonly FileDiff[]): readonly FileDiff[] {
  if (!diff) return foreseen;
  return diff.newText.length + (diff.oldText?.length ?? 0) > MAX_SHOWN_CHARACTERS ? [] : [diff];
}

/** Where the text came from or went to, and what the agent should know about it. */
function withNotes(outcome: Outcome, { via, warning }: CallNotes): Outcome {
  if (outcome.kind !== 'answer' || !outcome.ok || via === undefined) return outcome;
  const { _meta: meta } = outcome.body as { _meta?: object };
  return { ...outcome, body: { ...outcome.body, _meta: { ...meta, via, ...(warning && { warning }) } } };
}

/** What a model sends instead of an object is refused by the engine; here it only must not break the telling. */
function recordOf(input: unknown): AnnouncedCall['input'] {
  return typeof input === 'object' && input !== null ? (input as AnnouncedCall['input']) : { input };
}

function previewCall(tool: string, input: unknown): Call {
  return {
    tool,
    arguments: input,
    client: 'preview',
    context: { signal: new AbortController().signal, progress() {} },
    approvals: { ask: async () => ({ kind: 'granted' }) },
  };
}
