/** Mode, model and reasoning effort, as the editor offers them to the person. */
import type { SessionConfigOption } from '@agentclientprotocol/sdk';
import { MODES, type ModeId, modes } from './modes';

export interface Model {
  readonly id: string;
  readonly displayName: string;
  readonly description?: string;
  readonly supportedReasoningEfforts: readonly { readonly reasoningEffort: string; readonly description?: string }[];
  readonly defaultReasoningEffort: string;
}

export interface Choice {
  readonly mode: ModeId;
  readonly model: string;
  readonly effort: string | undefined;
}

export function configOptions(choice: Choice, models: readonly Model[]): SessionConfigOption[] {
  const current = models.find(({ id }) => id === choice.model);
  // A model of the person's own config need not be in the list.
  const listed = current
    ? models
    : [{ id: choice.model, displayName: choice.model, supportedReasoningEfforts: [] }, ...models];
  const efforts = current?.supportedReasoningEfforts ?? [];
  return [
    select('mode', 'Mode', 'mode', choice.mode, MODES.map(modeOption)),
    select(
      'model',
      'Model',
      'model',
      choice.model,
      listed.map(({ id, displayName }) => ({ value: id, name: displayName })),
    ),
    ...(current && efforts.length > 0
      ? [
          select(
            'effort',
            'Reasoning effort',
            'thought_level',
            choice.effort ?? current.defaultReasoningEffort,
            efforts.map(({ reasoningEffort, description }) => ({
              value: reasoningEffort,
              name: reasoningEffort,
              ...(description && { description }),
            })),
          ),
        ]
      : []),
  ];
}

function modeOption(id: ModeId) {
  return { value: id, name: modes[id].name, description: modes[id].description };
}

function select(
  id: string,
  name: string,
  category: string,
  currentValue: string,
  options: { value: string; name: string; description?: string }[],
): SessionConfigOption {
  return { type: 'select', id, name, category, currentValue, options };
}
