/**
 * One conversation: an ACP session and the Codex thread behind it. Prompts become turns; what Codex asks is answered
 * by our tools or by the person; a turn ends when Codex says so, when the person cancels, or when Codex has gone.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ContentBlock, RequestError, type SessionUpdate, type StopReason } from '@agentclientprotocol/sdk';
import type { Outcome } from '../contract/call';
import { wholeTexts } from '../contract/long-arguments';
import type { Engine } from '../engine/dispatch';
import type { Client } from './client';
import type { Codex } from './codex/codex';
import { CONNECTION_LOST, CodexError, type Params } from './codex/connection';
import { fieldsOf } from './codex/protocol/json-fields';
import { readTurn } from './codex/protocol/turns';
import { createCodexRequests } from './codex-requests';
import type { Choice } from './config-options';
import { requestIn } from './environments';
import { createLifeline } from './lifeline';
import { modes } from './modes';
import { createThreadNotices, type ThreadNotices } from './thread-notices';
import { turnParams } from './thread-settings';
import { toolAnswer } from './tool-answer';
import type { ToolHost } from './tool-host';
import type { ToolItem } from './translate/items';
import { toUserInput } from './translate/prompt';
import { beginTurn, type Turn, type TurnEnd } from './turn';

export interface SessionParts {
  readonly id: string;
  readonly cwd: string;
  readonly additional: readonly string[];
  readonly client: Client;
  readonly codex: Codex;
  readonly host: ToolHost;
  readonly isOurs: (item: ToolItem) => boolean;
  readonly commandRan: () => void;
  /** Takes the thread up in a Codex that was started anew; gives its id. */
  readonly recover: () => Promise<string>;
}

export interface Session extends ThreadNotices {
  readonly id: string;
  choice: Choice;
  /** Of the turn that is being worked on. */
  signal(): AbortSignal | undefined;
  readonly threadId: string;
  /** Resolves when Codex has the thread, also one that was started anew. */
  ready(): Promise<void>;
  prompt(blocks: readonly ContentBlock[]): Promise<StopReason>;
  /** Runs something that Codex does as a turn, such as a review. */
  runTurn(start: () => Promise<unknown>): Promise<StopReason>;
  say(text: string): void;
  cancel(): Promise<void>;
  asked(method: string, params: Params): Promise<object>;
  readonly isWorking: boolean;
  /** Codex has gone. */
  lost(why: string): void;
  /** The editor has gone: what runs is ended. */
  end(): void;
  /** Our tools, for calls that come over the endpoint. */
  readonly engine: (engine: Engine) => Engine;
}

/** Codex ends a turn within a tenth of a second; one that does not is not listening. */
const CANCEL_LIMIT_MS = 800;
const LOSS_LIMIT_MS = 1000;
const CLIENT_NAME = 'codex';

