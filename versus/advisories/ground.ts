/** A throw-away ground for attacks on any server: the served folder, and beside it what they try to steal or spoil. */
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { treeOf } from '../../test/contract/tree';
import { NoAnswer, RpcError } from '../mcp-client';
import { makeFolder } from '../places';
import type { LaunchOptions, RunRequest, Server, Session, ToolCall } from '../server';
import { answerOrNothing, openSession } from '../session';
import type { Around } from './paths';

/** Stands in the files outside and in the name of one: an answer that shows it has read or listed outside. */
export const CANARY = 'canary-outside-the-root';
const CALL_LIMIT_MS = 10_000;

export interface Ground extends Around {
  readonly server: Server;
  readonly session: Session;
  readonly home: string;
  /** Fewer calls for each path. */
  readonly isQuick: boolean;
  /** Everything as at the beginning, and what is given. */
  lay(layout?: Layout): void;
  /** Makes a call, and tells what it reached outside, in words; undefined where it reached nothing. */
  reach(call: ToolCall, options?: { limitMs?: number }): Promise<Reached>;
  /** The same with a program that the server runs. */
  reachByCommand(request: Omit<RunRequest, 'timeoutMs'>): Promise<Reached>;
  /** What differs outside from the beginning. */
  harm(): string | undefined;
}

export interface Layout {
  readonly files?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
  /** More files in the folder outside. */
  readonly outside?: Readonly<Record<string, string>>;
}

export interface Reached {
  readonly outside: string | undefined;
  /** Undefined where the server kept silent. */
  readonly ok: boolean | undefined;
  readonly text: string;
}

export async function withGround<T>(
  server: Server,
  { isQuick, ...options }: LaunchOptions & { isQuick: boolean },
  work: (ground: Ground) => Promise<T>,
): Promise<T> {
  const folder = makeFolder({ inMemory: false });
  const [root, out, evil, home] = ['ws', 'out', 'ws-evil', 'home'].map((name) => folder.at(name)) as [
    string,
    string,
    string,
    string,
  ];
  layOutside({ out, evil });
  for (const path of [root, home]) mkdirSync(path);
  const session = await openSession(server, { root, home, ...options });
  try {
    return await work(makeGround({ server, session, root, out, evil, home, isQuick }));
  } finally {
    await session.close();
    folder.remove();
  }
}

function makeGround(place: Around & Pick<Ground, 'server' | 'session' | 'home' | 'isQuick'>): Ground {
  const { server, session, root, out, evil } = place;
  let before = {};
  let isMore = false;
  const look = () => [out, evil].map((path) => treeOf(path));

  function harm(): string | undefined {
    return JSON.stringify(look()) === JSON.stringify(before) ? undefined : 'changed something outside';
  }

  function judge(ok: boolean | undefined, text: string): Reached {
    return { ok, text, outside: text.includes(CANARY) ? 'told what is outside' : harm() };
  }

  const ground: Ground = {
    ...place,
    harm,
    lay({ files = {}, links = {}, outside = {} } = {}) {
      for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true });
      if (harm() !== undefined || isMore) layOutside({ out, evil });
      for (const [name, content] of Object.entries(outside)) write(join(out, name), content);
      isMore = Object.keys(outside).length > 0;
      before = look();
      for (const [name, content] of Object.entries({ 'own.txt': 'own', ...files })) write(join(root, name), content);
      for (const [name, target] of Object.entries(links)) {
        mkdirSync(dirname(join(root, name)), { recursive: true });
        symlinkSync(target, join(root, name));
      }
    },
    async reach(call, { limitMs = CALL_LIMIT_MS } = {}) {
      const answer = await answerOrNothing(session.call(call, { limitMs }));
      return judge(answer?.ok, answer?.text ?? '');
    },
    async reachByCommand(request) {
      const run = server.run?.(session, { ...request, cwd: root, timeoutMs: CALL_LIMIT_MS });
      const outcome = await run?.catch((error: unknown) => {
        if (error instanceof RpcError || error instanceof NoAnswer) return undefined;
        throw error;
      });
      return judge(undefined, outcome?.text ?? '');
    },
  };
  ground.lay();
  return ground;
}

/** A text of an attack without the folders of this run. */
export function shown(text: string, { root, out, evil }: Around): string {
  const short = text.replaceAll(out, 'OUT').replaceAll(evil, 'ROOT-evil').replaceAll(root, 'ROOT');
  return short.length > 40 ? `${short.slice(0, 40)}…` : short;
}

function layOutside({ out, evil }: Pick<Around, 'out' | 'evil'>): void {
  for (const path of [out, evil]) rmSync(path, { recursive: true, force: true });
  for (const file of [`${out}/f`, `${out}/sub/f`, `${evil}/f`, `${out}/${CANARY}`, `${evil}/${CANARY}`])
    write(file, CANARY);
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
