/**
 * The road of a call: find, parse, announce, approve, run, settle. It comes back as an outcome whatever happens;
 * what is thrown and is no fault is a bug, reported to the observers with an id and answered without details.
 */
import { parseArguments, parseGently } from '../contract/arguments';
import type { Approver, Call, CallReport, Decision, FileDiff, Observer, Outcome } from '../contract/call';
import type { Contract, Effect } from '../contract/contract';
import { type Failure, failureOf } from '../contract/failure';
import { Fault } from '../contract/fault';
import { cutOverlong, longTextsIn, putTogether, wholeTexts } from '../contract/long-arguments';
import type { CallContext, Clock, Services } from '../contract/ports';
import { accept, DOUBTFUL, type Shape, type Shapes } from '../contract/shape';
import type { PathRule } from '../contract/toolset';

import type { Registered, Registry } from './registry';

export interface Engine {
  readonly registry: Registry;
  call(call: Call): Promise<Outcome>;
  /** What the call would make of texts, without doing it. Empty where it changes none, or would fail. */
  preview(call: Call): Promise<readonly FileDiff[]>;
}

/** Services that change nothing and keep what would have been changed. */
export interface Rehearsal {
  readonly services: Omit<Services, 'call'>;
  readonly diffs: readonly FileDiff[];
}

export interface EngineParts {
  readonly registry: Registry;
  readonly servicesFor: (rule: PathRule, call: Call) => Omit<Services, 'call'>;
  readonly rehearsalFor?: (rule: PathRule) => Rehearsal;
  /** What is accepted without zod, by the name of the tool; without them zod judges every call. */
  readonly shapes?: Shapes;
  readonly approver: Approver;
  readonly observers: readonly Observer[];
  readonly clock: Clock;
}

/** The effects that are a new text for a file. */
const REHEARSED: readonly Effect[] = ['change', 'replace'];

/** What the doors answer for a name that nobody has: "invalid params". */
const UNKNOWN_TOOL = -32602;

export function createEngine(parts: EngineParts): Engine {
  return {
    registry: parts.registry,
    async call(call) {
      const registered = parts.registry.find(call.tool);
      // A name that nobody has can be anything, a secret too: it stays out of the log.
      const report = reporter(call.client, registered ? call.tool : 'unknown', parts);
      if (!registered) {
        report('error', UNKNOWN_TOOL);
        return { kind: 'unknown_tool', message: parts.registry.explainMissing(call.tool) };
      }
      for (const observer of parts.observers) observer.began?.(call);
      try {
        const outcome = await perform(call, registered, parts);
        if (outcome.kind === 'answer') report('ok');
        return outcome;
      } catch (thrown) {
        return settleFailure(thrown, registered, parts, report);
      }
    },
    async preview(call) {
      const registered = parts.registry.find(call.tool);
      if (!registered || !parts.rehearsalFor || !REHEARSED.includes(registered.tool.contract.effect)) return [];
      return rehearse(call, registered, parts.rehearsalFor(registered.toolset.pathRule));
    },
  };
}

async function rehearse(call: Call, { tool }: Registered, { services, diffs }: Rehearsal) {
  try {
    await tool.run(parseArguments(tool.contract, call.arguments), withCall(services, call.context));
    return diffs;
  } catch (thrown) {
    // The call itself will say why.
    if (thrown instanceof Fault) return [];
    throw thrown;
  }
}

type Report = (status: CallReport['status'], code?: number | string) => void;

function reporter(client: string, tool: string, { clock, observers }: EngineParts): Report {
  const began = clock.monotonicMs();
  return (status, code) => {
    const ms = Math.round((clock.monotonicMs() - began) * 100) / 100;
    const report = code === undefined ? { client, tool, status, ms } : { client, tool, status, code, ms };
    for (const observer of observers) observer.settled?.(report);
  };
}

async function perform(call: Call, { tool, toolset }: Registered, parts: EngineParts): Promise<Outcome> {
  const long = longTextsIn(call.arguments);
  if (long) await putTogether(long);
  const shape = parts.shapes?.[tool.contract.name];
  const accepted = acceptedBy(shape, call.arguments);
  const input = accepted === DOUBTFUL ? await judge(call.arguments, shape, tool.contract) : accepted;
  const question = tool.contract.approval?.(input);
  if (question) {
    const decision = await parts.approver.decide(question, call.approvals);
    if (decision.kind === 'asking') return { kind: 'asking', question };
    refuse(decision, question.subject);
  } else if (call.approvals.admit) refuse(await call.approvals.admit(tool.contract.effect), subjectOf(input));
  const value = await tool.run(input, withCall(parts.servicesFor(toolset.pathRule, call), call.context));
  return { kind: 'answer', ok: true, body: toolset.dialect.success(value), bulk: tool.contract.bulk === true };
}

/** Name by name: to spread an object takes two microseconds, in every call. */
function withCall({ paths, files, memory, commands, clock }: Omit<Services, 'call'>, call: CallContext): Services {
  return { paths, files, memory, commands, clock, call };
}

function refuse(decision: Decision, subject: string): void {
  if (decision.kind === 'refused') throw new Fault('not_approved', { file: subject, problem: decision.problem });
  if (decision.kind === 'unavailable')
    throw new Fault('approval_unavailable', { file: subject, remedy: decision.remedy });
}

/** What a call is about, for a person: its path or its command. */
function subjectOf(input: unknown): string {
  const { path, file, dir, from, command } = input as Record<string, unknown>;
  return String(path ?? file ?? dir ?? from ?? command ?? '');
}

/** With whole texts, which zod wants. Where a very long one cannot be meant, to look at its beginning is enough. */
async function judge(given: unknown, shape: Shape | undefined, contract: Contract): Promise<unknown> {
  const { cut, overlong } = cutOverlong(given, shape);
  const whole = await wholeTexts(cut);
  const accepted = acceptedBy(shape, whole);
  const input = accepted === DOUBTFUL ? await parseGently(contract, whole) : accepted;
  if (!overlong) return input;
  const { parameter, length } = overlong;
  throw new Fault('invalid_argument', { parameter, problem: `is too long: it has ${length} characters` });
}

function acceptedBy(shape: Shape | undefined, given: unknown): unknown {
  return shape ? accept(shape, given ?? {}) : DOUBTFUL;
}

function settleFailure(thrown: unknown, registered: Registered, parts: EngineParts, report: Report): Outcome {
  const failure = failureOf(thrown, registered.errors);
  if (failure) {
    report(thrown instanceof Fault && thrown.kind === 'cancelled' ? 'cancelled' : 'error', failure.code);
    return failedAnswer(failure, registered);
  }
  const id = Math.random().toString(36).slice(2, 10);
  const code = registered.toolset.dialect.internalErrorCode;
  for (const observer of parts.observers) observer.bug?.(id, thrown);
  report('bug', code);
  return failedAnswer(
    { code, message: `Internal error; its details are in the log under ${id}`, details: { id } },
    registered,
  );
}

function failedAnswer(failure: Failure, { tool, toolset: { dialect } }: Registered): Outcome {
  const bulk = tool.contract.bulk === true;
  return { kind: 'answer', ok: false, body: dialect.failure(failure), rpc: dialect.rpcError?.(failure), bulk };
}
