import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a generated file; with --check, fails instead when it is not current. */
export function settle(path: string, content: string): void {
  if (read(path) === content) return;
  if (process.argv.includes('--check')) {
    process.stderr.write(`${path} is stale: run npm run gen\n`);
    process.exit(1);
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  process.stdout.write(`wrote ${path}\n`);
}

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->` in a page that is otherwise written by hand. */
export function settleBlocks(path: string, blocks: Record<string, string>): void {
  let page = read(path) ?? '';
  for (const [name, content] of Object.entries(blocks)) {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [start, end] = [page.indexOf(open), page.indexOf(close)];
    if (start === -1 || end < start) throw new Error(`${path} has no block ${open} … ${close}`);
    page = `${page.slice(0, start + open.length)}\n${content}\n${page.slice(end)}`;
  }
  settle(path, page);
}

function read(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
