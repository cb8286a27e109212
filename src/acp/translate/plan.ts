/** Plans: the list of steps that Codex keeps, and the plan that it writes as a text. */
import type { PlanEntry, SessionUpdate } from '@agentclientprotocol/sdk';
import { fieldsOf, listOf, textOf, wordOf } from '../codex/protocol/json-fields';

/** `turn/plan/updated`: the whole list, each time. */
export function stepsUpdate(params: unknown): SessionUpdate[] {
  const entries = listOf(fieldsOf(params).plan).map((value) => {
    const { step, status } = fieldsOf(value);
    return entry(textOf(step), status === 'inProgress' ? 'in_progress' : wordOf(status, ['pending', 'completed']));
  });
  return [{ sessionUpdate: 'plan', entries }];
}

/** A written plan is a message; its numbered steps, if it has any, are also the plan of which the editor keeps track. */
export function writtenPlanUpdate(text: string): SessionUpdate[] {
  const steps = Array.from(text.matchAll(/^\d{1,3}[.)][ \t]+(\S.*)$/gm), ([, step = '']) => step.trimEnd());
  return steps.length === 0 ? [] : [{ sessionUpdate: 'plan', entries: steps.map((step) => entry(step, 'pending')) }];
}

function entry(content: string, status: PlanEntry['status']): PlanEntry {
  return { content, priority: 'medium', status };
}
