/**
 * One JSON value on one line. A string in JSON never holds a raw line break, so every run of blanks with a line break
 * in it stands between two tokens and may become one space; all other characters stay as they are.
 */
export function foldJson(entry: string): FoldedJson {
  if (!entry.isWellFormed()) return { ok: false, problem: 'contains half of a surrogate pair' };
  try {
    JSON.parse(entry);
  } catch (error) {
    return { ok: false, problem: `is not one JSON value: ${error instanceof Error ? error.message : String(error)}` };
  }
  const line = entry.replace(BLANKS, (run, at: number) => {
    if (at === 0 || at + run.length === entry.length) return '';
    return /[\r\n]/.test(run) ? ' ' : run;
  });
  return { ok: true, line };
}

export type FoldedJson =
  | { readonly ok: true; readonly line: string }
  | { readonly ok: false; readonly problem: string };

const BLANKS = /[ \t\r\n]+/g;
