/**
 * A failure is a value with facts. Services and tools throw it; the engine looks its kind up in the tool's error
 * table and fills the facts into the message there. Nobody but a table writes prose.
 */
export class Fault<K extends FaultKind = FaultKind> extends Error {
  readonly kind: K;
  readonly facts: FaultFacts[K];

  constructor(kind: K, facts: FaultFacts[K]) {
    super(kind);
    this.name = 'Fault';
    this.kind = kind;
    this.facts = facts;
  }
}

export type FaultKind = keyof FaultFacts & string;

/**
 * Which facts each kind of failure carries. An interface, so that a tool with a failure of its own can add it from
 * its own file by declaration merging.
 */
export interface FaultFacts {
  // Bad arguments
  invalid_argument: { parameter: string; problem: string; expected?: string };
  path_not_absolute: { path: string };
  invalid_path: { path: string; problem: string };

  // The wall
  outside_roots: { path: string; problem: string };
  blocked_path: { path: string; pattern: string };
  protected_path: { path: string; name: string };

  // What is or is not there
  file_not_found: { path: string };
  parent_not_found: { path: string; parent: string };
  directory_not_found: { path: string };
  not_a_file: { path: string; found: string };
  is_directory: { path: string };
  not_a_directory: { path: string; found: string };
  already_exists: { path: string; found: string };
  directory_not_empty: { path: string; entries: number };
  into_itself: { path: string; to: string };

  // What the file holds
  not_text: { path: string; reason: 'binary'; problem: string };
  too_large: { path: string; bytes: number; limit: number };

  // What the system said
  permission_denied: { path: string };
  read_only_filesystem: { path: string };
  disk_full: { path: string; bytes: number };
  busy: { path: string; problem: string };
  system_error: { path: string; problem: string };

  // What the editor said
  editor_failed: { path: string; said: string };

  // Edits
  string_not_found: { path: string; old_string: string; index?: number } & MatchFacts;
  string_not_unique: { path: string; old_string: string; index: number; count: number; lines: number[] };
  edit_conflict: { path: string; index: number; prior_index: number; old_string: string };
  count_mismatch: { path: string; count: number; expected: number; lines: number[] };
  changed_meanwhile: { path: string };

  // Commands
  command_not_allowed: { command: string; allowed: string[] };
  command_not_installed: { command: string; allowed: string[]; problem: string };

  // Approval
  not_approved: { file: string; problem: string };
  approval_unavailable: { file: string; remedy: string };

  // The call itself
  cancelled: { reason: string };
}

/** What helps the next try after a failed match; the fields are those of `text/match-help`. */
export interface MatchFacts {
  help: Record<string, unknown>;
}
