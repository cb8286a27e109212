import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a generated file; with --check, fails instead when it is not current. */
export function settle(path: string, content: string): void {
  const current = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (current === content) return;
  if (process.argv.includes('--check')) {
    process.stderr.write(`${path} is stale: run npm run gen\n`);
    process.exit(1);
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  process.stdout.write(`wrote ${path}\n`);
}
