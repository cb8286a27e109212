// Items that say what really happened, not what happened when they were recorded.

/** A person's message has the words of this turn. */
export function withInput(frame, input) {
  if (frame.params?.item?.type !== 'userMessage' || !input) return frame;
  return withItem(frame, { content: input });
}

/** A call ends with the answer that it got. */
export function withAnswer(frame, answers) {
  const item = frame.params?.item;
  const answer = frame.method === 'item/completed' && answers.get(item?.id);
  if (!answer) return frame;
  return withItem(frame, item.type === 'mcpToolCall' ? mcpEnd(answer) : dynamicEnd(answer));
}

export function withItem(frame, values) {
  return { ...frame, params: { ...frame.params, item: { ...frame.params.item, ...values } } };
}

function dynamicEnd({ result, error }) {
  if (error) return { status: 'failed', success: false, contentItems: [{ type: 'inputText', text: error.message }] };
  return { status: result.success ? 'completed' : 'failed', ...result };
}

function mcpEnd({ result, error }) {
  if (error) return { status: 'failed', result: null, error: { message: error.message } };
  const { content, structuredContent = null, isError, _meta = null } = result;
  return { status: isError ? 'failed' : 'completed', result: { content, structuredContent, _meta }, error: null };
}
