/** The failures of a sandboxed command that no other command can have. */
import { Fault } from '../../../contract/fault';

declare module '../../../contract/fault' {
  interface FaultFacts {
    /** A command made or replaced a protected name. It was ended; `fate` says what became of the entry. */
    protected_name: { path: string; command: string; fate: string };
    /** Commands may only run in a sandbox, and there is none. */
    sandbox_unavailable: { problem: string; remedy: string };
  }
}

export function sandboxUnavailable(problem: string, remedy: string): Fault<'sandbox_unavailable'> {
  return new Fault('sandbox_unavailable', { problem, remedy });
}
