/**
 * Writes the generated files, or with --check fails when one is stale. First the index of the tools; it decides what
 * the rest is made from, so the rest runs in a process of its own (gen-documents.ts).
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settle } from './generated-file';

const SETS = ['editor', 'workspace', 'repo'];

/** In this order the tools are listed: looking before changing. */
const EFFECTS = ['read', 'create', 'append', 'change', 'replace', 'remove', 'run'];

const imports: string[] = [];
const lists: string[] = [];
for (const set of SETS) {
  const tools = readdirSync(join('src/tools', set)).flatMap((file) => toolIn(set, file));
  tools.sort((a, b) => EFFECTS.indexOf(a.effect) - EFFECTS.indexOf(b.effect) || (a.file < b.file ? -1 : 1));
  for (const { name, file } of tools) imports.push(`import { ${name} } from './${set}/${file}';`);
  lists.push(`export const ${set}Tools: readonly Tool[] = [${tools.map(({ name }) => name).join(', ')}];`);
}
settle(
  'src/tools/index.generated.ts',
  `// Written by \`npm run gen\` from the files of src/tools; do not edit.\nimport type { Tool } from '../contract/contract';\n${imports.sort().join('\n')}\n\n${lists.join('\n')}\n`,
);
execFileSync(process.execPath, ['scripts/run.mjs', 'scripts/gen-documents.ts', ...process.argv.slice(2)], {
  stdio: 'inherit',
});

function toolIn(set: string, file: string): { name: string; file: string; effect: string }[] {
  const source = readFileSync(join('src/tools', set, file), 'utf8');
  const name = /export const (\w+) = defineTool\(/.exec(source)?.[1];
  const effect = /^ {4}effect: '(\w+)'/m.exec(source)?.[1];
  return name && effect ? [{ name, effect, file: file.replace(/\.ts$/, '') }] : [];
}
