/** Where an attack takes place: a workspace, a home with secrets, and things outside that it may try to reach. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';

export const SECRET = 'SECRET-4f1d';
/** News of what a script reached, a death or a visit, come this much after its own end, if nothing else is going on. */
export const NEWS_MS = 100;
const LIMIT_MS = 5000;

export interface Place extends Grounds {
  /** A process that an attack may try to harm. */
  readonly decoy: ChildProcess;
  readonly isDecoyAlive: () => boolean;
}

export interface Grounds {
  readonly root: string;
  readonly home: string;
  readonly outside: string;
  /** The process of the server. */
  readonly server: number;
}

/** Listeners of this process: each notes who came. */
export interface Listeners {
  readonly tcpPort: number;
  readonly udpPort: number;
  readonly ownAddress: string | undefined;
  readonly socketPath: string;
  readonly abstractName: string;
  readonly datagramName: string;
  /** Who came since the last question. */
  heard(): string[];
  close(): void;
}

export function makePlace(folder: string): Place {
  const place = mkdtempSync(join(folder, 'place-'));
  return furnish({
    root: join(place, 'workspace'),
    home: join(place, 'home'),
    outside: join(place, 'outside'),
    server: process.pid,
  });
}

/** Puts into empty folders what the attacks look for. */
export function furnish(grounds: Grounds): Place {
  const { root, home, outside } = grounds;
  for (const path of [root, outside, join(home, '.ssh'), join(home, '.aws')]) mkdirSync(path, { recursive: true });
  writeFileSync(join(home, '.ssh/id_rsa'), SECRET);
  writeFileSync(join(home, '.aws/credentials'), SECRET);
  writeFileSync(join(home, '.npmrc'), `//registry.example/:_authToken=${SECRET}\n`);
  writeFileSync(join(home, '.bashrc'), 'untouched');
  writeFileSync(join(outside, 'victim'), 'untouched');
  makeRepository(root);
  const decoy = spawn('sleep', ['600'], { cwd: '/', stdio: 'ignore' });
  return { ...grounds, decoy, isDecoyAlive: () => decoy.exitCode === null && decoy.signalCode === null };
}

/** Everything that a command left running: by its working directory, environment or command line. */
export function leftAlive({ root }: Pick<Place, 'root'>): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .filter((pid) => {
      const where = [link(`/proc/${pid}/cwd`), text(`/proc/${pid}/environ`), text(`/proc/${pid}/cmdline`)];
      return where.some((value) => value.includes(root));
    });
}

/** What a script of the attacks finds in its arguments, from the first on. */
export function argumentsFor(place: Place, listeners: Listeners): string[] {
  const { tcpPort, udpPort, ownAddress = '127.0.0.1', socketPath, abstractName, datagramName } = listeners;
  const { outside, home, server, decoy } = place;
  return [
    ...[outside, home, server, decoy.pid, tcpPort, ownAddress, udpPort],
    ...[socketPath, abstractName, datagramName],
  ].map(String);
}

export async function openListeners(folder: string): Promise<Listeners> {
  const heard: string[] = [];
  const name = `tenon-${process.pid}`;
  const socketPath = join(folder, 'service.sock');
  const listen = (label: string) =>
    createServer((socket) => {
      heard.push(label);
      socket.destroy();
    });
  const [tcp, path, abstract] = [listen('tcp'), listen('path'), listen('abstract')];
  const udp = createSocket('udp4', () => heard.push('udp'));
  await Promise.all([
    new Promise<void>((resolve) => tcp.listen(0, '0.0.0.0', resolve)),
    new Promise<void>((resolve) => path.listen(socketPath, resolve)),
    new Promise<void>((resolve) => abstract.listen(`\0${name}`, resolve)),
    new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve)),
  ]);
  const datagramName = `${name}-datagram`;
  const datagram = await listenForDatagrams(datagramName, () => heard.push('datagram'));
  const address = tcp.address();
  return {
    tcpPort: typeof address === 'object' && address ? address.port : 0,
    udpPort: udp.address().port,
    ownAddress: Object.values(networkInterfaces())
      .flat()
      .find((entry) => entry && !entry.internal && entry.family === 'IPv4')?.address,
    socketPath,
    abstractName: name,
    datagramName,
    heard: () => heard.splice(0),
    close() {
      for (const server of [tcp, path, abstract]) server.close();
      udp.close();
      datagram.kill('SIGKILL');
    },
  };
}

/** Node has no local datagram sockets. */
async function listenForDatagrams(name: string, hear: () => void): Promise<ChildProcess> {
  const code = `import socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind('\\0${name}'); print('ready', flush=True)
while True: s.recv(9); print('heard', flush=True)`;
  const child = spawn('python3', ['-c', code], { cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error('no datagram listener')), LIMIT_MS);
    child.stdout.setEncoding('utf8').on('data', (said: string) => {
      if (said.includes('heard')) hear();
      clearTimeout(limit);
      resolve();
    });
  });
  return child;
}

function makeRepository(root: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: root });
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'first');
  mkdirSync(join(root, '.git/worktrees/other'), { recursive: true });
  writeFileSync(join(root, '.git/worktrees/other/commondir'), '../..\n');
  mkdirSync(join(root, '.vscode'));
  writeFileSync(join(root, '.vscode/settings.json'), '{}');
}

function text(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
