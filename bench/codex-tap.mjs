// Stands between the bridge and the real Codex, passes every line on, and writes down when each call of a tool left
// and when its answer came back. CODEX_TAP is the file, CODEX_TAPPED the program behind it.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const child = spawn(process.execPath, [process.env.CODEX_TAPPED, ...process.argv.slice(2)], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const asked = new Map();

pass(child.stdout, process.stdout, ({ id, method, params }) => {
  if (method === 'item/tool/call') asked.set(id, { tool: params.tool, at: performance.now() });
});
pass(process.stdin, child.stdin, ({ id, method }) => {
  const call = method === undefined ? asked.get(id) : undefined;
  if (!call) return;
  asked.delete(id);
  appendFileSync(process.env.CODEX_TAP, `${JSON.stringify({ tool: call.tool, ms: performance.now() - call.at })}\n`);
});
process.stdin.on('end', () => child.stdin.end());
child.on('exit', (code) => process.exit(code ?? 1));

function pass(from, to, look) {
  let rest = '';
  from.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (line !== '') look(JSON.parse(line));
      to.write(`${line}\n`);
    }
  });
}
