/**
 * Stages the edits of a long text in another process. To make one string of tens of megabytes, to look through it and to
 * put its diff together keeps whoever does it for long, some of it in one go; and when a thread of this process gives
 * hundreds of megabytes back, all the others wait. The process reads the file itself, and ends when it is done: to start
 * one takes as long as to edit a few megabytes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { encodeSteps } from '../../text/encoding';
import { IncomingParcel, type Parcel, packParcel } from '../../text/parcel';
import type { Text } from '../../text/pieced-text';
import type { StagedBytes } from '../../text/staged-bytes';
import type { StagingOrder } from '../../text/staging';
import { runGently, type Steps } from '../../text/steps';
import { isLarge } from '../../text/yield-to-loop';
import type { Packed, ProcessAnswer, ProcessOrder } from './staging-process';

/** The bytes, or an open file that has them. */
export type TextAside = { readonly raw: Uint8Array } | { readonly fd: number };

/** Undefined: there is too little to do, or no process can be had. */
export type StageAside = (text: TextAside, order: StagingOrder) => Promise<AsideAnswer | undefined>;

export type AsideAnswer = StagedBytes | Extract<ProcessAnswer, { notText: unknown }>;

/** From here on, text and edits together, another process is worth its start. */
const MIN_LENGTH = 8 * 1_048_576;
const MAX_KEPT_WORDS = 2_000;

/** `processFile`: what `staging-process` was built as. */
export function createStageAside(processFile: string): StageAside {
  const inTurn = createTurnstile();
  return async (text, order) => {
    if ('raw' in text && lengthOf(text.raw, order) < MIN_LENGTH) return undefined;
    const parcel = await runGently(packSteps(text, order));
    const start = () => startProcess(processFile, 'fd' in text ? text.fd : undefined);
    const answer = await inTurn(start, (child) => answerOf(child, parcel));
    return answer && unpack(answer);
  };
}

function lengthOf(raw: Uint8Array, { edits }: StagingOrder): number {
  return edits.reduce((sum, edit) => sum + edit.old_string.length + edit.new_string.length, raw.length);
}

function* packSteps(text: TextAside, { name, edits }: StagingOrder): Steps<Uint8Array[]> {
  const parts: Uint8Array[][] = [];
  function* packText(given: Text): Steps<Packed> {
    if (typeof given === 'string' && !isLarge(given)) return given;
    return parts.push(yield* encodeSteps(given)) - 1;
  }
  const packed: ProcessOrder['edits'][number][] = [];
  for (const { old_string, new_string } of edits)
    packed.push({ old_string: yield* packText(old_string), new_string: yield* packText(new_string) });
  const part = 'raw' in text ? parts.push([text.raw]) - 1 : undefined;
  return packParcel({ name, edits: packed, text: part } satisfies ProcessOrder, parts);
}

function unpack({ value, parts: [diff = NO_BYTES, ...added] }: Parcel): AsideAnswer {
  const answer = value as ProcessAnswer;
  if ('notText' in answer || !answer.ok) return answer;
  const splices = answer.splices.map((splice, index) => ({ ...splice, bytes: added[index] ?? NO_BYTES }));
  return { ...answer, splices, diff };
}

const NO_BYTES = Buffer.alloc(0);

function startProcess(file: string, handed: number | undefined): ChildProcess {
  // Without the flags and variables of this process: what was meant for it has no business there.
  return spawn(process.execPath, [file], {
    stdio: ['pipe', 'pipe', 'pipe', handed ?? 'ignore'],
    env: {},
    windowsHide: true,
  });
}

/** Each may take a gigabyte, and all of a processor. */
const MAX_AT_ONCE = 2;

/** Runs the processes, some at once, the others when one has ended. None outlives this process. */
function createTurnstile() {
  const running = new Set<ChildProcess>();
  const waiting: (() => void)[] = [];
  let isWatched = false;
  return async <T>(start: () => ChildProcess, use: (child: ChildProcess) => Promise<T>): Promise<T> => {
    while (running.size >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    if (!isWatched) process.once('exit', () => running.forEach((child) => void child.kill('SIGKILL')));
    isWatched = true;
    const child = start();
    running.add(child);
    const letNextIn = () => {
      if (running.delete(child)) waiting.shift()?.();
    };
    child.once('exit', letNextIn).once('error', letNextIn);
    return use(child).finally(() => void child.kill('SIGKILL'));
  };
}

function answerOf(child: ChildProcess, parcel: readonly Uint8Array[]): Promise<Parcel | undefined> {
  const incoming = new IncomingParcel();
  let words = '';
  return new Promise((resolve, reject) => {
    child.once('error', () => resolve(undefined));
    child.once('close', (code, signal) => reject(new Error(`Staging ended with ${code ?? signal}: ${words}`)));
    child.stderr?.on('data', (chunk) => {
      words = (words + chunk).slice(0, MAX_KEPT_WORDS);
    });
    child.stdout?.on('data', (chunk) => {
      incoming.add(chunk);
      const answer = incoming.content();
      if (answer) resolve(answer);
    });
    child.stdin?.on('error', () => {}); // It has ended, and that is told.
    for (const piece of parcel) child.stdin?.write(piece);
    child.stdin?.end();
  });
}
