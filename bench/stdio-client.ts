/** Tools of one server by name, for the scripts of this folder that are about this server alone. */
import { answerOf } from './answer';
import { openWire, shakeHands } from './wire';

export interface BenchClient {
  request(method: string, params: object): Promise<unknown>;
  /** The JSON that the tool answered; a failure is thrown. */
  call(tool: string, args: object): Promise<unknown>;
  close(): Promise<void>;
  readonly pid: number;
}

export async function openBenchClient(command: string, args: readonly string[]): Promise<BenchClient> {
  const wire = openWire({ command, args });
  const request = async (method: string, params: object) =>
    answerOf(await wire.ask(method, JSON.stringify(params))) as unknown;
  await shakeHands(wire);
  return {
    pid: wire.pid,
    request,
    async call(name, args_) {
      const result = answerOf(await wire.ask('tools/call', JSON.stringify({ name, arguments: args_ })));
      if (result.isError) throw new Error(result.content?.[0]?.text);
      return JSON.parse(result.content?.[0]?.text ?? '');
    },
    close: () => wire.close(),
  };
}
