// Fails when an import points the wrong way between the folders of src/ (see ARCHITECTURE.md).
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { home } from './prepare.mjs';

const src = join(home, 'src');
/** For each layer: the layers it may import besides itself, and the packages it may name. */
const allowed = {
  text: { layers: [], packages: ['node:buffer'] },
  contract: { layers: ['text'], packages: ['zod'] },
  tools: { layers: ['text', 'contract'], packages: ['zod'] },
  services: { layers: ['text', 'contract'], packages: ['node:', 'pino'] },
  engine: { layers: ['contract'], packages: [] },
  mcp: { layers: ['text', 'contract', 'engine', 'tools'], packages: ['node:', '@modelcontextprotocol/'] },
  acp: { layers: ['text', 'contract', 'engine', 'tools'], packages: ['node:', '@agentclientprotocol/'] },
  cli: { layers: ['text', 'contract', 'engine', 'tools'], packages: ['node:'] },
};
const faults = [...files(src)].flatMap(check);
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exit(1);
process.stdout.write('layers: every import points the right way\n');

function check(file) {
  const layer = layerOf(file);
  const rule = allowed[layer];
  if (!rule) return [];
  const source = readFileSync(file, 'utf8');
  return [
    ...source.matchAll(
      /^(?:import|export)\s(?:[\w*{}\s,]+\sfrom\s)?'([^']+)'|\b(?:import|require)\(\s*'([^']+)'\s*\)/gm,
    ),
  ].flatMap(([, named, loaded]) => {
    const target = named ?? loaded;
    const wrong = target.startsWith('.') ? wrongFolder(file, layer, rule, target) : wrongPackage(rule, target);
    return wrong ? [`${relative(home, file)}: ${layer}/ may not import ${target}`] : [];
  });
}

function wrongFolder(file, layer, rule, target) {
  const other = layerOf(resolve(dirname(file), target));
  return other !== layer && !rule.layers.includes(other);
}

function wrongPackage(rule, target) {
  return !rule.packages.some((name) => target === name || (/[:/]$/.test(name) && target.startsWith(name)));
}

function layerOf(path) {
  return relative(src, path).split(sep)[0];
}

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}
