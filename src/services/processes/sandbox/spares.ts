/**
 * Keeps sandboxes ready for the next commands: as many as were of use lately. To make one takes as long as many a
 * command, so it is done when no command has been started for a moment, and beside one only where none is left. A shell
 * waits inside for one line: which program to become, in which directory, with which environment. A spare that does not
 * show what a new one would (see likeness) is let go; so is one that nobody needs.
 */
import { realpathSync } from 'node:fs';
import { Socket } from 'node:net';
import { basename } from 'node:path';
import { yieldToLoop } from '../../../text/yield-to-loop';
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

export interface Spares {
  /** A waiting sandbox, told to run the command; undefined where there is none like this. */
  take(likeness: string | undefined, inside: Inside): Started | undefined;
  /** A command has been started: makes others for the next ones. */
  renew(describe: () => EmptySandbox): void;
  /** Lets go of those that wait. */
  end(): void;
}

/** Both are asked for inside as well, where the system's folders are the same. */
const SHELL = '/bin/sh';
const ENV = '/usr/bin/env';
/** The command that was just started goes first. */
const AT_ONCE_MS = 1;
/** A small command that was started so long ago has ended, and no other has come. */
const WHEN_QUIET_MS = 100;
const KEPT_MS = 60_000;
/** They are three small processes each. */
const MOST = 4;
/** So many that ended before anybody needed them: there is something about this system, and no more are made. */
const MAX_FAILURES = 3;
/** The others mean something to the shell itself, or are none to it. */
const ORDINARY_NAME = /^(?!(?:OPTIND|PPID|LINENO)$)[A-Za-z_]\w*$/;
/** What is longer may be too long for the system, which says so only to whoever starts the program itself. */
const MAX_LINE_CHARACTERS = 65_536;

interface Waiting {
  readonly started: Started;
  readonly likeness: string;
  readonly marker: string;
  readonly onGone: () => void;
  readonly expiry: NodeJS.Timeout;
}

export function createSpares({ keptMs = KEPT_MS }: { keptMs?: number } = {}): Spares {
  /** The oldest first. */
  let waiting: readonly Waiting[] = [];
  let renewal: NodeJS.Timeout | undefined;
  let wanted = 1;
  let failures = 0;

  function start({ bwrap, args, likeness, handed, masked }: EmptySandbox): boolean {
    if (likeness === undefined) return false;
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
    if (!started) return false;
    const onGone = () => {
      clearTimeout(expiry);
      started.tree.forget();
      for (const stream of child.stdio) stream?.destroy();
      if (!waiting.includes(one)) return;
      waiting = waiting.filter((each) => each !== one);
      failures++;
    };
    const expiry = setTimeout(() => letGoUnused([one]), keptMs).unref();
    const one: Waiting = { started, likeness, marker, onGone, expiry };
    child.once('exit', onGone);
    keepAwake(started, false);
    waiting = [...waiting, one];
    return true;
  }

  function letGoUnused(ones: readonly Waiting[]): void {
    if (ones.length > 0) wanted = 1;
    waiting = waiting.filter((each) => !ones.includes(each));
    for (const { started, expiry } of ones) {
      clearTimeout(expiry);
      // At the end of its input the shell ends, and the sandbox with it.
      started.child.stdin?.end();
    }
  }

  function make(describe: () => EmptySandbox): void {
    if (waiting.length >= wanted || failures >= MAX_FAILURES || ![SHELL, ENV].every(isExecutable)) return;
    try {
      if (start(describe())) makeLater(WHEN_QUIET_MS, describe);
    } catch {
      // Whatever is wrong, the next command meets it too, and says so.
    }
  }

  /** In a turn of its own: it takes as long as to start a command. */
  function makeLater(afterMs: number, describe: () => EmptySandbox): void {
    const timer = setTimeout(async () => {
      await yieldToLoop();
      if (renewal === timer) make(describe);
    }, afterMs).unref();
    renewal = timer;
  }

  return {
    take(likeness, inside) {
      letGoUnused(waiting.filter((each) => each.likeness !== likeness));
      const [one, ...others] = waiting;
      const line = one && lineFor(inside, one.marker);
      if (!one || line === undefined) return undefined;
      waiting = others;
      wanted = Math.min(2 * wanted, MOST);
      failures = 0;
      clearTimeout(one.expiry);
      one.started.child.off('exit', one.onGone);
      keepAwake(one.started, true);
      one.started.child.stdin?.end(line);
      return one.started;
    },
    renew(describe) {
      clearTimeout(renewal);
      makeLater(waiting.length === 0 ? AT_ONCE_MS : WHEN_QUIET_MS, describe);
    },
    end() {
      clearTimeout(renewal);
      renewal = undefined;
      letGoUnused(waiting);
    },
  };
}

/** What the shell reads; undefined where it could not do what a sandbox does by itself. */
export function lineFor({ file, args, directory, env }: Inside, marker: string): string | undefined {
  if (file.includes('=') || !isExecutable(file)) return undefined;
  const variables = Object.entries({ ...env, [MARKER_VARIABLE]: marker });
  const program = [file, ...args].map(quote).join(' ');
  const line = `cd ${quote(directory)} && ${withOnly(variables)} ${program} </dev/null\n`;
  return line.length > MAX_LINE_CHARACTERS ? undefined : line;
}

/**
 * Becomes what follows, with nothing but these variables. Of its own, dash hands on those two alone; by way of `env`, as
 * with any other shell, it takes one to two milliseconds longer.
 */
function withOnly(variables: readonly (readonly [string, string])[]): string {
  if (isDash() && variables.every(([name]) => ORDINARY_NAME.test(name)))
    return `unset PWD OLDPWD && ${variables.map(([name, value]) => `${name}=${quote(value)}`).join(' ')} exec`;
  return ['exec', ENV, '-i', ...variables.map(([name, value]) => quote(`${name}=${value}`))].join(' ');
}

function isDash(): boolean {
  shell ??= basename(realpathSync(SHELL));
  return shell === 'dash';
}

let shell: string | undefined;

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Whether the server stays for it. */
function keepAwake({ child }: Started, isNeeded: boolean): void {
  const handles = [child, ...child.stdio.filter((stream) => stream instanceof Socket)];
  for (const handle of handles) isNeeded ? handle.ref() : handle.unref();
}
