/**
 * Writes the generated files, or with --check fails when one is stale. First the index of the tools; it decides what
 * the rest is made from, so the rest runs in a process of its own (gen-documents.ts).
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settle } from './generated-file';

const SETS = ['editor', 'workspace', 'repo'];

const imports: string[] = [];
const lists: string[] = [];
for (const set of SETS) {
  const files = readdirSync(join('src/tools', set))
    .filter((file) => isToolFile(join('src/tools', set, file)))
    .sort();
  const names = files.map((file) => exportOf(join('src/tools', set, file)));
  for (const [at, file] of files.entries())
    imports.push(`import { ${names[at]} } from './${set}/${file.replace(/\.ts$/, '')}';`);
  lists.push(`export const ${set}Tools: readonly Tool[] = [${names.join(', ')}];`);
}
settle(
  'src/tools/index.generated.ts',
  `// Written by \`npm run gen\` from the files of src/tools; do not edit.\nimport type { Tool } from '../contract/contract';\n${imports.sort().join('\n')}\n\n${lists.join('\n')}\n`,
);
execFileSync(process.execPath, ['scripts/run.mjs', 'scripts/gen-documents.ts', ...process.argv.slice(2)], {
  stdio: 'inherit',
});

function isToolFile(path: string): boolean {
  return path.endsWith('.ts') && readFileSync(path, 'utf8').includes('= defineTool(');
}

function exportOf(path: string): string {
  const name = /export const (\w+) = defineTool\(/.exec(readFileSync(path, 'utf8'))?.[1];
  if (!name) throw new Error(`${path} defines no tool`);
  return name;
}
