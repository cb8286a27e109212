/** What went wrong in servers of this kind and in the programs around them. docs/advisories.md has the same rows. */

export interface Advisory {
  readonly number: number;
  readonly name: string;
  readonly what: string;
}

export const ADVISORIES: readonly Advisory[] = [
  ['CVE-2025-53110', 'a sibling folder whose name begins like the root'],
  ['CVE-2025-53109, GHSA-q66q-fx2p-7w4m', 'a symlink in the workspace that leads outside'],
  ['gstack pull request 1420', 'a folder swapped for a link between check and use'],
  ['Desktop Commander issue 420', 'a link to a place that does not exist yet'],
  ['cyanheads filesystem-mcp-server issue 21', 'a linked folder in the middle of the path'],
  ['pal-mcp-server issue 293', 'a list of forbidden places that misses spellings'],
  ['CVE-2026-27735, GHSA-vjqx-cfc4-9h6v', '`..` in a second path argument'],
  ['CVE-2025-68143, CVE-2025-68144, CVE-2025-68145', 'git started anywhere, with injected arguments'],
  ['mcp-server-git pull request 3545', 'a file name that a program takes for a flag'],
  ['CVE-2026-25724', 'a deny rule that is asked before links are resolved'],
  ['CVE-2026-25725', 'a sandboxed program makes a settings file that was absent'],
  ['CVE-2026-39861', 'a sandboxed program plants a link for the tools outside'],
  ['CVE-2026-46406', 'temporary files with fixed names, readable by all'],
  ['CVE-2025-11491, Desktop Commander issues 217, 218, 421', 'a blocklist of commands that is written around'],
  ['CVE-2026-5058, CVE-2026-23744, CVE-2026-30623', 'flags of an allowed program'],
  ['CVE-2026-22708', 'variables that make a program load code'],
  ['CVE-2025-66414, CVE-2025-66416, CVE-2026-34742, CVE-2026-42559', 'DNS rebinding'],
  ['CVE-2025-49596, CVE-2026-32211', 'a local server without authentication'],
  ['CVE-2026-25536, GHSA-345p-7cg4-v4c7', 'replies that go to another client'],
  ['GHSA-8r9q-7v3j-jr4g', 'a regular expression that runs away'],
  ['CVE-2025-6514, CVE-2025-54135, CVE-2025-54136', 'clients that trust an address or a config file'],
  ['CVE-2024-27980, CVE-2024-36138', 'batch files on Windows'],
  ['NTFS streams, device names, control characters', 'names that mean something else'],
  ['CVE-2024-32021', 'a swap just before the last step of a move'],
  ['CVE-2026-40576, CVE-2026-33989, CVE-2026-32871', 'traversal in other spellings'],
].map(([name = '', what = ''], at) => ({ number: at + 1, name, what }));
