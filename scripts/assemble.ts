/** WebAssembly from its text form, as base64 in JSON. */
import { readFileSync } from 'node:fs';
import wabt from 'wabt';

export async function assemble(file: string): Promise<string> {
  const { parseWat } = await wabt();
  const { buffer } = parseWat(file, readFileSync(file, 'utf8'), { simd: true }).toBinary({});
  return `${JSON.stringify({ wasm: Buffer.from(buffer).toString('base64') })}\n`;
}
