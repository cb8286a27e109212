/**
 * What the SDK answers to the messages that open a conversation, as it was recorded (scripts/record-answers.ts), with
 * this server's own words put in. Texts, ready for the wire.
 */
import type { Words } from '../server';
import type { Era } from './plain';
import recorded from './recorded.generated.json';

export interface Recorded {
  readonly modernVersions: readonly string[];
  initialize(version: string): string;
  discover(): string;
  ping(): string;
  list(era: Era): string;
  /** What the SDK adds to the result of a call: members to put behind the others. */
  stamp(era: Era): string;
}

const known: Record<string, object> = recorded.initialize;

export function recordedAnswers(words: Words): Recorded {
  const spoken = new Map<object, string>();
  const say = (answer: object): string => {
    const text = spoken.get(answer) ?? fill(JSON.stringify(answer), words);
    spoken.set(answer, text);
    return text;
  };
  const stamps = { legacy: membersOf(recorded.legacy.call), modern: membersOf(recorded.modern.call) };
  function membersOf(answer: object): string {
    const json = say(answer);
    return json === '{}' ? '' : `,${json.slice(1, -1)}`;
  }
  return {
    modernVersions: recorded.discover.supportedVersions,
    initialize: (version) => say((Object.hasOwn(known, version) && known[version]) || recorded.initializeOther),
    discover: () => say(recorded.discover),
    ping: () => say(recorded.legacy.ping),
    list: (era) => say(recorded[era].list),
    stamp: (era) => stamps[era],
  };
}

function fill(answer: string, words: Words): string {
  return answer.replaceAll(/"\$(VERSION|INSTRUCTIONS|TOOLS)"/g, (_, slot: string) =>
    JSON.stringify(wordFor(slot, words)),
  );
}

function wordFor(slot: string, { version, instructions, tools }: Words): unknown {
  if (slot === 'VERSION') return version;
  return slot === 'TOOLS' ? tools : instructions;
}
