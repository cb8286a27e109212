/**
 * Keeps one sandbox ready for the next command. To make one takes as long as many a command, so the next is made while
 * the last one is used. A shell waits inside for one line: which program to become, in which directory, with which
 * environment. A spare that does not show what a new one would (see likeness) is let go; so is one that nobody needs.
 */
import { Socket } from 'node:net';
import type { Confinement } from '../confinement';
import { createMarker, MARKER_VARIABLE } from '../environment';
import { launch, type Started, startedBy } from '../start-program';
import { isExecutable } from './view';

/** A command as it is to run inside. */
export interface Inside {
  readonly file: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A sandbox that can be started now, without the program in it. */
export interface EmptySandbox extends Pick<Confinement, 'handed' | 'masked'> {
  readonly bwrap: string;
  readonly args: readonly string[];
  /** What it shows of the roots; undefined where that cannot be told. */
  readonly likeness: string | undefined;
}

export interface Spare {
  /** The waiting sandbox, told to run the command; undefined where there is none like this. */
  take(likeness: string | undefined, inside: Inside): Started | undefined;
  /** Makes another in a moment, unless one waits. */
  renew(describe: () => EmptySandbox): void;
  /** Lets go of the one that waits. */
  end(): void;
}

/** Both are asked for inside as well, where the system's folders are the same. */
const SHELL = '/bin/sh';
const ENV = '/usr/bin/env';
/** The command that was just started goes first. */
const RENEWED_AFTER_MS = 1;
const KEPT_MS = 60_000;
/** So many that ended before anybody needed them: there is something about this system, and no more are made. */
const MAX_FAILURES = 3;
/** What is longer may be too long for the system, which says so only to whoever starts the program itself. */
const MAX_LINE_CHARACTERS = 65_536;

interface Waiting {
  readonly started: Started;
  readonly likeness: string;
  readonly marker: string;
  readonly onGone: () => void;
}

export function createSpare({ keptMs = KEPT_MS }: { keptMs?: number } = {}): Spare {
  let waiting: Waiting | undefined;
  let renewal: NodeJS.Timeout | undefined;
  let expiry: NodeJS.Timeout | undefined;
  let failures = 0;

  function end(): void {
    clearTimeout(renewal);
    clearTimeout(expiry);
    renewal = undefined;
    // At the end of its input the shell ends, and the sandbox with it.
    waiting?.started.child.stdin?.end();
    waiting = undefined;
  }

  function start({ bwrap, args, likeness, handed, masked }: EmptySandbox): void {
    if (likeness === undefined) return;
    const marker = createMarker();
    const confinement = { handed, masked };
    const plan = {
      file: bwrap,
      args: [...args, SHELL],
      cwd: '/',
      env: { [MARKER_VARIABLE]: marker },
      marker,
      confinement,
    };
    const child = launch(plan, { stdin: 'pipe' });
    child.on('error', () => {});
    child.stdin?.on('error', () => {});
    const started = startedBy(child, plan);
    if (!started) return;
    const onGone = () => {
      started.tree.forget();
      for (const stream of child.stdio) stream?.destroy();
      if (waiting?.started !== started) return;
      waiting = undefined;
      failures++;
    };
    child.once('exit', onGone);
    keepAwake(started, false);
    waiting = { started, likeness, marker, onGone };
    expiry = setTimeout(end, keptMs).unref();
  }

  return {
    end,
    take(likeness, inside) {
      const one = waiting;
      const line = one && one.likeness === likeness ? lineFor(inside, one.marker) : undefined;
      if (!one || line === undefined) {
        end();
        return undefined;
      }
      clearTimeout(expiry);
      waiting = undefined;
      failures = 0;
      one.started.child.off('exit', one.onGone);
      keepAwake(one.started, true);
      one.started.child.stdin?.end(line);
      return one.started;
    },
    renew(describe) {
      if (renewal || waiting || failures === MAX_FAILURES || ![SHELL, ENV].every(isExecutable)) return;
      renewal = setTimeout(() => {
        renewal = undefined;
        try {
          start(describe());
        } catch {
          // Whatever is wrong, the next command meets it too, and says so.
        }
      }, RENEWED_AFTER_MS).unref();
    },
  };
}

/** What the shell reads; undefined where it could not do what a sandbox does by itself. */
function lineFor({ file, args, directory, env }: Inside, marker: string): string | undefined {
  if (file.includes('=') || !isExecutable(file)) return undefined;
  const variables = Object.entries({ ...env, [MARKER_VARIABLE]: marker }).map(([name, value]) => `${name}=${value}`);
  const words = [ENV, '-i', ...variables, file, ...args].map(quote);
  const line = `cd ${quote(directory)} && exec ${words.join(' ')} </dev/null\n`;
  return line.length > MAX_LINE_CHARACTERS ? undefined : line;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Whether the server stays for it. */
function keepAwake({ child }: Started, isNeeded: boolean): void {
  const handles = [child, ...child.stdio.filter((stream) => stream instanceof Socket)];
  for (const handle of handles) isNeeded ? handle.ref() : handle.unref();
}
