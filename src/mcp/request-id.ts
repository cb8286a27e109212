/** Finds the id of a request of which only the two ends are known. Says null rather than a wrong one. */
const ID = String.raw`"id"\s*:\s*(-?\d{1,15}|"[^"\\]{0,200}")`;
/** From the start: only top-level members stand before `params`. */
const AT_START = new RegExp(String.raw`^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*${ID}\s*[,}]`);
/** At the end: the member right before the last brace is a top-level one. */
const AT_END = new RegExp(String.raw`,\s*${ID}\s*\}\s*$`);
const NAMED_AT_END = new RegExp(String.raw`,\s*${ID}\s*,\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*\}\s*$`);

export function requestIdIn(head: string, tail: string): string | number | null {
  const found = AT_START.exec(head)?.[1] ?? AT_END.exec(tail)?.[1] ?? NAMED_AT_END.exec(tail)?.[1];
  return found === undefined ? null : (JSON.parse(found) as string | number);
}
