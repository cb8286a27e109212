/** Messages and thoughts: as they are written, or whole at their end if nobody saw them being written. */
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { ThreadItem } from '../codex/protocol/items';
import { type Fields, numberOf, textOf } from '../codex/protocol/json-fields';
import { textChunk } from './content';
import { writtenPlanUpdate } from './plan';

export interface MessageTranslator {
  notified(method: string, id: string, fields: Fields): SessionUpdate[];
  completed(id: string, item: ThreadItem): SessionUpdate[];
  forget(): void;
}

const BLANK_LINE = '\n\n';

export function createMessageTranslator(): MessageTranslator {
  /** What was shown so far of each message that is being written. */
  const written = new Map<string, string>();
  /** The part of each thought that is being written. */
  const parts = new Map<string, string>();
  /** Codex tells the outcome of a review twice: as such, and as a message. */
  let review = '';

  function wrote(id: string, delta: string): SessionUpdate[] {
    written.set(id, (written.get(id) ?? '') + delta);
    return textChunk('agent_message_chunk', id, delta);
  }

  /** Parts are told apart by their number, and stand apart by a blank line. */
  function thought(id: string, part: string, delta: string): SessionUpdate[] {
    const gap = parts.has(id) && parts.get(id) !== part ? BLANK_LINE : '';
    parts.set(id, part);
    return textChunk('agent_thought_chunk', id, gap + delta);
  }

  function said(id: string, text: string): SessionUpdate[] {
    const shown = written.get(id) ?? '';
    written.delete(id);
    if (shown === '' && text === review) return [];
    return textChunk('agent_message_chunk', id, text.startsWith(shown) ? text.slice(shown.length) : '');
  }

  return {
    notified(method, id, { delta, summaryIndex, contentIndex }) {
      if (method === 'item/agentMessage/delta' || method === 'item/plan/delta') return wrote(id, textOf(delta));
      if (method === 'item/reasoning/summaryTextDelta')
        return thought(id, `summary ${numberOf(summaryIndex)}`, textOf(delta));
      if (method === 'item/reasoning/textDelta') return thought(id, `text ${numberOf(contentIndex)}`, textOf(delta));
      return [];
    },
    completed(id, item) {
      if (item.type === 'agentMessage') return said(id, item.text);
      if (item.type === 'plan') return [...said(id, item.text), ...writtenPlanUpdate(item.text)];
      if (item.type === 'enteredReviewMode') return textChunk('agent_message_chunk', id, `Review: ${item.review}`);
      if (item.type === 'exitedReviewMode') {
        review = item.review;
        return textChunk('agent_message_chunk', id, item.review);
      }
      if (item.type !== 'reasoning' || parts.delete(id)) return [];
      return textChunk('agent_thought_chunk', id, [...item.summary, ...item.content].join(BLANK_LINE));
    },
    forget() {
      written.clear();
      parts.clear();
      review = '';
    },
  };
}
