/** What a scripted model can put into one response, and the events in which a server of the Responses API sends it. */

export type ModelItem =
  | { readonly call: string; readonly arguments: object; readonly namespace?: string }
  /** A tool that takes a text, not JSON: apply_patch, or exec in code mode. */
  | { readonly custom: string; readonly input: string }
  /** A list of texts is streamed piece by piece; one text comes whole. */
  | { readonly say: string | readonly string[] }
  /** Each part of the summary is a list of pieces. */
  | { readonly think: readonly (readonly string[])[] }
  | { readonly search: string };

type Event = { readonly type: string } & Record<string, unknown>;

/** The events of one item; `name` is unique among the model's items. */
export function itemEvents(item: ModelItem, name: string, index: number): Event[] {
  const whole = wholeItem(item, name);
  return [
    { type: 'response.output_item.added', output_index: index, item: { ...whole, ...startOf(item) } },
    ...pieces(item, name),
    { type: 'response.output_item.done', output_index: index, item: whole },
  ];
}

function wholeItem(item: ModelItem, name: string): object {
  if ('call' in item) {
    const { call, namespace } = item;
    const words = {
      name: call,
      ...(namespace !== undefined && { namespace }),
      arguments: JSON.stringify(item.arguments),
    };
    return { type: 'function_call', id: `fc_${name}`, call_id: `call_${name}`, ...words };
  }
  if ('custom' in item)
    return {
      type: 'custom_tool_call',
      id: `ctc_${name}`,
      call_id: `call_${name}`,
      name: item.custom,
      input: item.input,
      status: 'completed',
    };
  if ('think' in item) {
    const summary = item.think.map((part) => ({ type: 'summary_text', text: part.join('') }));
    return { type: 'reasoning', id: `rs_${name}`, summary, encrypted_content: null };
  }
  if ('search' in item) {
    const action = { type: 'search', query: item.search };
    return { type: 'web_search_call', id: `ws_${name}`, status: 'completed', action };
  }
  const content = [{ type: 'output_text', text: [item.say].flat().join(''), annotations: [] }];
  return { type: 'message', id: `msg_${name}`, role: 'assistant', content };
}

/** Where the first event of an item differs from the last one. */
function startOf(item: ModelItem): object {
  if ('think' in item) return { summary: [] };
  return 'say' in item && Array.isArray(item.say) ? { content: [] } : {};
}

function pieces(item: ModelItem, name: string): Event[] {
  if ('think' in item) return item.think.flatMap((part, index) => summaryPart(part, `rs_${name}`, index));
  if (!('say' in item) || typeof item.say === 'string') return [];
  return item.say.map((delta) => ({
    type: 'response.output_text.delta',
    item_id: `msg_${name}`,
    content_index: 0,
    delta,
  }));
}

function summaryPart(part: readonly string[], item_id: string, summary_index: number): Event[] {
  const place = { item_id, summary_index };
  return [
    { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } },
    ...part.map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, delta })),
    { type: 'response.reasoning_summary_text.done', ...place, text: part.join('') },
  ];
}
