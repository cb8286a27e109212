/**
 * What the runner needs to know of a program that runs in a sandbox. The program it starts is the sandbox's own; the
 * command is inside, in a process namespace that dies with its first process.
 */
import type { Fault } from '../../contract/fault';
import type { Started } from './start-program';

/** The path of a file that is opened at each start, or bytes that go through a pipe. */
export type Handed = string | Uint8Array;

export interface Confinement {
  /** What the sandbox reads from descriptors 3, 4, …; it reports on the descriptor after the last of them. */
  readonly handed: readonly Handed[];
  /** Descriptors of this process that the sandbox must not inherit (see inherited-descriptors). */
  readonly masked: readonly number[];
  /** Called right before the start. */
  guard(): Guard;
  /** A sandbox that was waiting, and has been told to run the command; undefined where one has to be started. */
  ready(): Started | undefined;
  /** What it means when the sandbox ended without having started the command, saying this. */
  explain(stderr: string): Fault;
}

export interface Guard {
  /** Resolves when the command did what it must not do; it is to be ended at once. */
  readonly tripped: Promise<void>;
  /** To be called when nothing of the command is alive any more. A fault if it did what it must not do. */
  settle(): Promise<Fault | undefined>;
}
