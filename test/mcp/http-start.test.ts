/** The life of the HTTP door as a process: what it prints, how it ends, and when it does not start. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { binary } from '../harness/binary';
import { startHttpServer } from '../harness/http-server';
import { makeWorkspace } from '../harness/workspace';
import { connectClient } from './http-clients';
import { sendRaw } from './raw-http';

const workspace = makeWorkspace();
afterAll(() => workspace.remove());

const OWN_TOKEN = 'a-token-of-my-own-$"';

describe('what it prints', () => {
  it('gives a fresh token and everything a client needs, each ready to paste', async () => {
    const { firstLines, stop } = await start(['--http', '127.0.0.1:0', '--read-only', '--toolsets', 'editor,repo']);
    const [first = ''] = firstLines.split('\n');
    const url = /^Tenon \d+\.\d+\.\d+ is serving at (http:\/\/127\.0\.0\.1:\d+\/mcp)$/.exec(first)?.[1];
    const token = /Token +(\S+)/.exec(firstLines)?.[1];
    expect(Buffer.from(token ?? '', 'base64url')).toHaveLength(32);
    expect(firstLines).toContain(workspace.root);
    expect(firstLines).toContain('3 of editor, repo (read-only)');
    const bearer = `Bearer ${token}`;
    const json = firstLines.slice(firstLines.indexOf('{\n'), firstLines.indexOf('\n  }\n') + 4);
    expect(JSON.parse(json)).toEqual({
      mcpServers: { tenon: { type: 'http', url, headers: { Authorization: bearer } } },
    });
    expect(firstLines).toContain(`claude mcp add --transport http tenon ${url} --header "Authorization: ${bearer}"`);
    expect(firstLines).toContain(`url = "${url}"\n  http_headers = { Authorization = "${bearer}" }`);
    expect(firstLines).not.toContain('\u001b');
    expect(await stop()).toMatchObject({ code: 0 });
  });

  it('quotes a token of the user’s own for the shell and for TOML', async () => {
    const { firstLines, stop } = await start(['--http', '127.0.0.1:0'], { TENON_TOKEN: OWN_TOKEN });
    expect(firstLines).toContain(`--header 'Authorization: Bearer ${OWN_TOKEN}'`);
    expect(firstLines).toContain(String.raw`Authorization = "Bearer a-token-of-my-own-$\""`);
    await stop();
  });
});

describe('how it ends', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends by %s within two seconds, with its commands and exit code 0',
    async (signal) => {
      const server = await startHttpServer(['--root', workspace.root]);
      const client = await connectClient('v1', server);
      const modern = await connectClient('v2 modern', server);
      const pids = [`${signal}-old`, `${signal}-new`];
      const calls = [client, modern].map((each, at) => {
        const script = `process.on('SIGTERM', () => {}); fs.writeFileSync('${pids[at]}', String(process.pid)); setInterval(() => {}, 1000)`;
        return each.call('run_command', { command: 'node', args: ['-e', script], timeoutMs: 60_000 }).catch(() => {});
      });
      await vi.waitFor(() => expect(pids.map((pid) => existsSync(workspace.path(pid)))).toEqual([true, true]), 10_000);
      const began = performance.now();
      const ended = new Promise((resolve) => server.process.once('exit', (code) => resolve(code)));
      server.process.kill(signal);
      expect(await ended).toBe(0);
      expect(performance.now() - began).toBeLessThan(2500);
      for (const pid of pids) expect(() => process.kill(Number(workspace.read(pid)), 0)).toThrow('ESRCH');
      await Promise.all([client.close(), modern.close(), ...calls]);
    },
  );

  it('goes on when nobody reads what it prints', async () => {
    const { child, stop } = await start(['--http', '127.0.0.1:0']);
    child.stdout.destroy();
    expect(await stop()).toMatchObject({ code: 0 });
  });
});

describe('when it does not start', () => {
  it.each(['0.0.0.0:0', '[::]:0', '192.0.2.1:0', 'example.com:0'])('wants a token for %s', async (address) => {
    const { code, stderr, stdout } = await run(['--http', address]);
    expect({ code, stdout, lines: stderr.trim().split('\n') }).toEqual({
      code: 2,
      stdout: '',
      lines: [expect.stringContaining('TENON_TOKEN')],
    });
  });

  it('says that the port is in use', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const { port } = holder.address() as { port: number };
    expect(await run(['--http', `127.0.0.1:${port}`])).toEqual({
      code: 2,
      stdout: '',
      stderr: `tenon: Port ${port} on 127.0.0.1 is in use; choose another with --http HOST:PORT\n`,
    });
    holder.close();
  });

  it('says that the address is not of this machine', async () => {
    expect(await run(['--http', '192.0.2.1:7437'], { TENON_TOKEN: OWN_TOKEN })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'tenon: 192.0.2.1 is no address of this machine; choose another with --http HOST:PORT\n',
    });
  });
});

const lan = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address;

it.runIf(lan)('on every address, answers to the address that was used and to no other name', async () => {
  const { firstLines, stop } = await start(['--http', '0.0.0.0:0'], { TENON_TOKEN: OWN_TOKEN });
  const port = /127\.0\.0\.1:(\d+)\/mcp/.exec(firstLines)?.[1];
  expect(firstLines).toContain('Listening on every address');
  const statusFor = async (host: string) => {
    const head = `GET /mcp HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    return (await sendRaw(`http://${lan}:${port}`, [head])).status;
  };
  expect(await statusFor(`${lan}:${port}`)).toBe(401);
  expect(await statusFor(`localhost:${port}`)).toBe(401);
  expect(await statusFor(`evil.example.com:${port}`)).toBe(403);
  await stop();
});

function launch(flags: readonly string[], env: NodeJS.ProcessEnv) {
  return spawn(process.execPath, [binary, 'serve', '--root', workspace.root, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
}

async function start(flags: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = launch(flags, env);
  let firstLines = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    firstLines += chunk;
    if (firstLines.includes('Ctrl+C')) break;
  }
  const ended = new Promise<{ code: number | null }>((resolve) => child.once('exit', (code) => resolve({ code })));
  return {
    child,
    firstLines,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

async function run(flags: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = launch(flags, env);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}
