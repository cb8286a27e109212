/**
 * Edits as data. Each folder of `scenarios` has `before.txt`, the call, and `after.txt` or `error.json`: what the file
 * then holds, byte for byte, or the error, which leaves the file as it was. To add one, add a folder.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repository } from '../harness/binary';
import { eachWay } from '../harness/each-way';
import { answerOf, type EditorError, errorOf, ONE_WAY } from './editor-answers';

const folder = join(repository, 'test', 'contract', 'scenarios');
const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

eachWay(
  'edit scenarios',
  {},
  (stage) => {
    it.each(names)(
      '%s [editor.match.exact, editor.match.literal, editor.match.crlf, editor.match.untouched-bytes]',
      async (name) => {
        const file = (part: string) => join(folder, name, part);
        const before = readFileSync(file('before.txt'));
        const { tool, arguments: args } = JSON.parse(readFileSync(file('call.json'), 'utf8')) as Call;
        const call = { path: stage.workspace.write(`${name}.txt`, before), ...args };
        if (existsSync(file('error.json'))) {
          const { data, ...rest } = JSON.parse(readFileSync(file('error.json'), 'utf8')) as EditorError;
          expect(await errorOf(stage.client, tool, call)).toEqual({ ...rest, data: expect.objectContaining(data) });
          expect(stage.workspace.bytes(`${name}.txt`)).toEqual(before);
        } else {
          await answerOf(stage.client, tool, call);
          expect(stage.workspace.bytes(`${name}.txt`)).toEqual(readFileSync(file('after.txt')));
        }
      },
    );
  },
  ONE_WAY,
);

interface Call {
  readonly tool: string;
  readonly arguments: object;
}
