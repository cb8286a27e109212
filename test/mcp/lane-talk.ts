/** Holds a conversation with the server by hand, and tells what the client heard and what the log says. */
import type { Workspace } from '../harness/workspace';
import { type LineClient, type Message, modernMeta, openLines } from './line-client';

export interface Talk {
  readonly workspace: Workspace;
  readonly client: LineClient;
  /** Sends a request and waits for its answer. */
  ask(method: string, params?: object, id?: string | number): Promise<Message>;
  /** The same as a request of the newest revision. */
  askModern(method: string, params?: object, meta?: object): Promise<Message>;
  call(tool: string, args?: object): Promise<Message>;
  callModern(tool: string, args?: object): Promise<Message>;
  /** Sends what gets no answer, or one that is waited for by `hear`. */
  tell(message: object | string): Promise<void>;
  hear(fits: (message: Message) => boolean): Promise<Message>;
}

export type Conversation = (talk: Talk) => Promise<unknown>;

export interface Heard {
  readonly messages: readonly Message[];
  readonly log: readonly string[];
  readonly exit: unknown;
}

export async function holdTalk(
  conversation: Conversation,
  workspace: Workspace,
  flags: readonly string[],
): Promise<Heard> {
  const client = openLines(['serve', '--root', workspace.root, ...flags]);
  await conversation(talkOf(client, workspace));
  const exit = await client.end();
  const messages = client
    .stdout()
    .split('\n')
    .filter(Boolean)
    .map((line) => withoutChance(line, workspace));
  return { messages: messages.sort(byId), log: client.stderr().split('\n').flatMap(logLine).sort(), exit };
}

function talkOf(client: LineClient, workspace: Workspace): Talk {
  const talk: Talk = {
    workspace,
    client,
    ask: (method, params, id) => client.request(method, params, id),
    askModern: (method, params = {}, meta = modernMeta()) => client.request(method, { ...params, _meta: meta }),
    call: (tool, args = {}) => talk.ask('tools/call', { name: tool, arguments: args }),
    callModern: (tool, args = {}) => talk.askModern('tools/call', { name: tool, arguments: args }),
    tell: (message) => client.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    hear: (fits) => client.receive(fits),
  };
  return talk;
}

/** Places, times, and what is sealed anew for each question differ from run to run. */
function withoutChance(line: string, { root }: Workspace): Message {
  const fixed = line.replaceAll(root, '<root>').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
  return JSON.parse(fixed, (key, value) => (key === 'requestState' ? '<state>' : value)) as Message;
}

/** Calls that run at the same time are answered in any order, also those that bear one id: then what is said tells. */
function byId(one: Message, other: Message): number {
  const [a, b] = [one, other].map(({ id, method, error }) => JSON.stringify([typeof id, id, method, error]));
  return a === b ? 0 : (a ?? '') < (b ?? '') ? -1 : 1;
}

/** Without what time makes of it. */
function logLine(line: string): string[] {
  if (!line.startsWith('{')) return [];
  const { time: _, ms: __, ...rest } = JSON.parse(line) as Record<string, unknown>;
  return [JSON.stringify(rest)];
}
