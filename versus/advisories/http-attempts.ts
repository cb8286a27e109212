/** The advisories about HTTP doors. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendRaw } from '../../test/mcp/raw-http';
import { crossedAnswers } from '../http-pair';
import { BAD_REQUESTS, bytesOf, goodRequest } from '../http-requests';
import { makeFolder } from '../places';
import type { HttpAdapter, HttpDoor, Launch, Server } from '../server';
import { statusOf } from '../trials/http-attacks';
import { firstThrough, type Verdict } from './verdict';

const START_MS = 5_000;
const CALLS = 80;

export async function tryHttp(server: Server, advisory: number): Promise<Verdict> {
  const { http } = server;
  if (!http) return 'does not apply';
  const folder = makeFolder({ inMemory: false });
  try {
    if (advisory === 17) return await inDoor(http.start(folder.path), (door) => tryRequests(door, 17));
    if (advisory === 18) return await tryWithoutToken(http, folder.path);
    return await inDoor(http.start(folder.path), (door) => tryPair(server, door, folder.path));
  } finally {
    folder.remove();
  }
}

async function inDoor(opening: Promise<HttpDoor>, work: (door: HttpDoor) => Promise<Verdict>): Promise<Verdict> {
  const door = await opening;
  try {
    return await work(door);
  } finally {
    await door.stop();
  }
}

function tryRequests(door: HttpDoor, advisory: number): Promise<Verdict> {
  const requests = BAD_REQUESTS.filter((request) => request.advisory === advisory);
  return firstThrough(
    requests.map((request) => async () => {
      const status = await statusOf(door, request);
      return status !== undefined && status < 400 ? `${request.name} was answered with ${status}` : undefined;
    }),
  );
}

/** With a token set, as it is started when none is set, and on all addresses without one. */
async function tryWithoutToken(http: HttpAdapter, root: string): Promise<Verdict> {
  const secured = await inDoor(http.start(root), (door) => tryRequests(door, 18));
  if (secured !== 'refused') return secured;
  const open = await inDoor(http.start(root, { secured: false }), async (door) => {
    const { headers, ...good } = goodRequest();
    const request = { ...good, headers: { ...headers, Authorization: undefined } };
    const { status } = await sendRaw(door.url, bytesOf(door, request));
    return status < 400 ? 'got through: started without a token, it asks nobody for one' : 'refused';
  });
  if (open !== 'refused') return open;
  return (await staysAlive(http.exposed(root))) ? 'got through: it serves every address without a token' : 'refused';
}

async function tryPair(server: Server, door: HttpDoor, root: string): Promise<Verdict> {
  const crossed = await crossedAnswers(server, door, root, CALLS);
  return crossed > 0 ? `got through: ${crossed} answers went to another client` : 'refused';
}

async function staysAlive({ command, args }: Launch): Promise<boolean> {
  const { TENON_TOKEN: _, ...env } = process.env;
  const child = spawn(command, args, { stdio: 'ignore', env });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await Promise.race([ended, sleep(START_MS, undefined, { ref: false })]);
  const isAlive = child.exitCode === null;
  child.kill('SIGKILL');
  return isAlive;
}
