import { type RawAnswer, sendRaw } from '../../test/mcp/raw-http';
import { BAD_REQUESTS, type BadRequest, bytesOf, goodRequest } from '../http-requests';
import { makeFolder } from '../places';
import type { HttpDoor } from '../server';
import { type Cell, failures, NO_HTTP, type Trial } from '../trial';

const ROW = 'HTTP requests that must not get in: got in';
const ANSWER_LIMIT_MS = 3_000;

export const httpAttacks: Trial = {
  name: 'http-attacks',
  isLight: true,
  what: `${BAD_REQUESTS.length} raw requests to the HTTP door: foreign, doubled and missing Host, foreign Origin, a missing, wrong or misplaced token, bodies of a wrong type or size, headers that two readers would read differently. Counted: requests that were not refused; for our server also those refused with another status than the documented one. The others get no requests about paths, methods and sessions, which a door may treat otherwise, and are started with a token.`,
  async run(server) {
    if (!server.http) return { [ROW]: NO_HTTP };
    const folder = makeFolder({ inMemory: false });
    const door = await server.http.start(folder.path);
    try {
      await refuseDeafDoor(door);
      return { [ROW]: await knock(door, server.isOurs) };
    } finally {
      await door.stop();
      folder.remove();
    }
  },
};

/** A door that takes nothing refuses everything, and proves nothing. */
async function refuseDeafDoor(door: HttpDoor): Promise<void> {
  const { status } = await sendRaw(door.url, bytesOf(door, goodRequest()));
  if (status !== 200) throw new Error(`a good request was answered with ${status}`);
}

async function knock(door: HttpDoor, isOurs: boolean): Promise<Cell> {
  const requests = BAD_REQUESTS.filter(({ about }) => isOurs || about !== 'own');
  const wrong: string[] = [];
  for (const request of requests) {
    const status = await statusOf(door, request);
    const isRefused = isOurs ? status === request.status : status === undefined || status >= 400;
    if (!isRefused) wrong.push(`${request.name} (${status ?? 'no answer'})`);
  }
  return failures(wrong.length, requests.length, wrong.length > 0 ? [`got in: ${wrong.join(', ')}`] : []);
}

/** Undefined where the connection was closed, or nothing was said. */
export async function statusOf(door: HttpDoor, request: BadRequest): Promise<number | undefined> {
  const silence = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ANSWER_LIMIT_MS).unref());
  const answer: Promise<RawAnswer | undefined> = sendRaw(door.url, bytesOf(door, request.make(door))).catch(
    () => undefined,
  );
  return (await Promise.race([answer, silence]))?.status;
}
