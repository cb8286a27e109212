/**
 * Approval by MCP elicitation. The first pass of a call answers "input required"; the client asks its user and sends
 * the call again with the answer (older revisions: the SDK asks and re-enters the handler). The question travels as a
 * sealed state: an answer counts only for the very words that were asked, and only once.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ApprovalChannel } from '../contract/call';
import type { ApprovalQuestion } from '../contract/contract';
import type { Caller } from './caller';

interface Sealed {
  readonly digest: string;
  readonly nonce: string;
}

export interface ApprovalDesk {
  seal(question: ApprovalQuestion, context: ServerContext): Promise<string>;
  verify(state: string, context: ServerContext): Promise<unknown>;
  /** Whether the state of this pass is for this question and was not used before; uses it up. */
  redeem(question: ApprovalQuestion, context: ServerContext): boolean;
}

const KEY = 'approve';
const SECONDS_TO_DECIDE = 3600;

export function createApprovalDesk(): ApprovalDesk {
  const codec = createRequestStateCodec<Sealed>({ key: randomBytes(32), ttlSeconds: SECONDS_TO_DECIDE });
  const open = new Map<string, number>();
  return {
    seal(question, context) {
      const nonce = randomUUID();
      const now = Date.now();
      for (const [old, since] of open) if (now - since > SECONDS_TO_DECIDE * 1000) open.delete(old);
      open.set(nonce, now);
      return codec.mint({ digest: digestOf(question), nonce }, context);
    },
    verify: (state, context) => codec.verify(state, context),
    redeem(question, context) {
      const sealed = context.mcpReq.requestState<Sealed>();
      return sealed?.digest === digestOf(question) && open.delete(sealed.nonce);
    },
  };
}

export function approvalChannel(desk: ApprovalDesk, context: ServerContext, caller: Caller): ApprovalChannel {
  return {
    async ask(question) {
      const answer = inputResponse(context.mcpReq.inputResponses, KEY);
      if (answer.kind === 'elicit') {
        if (!desk.redeem(question, context))
          return { kind: 'refused', problem: 'the approval was for another entry, or was used before' };
        if (answer.action === 'accept') return readForm(answer.content);
        return {
          kind: 'refused',
          problem: `the user ${answer.action === 'decline' ? 'declined' : 'dismissed the question'}`,
        };
      }
      if (caller.canAsk) return { kind: 'asking' };
      return {
        kind: 'unavailable',
        remedy:
          'it needs a user’s approval, and this client has no elicitation to ask for it. Use a client that has (Codex, Claude Code, VS Code), or start tenon with --approve always for unattended use',
      };
    },
  };
}

export async function inputRequiredFor(desk: ApprovalDesk, question: ApprovalQuestion, context: ServerContext) {
  const ask = inputRequired.elicit({
    message: question.message,
    requestedSchema: {
      type: 'object',
      properties: {
        approve: { type: 'boolean', title: 'Approve', description: 'Do exactly what is shown', default: true },
      },
      required: ['approve'],
    },
  });
  return inputRequired({ inputRequests: { [KEY]: ask }, requestState: await desk.seal(question, context) });
}

/** Some clients accept with the form as it stands, some with no form at all: both are a yes; an unticked box is a no. */
function readForm(content: unknown) {
  const isUnticked = (content as { approve?: unknown } | undefined)?.approve === false;
  return isUnticked ? ({ kind: 'refused', problem: 'the user declined' } as const) : ({ kind: 'granted' } as const);
}

function digestOf(question: ApprovalQuestion): string {
  return createHash('sha256').update(`${question.subject}\0${question.message}`).digest('hex');
}
