import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Sends bytes exactly as given, which no HTTP library would, and reads the first answer. */
export function sendRaw(url: string, pieces: Iterable<string | Buffer>): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const finish = (isOver: boolean) => {
      const answer = parse(text, isOver);
      if (!answer) return;
      socket.destroy();
      resolve(answer);
    };
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      text += chunk;
      finish(false);
    });
    socket.on('end', () => finish(true));
    // A server that has answered may close while the rest is being sent.
    socket.on('error', (error) => (text === '' ? reject(error) : finish(true)));
    socket.on('close', () => reject(new Error(`closed without an answer: ${text.slice(0, 200)}`)));
    void writeAll(socket, pieces);
  });
}

async function writeAll(socket: ReturnType<typeof connect>, pieces: Iterable<string | Buffer>): Promise<void> {
  const closed = once(socket, 'close');
  for (const piece of pieces) {
    if (socket.destroyed) return;
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), closed]);
  }
}

function parse(text: string, isOver: boolean): RawAnswer | undefined {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
  const isComplete = rest.length > 0 && (body.length >= length || body.endsWith('0\r\n\r\n'));
  if (!isComplete && !(isOver && text !== '')) return undefined;
  return { status: Number(first.split(' ')[1]), headers, body };
}
