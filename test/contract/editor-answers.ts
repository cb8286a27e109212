/** What an editor tool answered, once it is sure that the text and the structured copy say the same. */
import { expect } from 'vitest';
import type { TestClient, Way } from '../harness/client';

/** For variations that no door can change: one way in saves time. */
export const ONE_WAY: readonly Way[] = [{ door: 'stdio', era: 'legacy' }];

export type Caller = Pick<TestClient, 'result'>;

export interface EditorError {
  readonly code: number;
  readonly message: string;
  readonly data: Record<string, unknown>;
}

/** The result object of a call that succeeds. */
export async function answerOf(client: Caller, tool: string, args: object): Promise<unknown> {
  const { content, structuredContent, isError } = await client.result(tool, args);
  const body: unknown = JSON.parse(content[0]?.text ?? '');
  const isBulk = tool === 'read_text_file';
  expect({ body, isError, structuredContent }).toEqual({
    body,
    isError: undefined,
    structuredContent: isBulk ? undefined : body,
  });
  return body;
}

/** The error object of a call that fails. */
export async function errorOf(client: Caller, tool: string, args: object): Promise<EditorError> {
  const { content, structuredContent, isError } = await client.result(tool, args);
  const body: unknown = JSON.parse(content[0]?.text ?? '');
  expect({ structuredContent, isError }).toEqual({ structuredContent: body, isError: true });
  expect(body).toEqual({ error: { code: expect.any(Number), message: expect.any(String), data: expect.any(Object) } });
  return (body as { error: EditorError }).error;
}
