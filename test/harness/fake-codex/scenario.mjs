// Which recorded frames a prompt stands for.
import { Refusal } from './connection.mjs';
import { withItem } from './live-items.mjs';
import { toolServerOf } from './mcp-call.mjs';
import { isRecorded, recordedTurn } from './recordings.mjs';

/** Recorded only with answers to a question: the first of them is begun, the live answer chooses how it goes on. */
const FAMILIES = { exec: 'exec.accept', patch: 'patch.accept', 'mcp-approval': 'mcp-approval.accept' };

export function framesOfTurn({ input = [] }, thread) {
  const text = input.map((part) => part.text ?? '').join('\n');
  const [word = ''] = text.trim().split(/\s+/);
  const calls = callsIn(text, thread.cwd);
  if (calls.length > 0) return callFrames(calls, { thread, together: word === 'together', late: word === 'late' });
  const asked = questionsIn(text);
  if (asked.length > 0) return [...head('message'), ...asked, ...recordedTurn('message').slice(head('message').length)];
  if (word === 'silent') return [...head('message'), { from: 'fake', what: 'silence', frame: {} }];
  if (word === 'die') return [...head('dynamic-read'), { from: 'fake', what: 'death', frame: {} }];
  const scenario = FAMILIES[word] ?? (isRecorded(word) ? word : 'message');
  return recordedTurn(scenario).map((entry) => ({ ...entry, scenario }));
}

/** The frames after the answer in the recording where it was this one. */
export function afterAnswer(scenario, { result }) {
  const choice = result?.decision ?? result?.action ?? 'decline';
  // A decision with conditions goes on as a plain yes does.
  const sibling = `${scenario.split('.')[0]}.${typeof choice === 'string' ? choice : 'accept'}`;
  if (!scenario.includes('.') || sibling === scenario || !isRecorded(sibling)) return undefined;
  const frames = recordedTurn(sibling).map((entry) => ({ ...entry, scenario: sibling }));
  return frames.slice(frames.findIndex(({ from }) => from === 'client') + 1);
}

/** Lines like `call read_text_file {"path":"{cwd}/a.txt"}`. */
function callsIn(text, cwd) {
  const place = JSON.stringify(cwd).slice(1, -1);
  return text.split('\n').flatMap((line) => {
    const [, tool, json = '{}'] = /^\s*call\s+(\S+)\s*(\{.*\})?\s*$/.exec(line) ?? [];
    if (tool === undefined) return [];
    try {
      return [{ tool, arguments: JSON.parse(json.replaceAll('{cwd}', place)) }];
    } catch {
      throw new Refusal(`not JSON: ${json}`);
    }
  });
}

/** Lines like `ask some/method {…}`: a request of any kind, and the turn goes on when it is answered; `tell` is a notice. */
function questionsIn(text) {
  return text.split('\n').flatMap((line, index) => {
    const [, verb, method, json = '{}'] = /^\s*(ask|tell)\s+(\S+)\s*(\{.*\})?\s*$/.exec(line) ?? [];
    if (method === undefined) return [];
    const params = { threadId: '{thread1}', turnId: '{turn1}', ...JSON.parse(json) };
    if (verb === 'tell') return [{ from: 'server', frame: { method, params } }];
    const id = 1000 + index;
    return [
      { from: 'server', frame: { id, method, params } },
      { from: 'client', frame: { id } },
    ];
  });
}

function callFrames(calls, { thread, together, late }) {
  const server = toolServerOf(thread.params);
  const scenario = server ? 'mcp-read' : 'dynamic-read';
  const each = calls.map((call, index) => (server ? mcpFrames(call, index, server) : dynamicFrames(call, index)));
  if (late) for (const frames of each) frames.unshift(...frames.splice(1, 1));
  const middle = together ? columns(each).flat() : each.flat();
  return [...head(scenario), ...middle, ...tail(scenario)];
}

/** Two frames to begin, then the answer, then the end. */
function columns(each) {
  return [
    each.flatMap((frames) => frames.slice(0, 2)),
    each.map((frames) => frames[2]),
    each.map((frames) => frames[3]),
  ];
}

function dynamicFrames(call, index) {
  const frames = recordedTurn('dynamic-read');
  const [started, completed] = frames.filter(({ frame }) => frame.params?.item?.type === 'dynamicToolCall');
  const request = frames.find(({ frame }) => frame.method === 'item/tool/call');
  const id = `call_0_${index}`;
  return [
    { from: 'server', frame: withItem(started.frame, { ...call, id }) },
    { ...request, frame: { ...request.frame, id: index, params: { ...request.frame.params, ...call, callId: id } } },
    { from: 'client', frame: { id: index } },
    { from: 'server', frame: withItem(completed.frame, { ...call, id }) },
  ];
}

function mcpFrames(call, index, server) {
  const items = recordedTurn('mcp-read').filter(({ frame }) => frame.params?.item?.type === 'mcpToolCall');
  const callId = `call_0_${index}`;
  const [started, completed] = items.map(({ from, frame }) => ({
    from,
    frame: withItem(frame, { ...call, id: callId, server: server.name }),
  }));
  const live = { from: 'fake', what: 'call', frame: {}, call, server, callId, question: index };
  return [started, live, { from: 'client', frame: { id: index } }, completed];
}

const isTool = ({ frame }) => /ToolCall$/.test(frame.params?.item?.type ?? '');

function head(scenario) {
  const frames = recordedTurn(scenario);
  const end = frames.findIndex(isTool);
  return end < 0
    ? frames.slice(
        0,
        frames.findIndex(({ frame }) => frame.params?.item?.type === 'agentMessage'),
      )
    : frames.slice(0, end);
}

function tail(scenario) {
  const frames = recordedTurn(scenario);
  return frames.slice(frames.findLastIndex(isTool) + 1);
}
