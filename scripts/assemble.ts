/** WebAssembly from its text form: all modules of a folder by their names, each as base64, in JSON. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import wabt from 'wabt';

export async function assemble(folder: string): Promise<string> {
  const { parseWat } = await wabt();
  const modules = readdirSync(folder)
    .filter((file) => file.endsWith('.wat'))
    .map((file) => {
      const { buffer } = parseWat(file, readFileSync(join(folder, file), 'utf8'), { simd: true }).toBinary({});
      return [basename(file, '.wat'), Buffer.from(buffer).toString('base64')];
    });
  return `${JSON.stringify(Object.fromEntries(modules), null, 1)}\n`;
}
