/** The fast lane of the stdio door says what the SDK alone would say: the same conversations, held with both. */
import { describe, expect, it } from 'vitest';
import { makeWorkspace } from '../harness/workspace';
import { CONVERSATIONS } from './lane-conversations';
import { type Heard, holdTalk } from './lane-talk';

describe('the lane and the SDK say the same to', () => {
  let answers = 0;
  it.each(Object.entries(CONVERSATIONS))('%s', async (_, { talk, flags = [] }) => {
    const workspaces = [makeWorkspace(), makeWorkspace()] as const;
    const [lane, sdk] = await Promise.all([
      holdTalk(talk, workspaces[0], flags),
      holdTalk(talk, workspaces[1], [...flags, '--sdk-only']),
    ]);
    for (const workspace of workspaces) workspace.remove();
    answers += sdk.messages.length;
    expect(comparable(lane)).toEqual(comparable(sdk));
  });

  it('all of it, which is a lot', () => expect(answers).toBeGreaterThan(400));
});

/** How often progress is told is a matter of time; that it is told, and how, is not. */
function comparable({ messages, log, exit }: Heard) {
  const isProgress = ({ method }: Heard['messages'][number]) => method === 'notifications/progress';
  const progress = messages
    .filter(isProgress)
    .map(({ method, params }) => ({ method, token: params?.progressToken, names: Object.keys(params ?? {}) }));
  return { answers: messages.filter((message) => !isProgress(message)), progress: progress.slice(0, 1), log, exit };
}