export function createSession(parts: SessionParts, threadId: string, choice: Choice): Session {
  const { client, codex, host } = parts;
  const lifeline = createLifeline({ threadId, takeUp: parts.recover });
  const send = (update: SessionUpdate) => client.update(parts.id, update);
  const requests = createCodexRequests({ client, sessionId: parts.id, cwd: parts.cwd });
  let turn: Turn | undefined;
  let wasEnvironmentless = modes[choice.mode].isWithoutEnvironment;
  const notices = createThreadNotices({
    ...parts,
    calls: host.calls,
    send,
    turn: () => turn,
    started: requests.remember,
  });

  const session: Session = {
    ...notices,
    id: parts.id,
    choice,
    get threadId() {
      return lifeline.threadId;
    },
    ready: lifeline.ready,
    signal: () => turn?.signal,
    async prompt(blocks) {
      const prompt = toUserInput(blocks);
      if ('problem' in prompt) throw RequestError.invalidParams(undefined, prompt.problem);
      return runTurn(() => startTurn(prompt.input));
    },
    runTurn,
    say: (text) => send({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }),
    cancel,
    asked,
    lost(why) {
      if (!lifeline.cut()) return;
      host.calls.closeAll(why);
      turn?.end({ kind: 'lost', why });
    },
    get isWorking() {
      return turn !== undefined;
    },
    end: () => turn?.end({ kind: 'interrupted' }),
    engine: (engine) => ({
      ...engine,
      call: async (call) => callTool(call.tool, await wholeTexts(call.arguments), call.context.signal),
    }),
  };
  return session;

  async function runTurn(start: () => Promise<unknown>): Promise<StopReason> {
    if (turn) throw RequestError.invalidRequest(undefined, 'A prompt is already being worked on in this session');
    // A Codex that was gone before it heard of the turn has done nothing for it: the next one gets it, once.
    const reason = (await tryTurn(start, { isLast: false })) ?? (await tryTurn(start, { isLast: true }));
    return reason ?? 'end_turn';
  }

  /** Undefined when Codex was lost before it knew of the turn. */
  async function tryTurn(
    start: () => Promise<unknown>,
    { isLast }: { isLast: boolean },
  ): Promise<StopReason | undefined> {
    const mine = beginTurn();
    turn = mine;
    try {
      await Promise.race([lifeline.ready(), mine.cancelled]);
      if (mine.isCancelled) return 'cancelled';
      const end = await endOf(mine, start);
      if (end.kind === 'lost' && !mine.isKnown && !mine.isCancelled && !isLast) return undefined;
      return await stopReasonOf(end, mine);
    } finally {
      mine.end({ kind: 'interrupted' });
      // Whatever was not closed by its own end is closed by the turn's.
      host.calls.closeAll('The turn ended before the call did');
      turn = undefined;
      await client.flush();
    }
  }

  /** A turn can be lost before Codex has answered its start. */
  async function endOf(mine: Turn, start: () => Promise<unknown>): Promise<TurnEnd> {
    try {
      return await Promise.race([mine.ended, start().then((answer) => awaitEnd(mine, answer))]);
    } catch (thrown) {
      if (!(thrown instanceof CodexError) || thrown.code !== CONNECTION_LOST) throw thrown;
      const neverStarted = sleep(LOSS_LIMIT_MS, undefined, { ref: false }).then(() => Promise.reject(thrown));
      return Promise.race([mine.ended, neverStarted]);
    }
  }

  function awaitEnd(mine: Turn, answer: unknown): Promise<TurnEnd> {
    const { id } = readTurn(fieldsOf(answer).turn);
    if (id !== '') mine.named(id);
    return mine.ended;
  }

  function startTurn(input: readonly object[]): Promise<unknown> {
    const { environments, ...params } = turnParams({ ...parts, ...session.choice });
    const isEnvironmentless = environments.length === 0;
    // Said only where it changes something: the field is experimental.
    const said = isEnvironmentless || wasEnvironmentless ? environments : undefined;
    wasEnvironmentless = isEnvironmentless;
    return requestIn(codex, said, 'turn/start', { threadId: session.threadId, input, ...params });
  }

  async function stopReasonOf(end: TurnEnd, mine: Turn): Promise<StopReason> {
    if (end.kind === 'lost') await tellLoss(end.why, mine);
    if (mine.isCancelled || end.kind === 'interrupted') return 'cancelled';
    if (end.kind !== 'failed') return 'end_turn';
    if (end.info === 'contextWindowExceeded') return 'max_tokens';
    if (end.info === 'unauthorized') throw RequestError.authRequired(undefined, `${end.message}. Run: codex login`);
    throw RequestError.internalError(undefined, end.message);
  }

  /** Who has cancelled does not wait for the next Codex: it is started with the next prompt. */
  async function tellLoss(why: string, mine: Turn): Promise<void> {
    try {
      if (!mine.isCancelled) await Promise.race([lifeline.ready(), mine.cancelled]);
      session.say(`${why}. It is started again, and the conversation goes on from before this turn.`);
    } catch (thrown) {
      session.say(`${why}, and could not be started again: ${thrown instanceof Error ? thrown.message : thrown}`);
    }
  }

  async function cancel(): Promise<void> {
    const mine = turn;
    if (!mine) return;
    mine.cancel();
    const limit = setTimeout(() => codex.replace('Codex did not stop when it was asked to'), CANCEL_LIMIT_MS);
    const turnId = await Promise.race([mine.id(), mine.ended.then(() => undefined)]);
    if (turnId !== undefined)
      // Its end is told by a notification; an answer that does not come is dealt with by the limit.
      void codex.request('turn/interrupt', { threadId: session.threadId, turnId }).catch(() => {});
    await mine.ended;
    clearTimeout(limit);
  }

  async function asked(method: string, params: Params): Promise<object> {
    const signal = turn?.signal ?? AbortSignal.abort();
    if (method !== 'item/tool/call') return requests.answer(method, params, signal);
    const outcome = await callTool(String(params.tool), params.arguments, signal, {
      turnId: String(params.turnId),
      callId: String(params.callId),
    });
    return toolAnswer(outcome);
  }

  async function callTool(
    tool: string,
    input: unknown,
    signal: AbortSignal,
    named?: { turnId: string; callId: string },
  ): Promise<Outcome> {
    const mine = turn;
    if (!mine) return { kind: 'unknown_tool', message: 'No prompt is being worked on in this session' };
    const { turnId, callId } = named ?? { turnId: await mine.id(), callId: undefined };
    const context = { signal: AbortSignal.any([signal, mine.signal]), progress() {} };
    return host.call({ turnId, callId, tool, input }, { client: CLIENT_NAME, context });
  }
}
