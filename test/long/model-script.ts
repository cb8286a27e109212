/** Which step of a script a request is answered with. */
import type { ModelItem } from './model-items';

/** A call of one of our tools as an MCP server's. */
export interface ScriptedCall {
  readonly tool: string;
  readonly arguments: object;
}

export type ScriptedStep =
  | ScriptedCall
  | { readonly items: readonly ModelItem[]; readonly delayMs?: number }
  | { readonly httpError: number; readonly message: string }
  /** Says its items, and then nothing until it is told to go on. */
  | { readonly hang: readonly ModelItem[] };

/**
 * One list of steps for all requests; or a list for each word, chosen by the newest thing a person said that has such
 * a word in it. So two sessions at once each follow their own script, and a word that is said again starts it anew.
 */
export type Script = readonly ScriptedStep[] | Readonly<Record<string, readonly ScriptedStep[]>>;

export interface InputItem {
  readonly type: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly output?: unknown;
}

export interface ModelRequest {
  readonly input: readonly InputItem[];
  readonly tools?: readonly { readonly type: string; readonly name?: string }[];
  /** The thread, as Codex names it to a model. */
  readonly prompt_cache_key?: string;
  readonly [key: string]: unknown;
}

export interface Chosen {
  /** The word, or nothing where there is one list for all. */
  readonly word: string;
  /** After the last step there is none. */
  readonly step: ScriptedStep | undefined;
}

const NO_WORD = '';

export function followScript(script: Script): (request: ModelRequest) => Chosen {
  const lists = Array.isArray(script) ? { [NO_WORD]: script as readonly ScriptedStep[] } : (script as KeyedScript);
  const taken = new Map<string, number>();
  return (request) => {
    const { word, at } = Array.isArray(script) ? { word: NO_WORD, at: 0 } : wordOf(request, Object.keys(lists));
    const place = Array.isArray(script) ? NO_WORD : `${request.prompt_cache_key} ${at} ${word}`;
    const turn = taken.get(place) ?? 0;
    taken.set(place, turn + 1);
    return { word, step: lists[word]?.[turn] };
  };
}

type KeyedScript = Readonly<Record<string, readonly ScriptedStep[]>>;

/** Codex adds messages of its own in the person's name, so the newest one alone will not do. */
function wordOf({ input }: ModelRequest, words: readonly string[]): { word: string; at: number } {
  for (let at = input.length - 1; at >= 0; at -= 1) {
    const item = input[at];
    if (item?.role !== 'user') continue;
    const text = textOf(item.content);
    const word = words.find((candidate) => text.includes(candidate));
    if (word !== undefined) return { word, at };
  }
  return { word: NO_WORD, at: 0 };
}

/** A content is a text, or a list of contents with texts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as { text?: string }[]).map(({ text = '' }) => text).join('');
}
