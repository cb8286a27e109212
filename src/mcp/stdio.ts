import type { McpServerFactory } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { LineStdio } from './line-stdio';

/** Serves one client on stdin and stdout; resolves when it is gone. */
export function serveOverStdio(factory: McpServerFactory, onerror: (error: Error) => void): Promise<void> {
  return new Promise((resolve) => {
    const transport = new LineStdio(process.stdin, process.stdout);
    serveStdio(factory, { transport, onerror });
    // The SDK has set its own handler by now; ours comes after it.
    const closed = transport.onclose;
    transport.onclose = () => {
      closed?.();
      resolve();
    };
  });
}
