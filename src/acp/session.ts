/**
 * One conversation: an ACP session and the Codex thread behind it. Prompts become turns; what Codex tells becomes
 * updates; what Codex asks is answered by our tools or by the person.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ContentBlock, RequestError, type SessionUpdate, type StopReason } from '@agentclientprotocol/sdk';
import type { Outcome } from '../contract/call';
import type { Engine } from '../engine/dispatch';
import type { Client } from './client';
import type { Codex } from './codex/codex';
import { CONNECTION_LOST, CodexError, type Params } from './codex/connection';
import type { ThreadItem } from './codex/protocol/items';
import { fieldsOf } from './codex/protocol/json-fields';
import { readItem } from './codex/protocol/read-item';
import { readTurn } from './codex/protocol/turns';
import { createCodexRequests } from './codex-requests';
import type { Choice } from './config-options';
import { turnParams } from './thread-settings';
import { toolAnswer } from './tool-answer';
import type { ToolHost } from './tool-host';
import { createItemTranslator, type ToolItem } from './translate/items';
import { toUserInput } from './translate/prompt';
import { beginTurn, type Turn, type TurnEnd } from './turn';
import { describeUsage, errorInfo } from './turn-report';

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

export interface Session {
  readonly id: string;
  choice: Choice;
  /** How full the context is, as Codex last told it. */
  usage(): string;
  /** Of the turn that is being worked on. */
  signal(): AbortSignal | undefined;
  threadId: string;
  prompt(blocks: readonly ContentBlock[]): Promise<StopReason>;
  /** Runs something that Codex does as a turn, such as a review. */
  runTurn(start: () => Promise<unknown>): Promise<StopReason>;
  say(text: string): void;
  cancel(): Promise<void>;
  notified(method: string, params: Params): void;
  asked(method: string, params: Params): Promise<object>;
  readonly isWorking: boolean;
  /** Codex has gone. */
  lost(why: string): Promise<void>;
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
  const translator = createItemTranslator({ cwd: parts.cwd, isOurs: parts.isOurs });
  const send = (update: SessionUpdate) => client.update(parts.id, update);
  const requests = createCodexRequests({ client, sessionId: parts.id, cwd: parts.cwd });
  let turn: Turn | undefined;
  let wasEnvironmentless = false;
  let tokens = '';
  let recovering: Promise<void> | undefined;

  const session: Session = {
    id: parts.id,
    choice,
    threadId,
    usage: () => tokens,
    signal: () => turn?.signal,
    async prompt(blocks) {
      const prompt = toUserInput(blocks);
      if ('problem' in prompt) throw RequestError.invalidParams(undefined, prompt.problem);
      return session.runTurn(() => startTurn(prompt.input));
    },
    runTurn,
    say: (text) => send({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }),
    cancel,
    notified,
    asked,
    lost,
    get isWorking() {
      return turn !== undefined;
    },
    end: () => turn?.end({ kind: 'interrupted' }),
    engine: (engine) => ({ ...engine, call: (call) => callTool(call.tool, call.arguments, call.context.signal) }),
  };
  return session;

  async function runTurn(start: () => Promise<unknown>): Promise<StopReason> {
    if (turn) throw RequestError.invalidRequest(undefined, 'A prompt is already being worked on in this session');
    const mine = beginTurn();
    turn = mine;
    try {
      await recovering;
      return await stopReasonOf(await endOf(mine, start), mine);
    } finally {
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

  async function startTurn(input: readonly object[]): Promise<unknown> {
    const { environments, ...params } = turnParams({ ...parts, ...session.choice });
    const isEnvironmentless = environments.length === 0;
    // Said only where it changes something: the field is experimental.
    const said = isEnvironmentless || wasEnvironmentless ? { environments } : {};
    wasEnvironmentless = isEnvironmentless;
    const given = { threadId: session.threadId, input, ...params };
    return codex.request('turn/start', { ...given, ...said }).catch((thrown: unknown) => {
      // A Codex that does not take the field has the sandbox of the mode behind it: read-only, and never asking.
      if (!(thrown instanceof CodexError) || !/environments|experimental/i.test(thrown.message)) throw thrown;
      return codex.request('turn/start', given);
    });
  }

  async function stopReasonOf(end: TurnEnd, { isCancelled }: Turn): Promise<StopReason> {
    if (isCancelled) return 'cancelled';
    if (end.kind === 'interrupted') return 'cancelled';
    if (end.kind === 'lost') await recovering;
    if (end.kind !== 'failed') return 'end_turn';
    if (end.info === 'contextWindowExceeded') return 'max_tokens';
    if (end.info === 'unauthorized') throw RequestError.authRequired(undefined, `${end.message}. Run: codex login`);
    throw RequestError.internalError(undefined, end.message);
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

  function notified(method: string, params: Params): void {
    // What comes after the answer to a prompt belongs to no prompt.
    if (turn) for (const update of translator.notified(method, params)) send(update);
    switch (method) {
      case 'item/started':
      case 'item/completed':
        itemTold(method, params);
        break;
      case 'turn/started':
        turn?.named(readTurn(params.turn).id);
        break;
      case 'turn/completed':
        endTurn(params);
        break;
      case 'thread/tokenUsage/updated':
        tokens = describeUsage(params);
        break;
      case 'thread/name/updated':
        rename(params);
        break;
    }
  }

  function itemTold(method: string, params: Params): void {
    const item = readItem(params.item);
    const turnId = String(params.turnId);
    if (item.type === 'commandExecution' && method === 'item/started') parts.commandRan();
    if (method === 'item/started') requests.remember(item);
    if (!isTool(item) || !parts.isOurs(item)) return;
    const arrival = { turnId, callId: item.id, tool: item.tool, input: item.arguments };
    if (method === 'item/started') host.calls.foretold(arrival);
    else host.calls.settled(turnId, item.id, { error: { message: 'Codex did not make the call' } });
  }

  function endTurn(params: Params): void {
    const { id, status, error } = readTurn(params.turn);
    for (const update of translator.ended(id)) send(update);
    if (status === 'failed') turn?.end({ kind: 'failed', message: error, info: errorInfo(params) });
    else turn?.end({ kind: status === 'interrupted' ? 'interrupted' : 'completed' });
  }

  function rename({ threadName }: Params): void {
    if (typeof threadName === 'string') send({ sessionUpdate: 'session_info_update', title: threadName });
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

  async function lost(why: string): Promise<void> {
    const wasWorking = turn !== undefined;
    host.calls.closeAll(why);
    recovering = recover(why, wasWorking);
    turn?.end({ kind: 'lost', why });
    await recovering;
    recovering = undefined;
  }

  async function recover(why: string, wasWorking: boolean): Promise<void> {
    try {
      session.threadId = await parts.recover();
      if (wasWorking) session.say(`${why}. It was started again, and the conversation goes on from before this turn.`);
    } catch (thrown) {
      session.say(`${why}, and could not be started again: ${thrown instanceof Error ? thrown.message : thrown}`);
    }
  }
}

function isTool(item: ThreadItem): item is ToolItem {
  return item.type === 'dynamicToolCall' || item.type === 'mcpToolCall';
}
