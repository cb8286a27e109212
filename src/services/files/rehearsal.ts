/** Files that only look: what a call would make of a text is kept as a diff, and nothing is changed. */
import type { FileDiff } from '../../contract/call';
import { Fault } from '../../contract/fault';
import type { Files, JailedPath, TextFile } from '../../contract/ports';

/** Larger texts are shown without a diff: an editor takes messages of 32 MiB at most, and nobody reads them. */
const MAX_SHOWN_BYTES = 1_048_576;

export function rehearseFiles(files: Files, placeOf: (path: JailedPath) => string) {
  const diffs: FileDiff[] = [];
  const rehearsed: Files = {
    readLines: files.readLines,
    readText: files.readText,
    list: files.list,
    async editText(path, change) {
      const { text, via } = await files.readText(path, { maxBytes: MAX_SHOWN_BYTES });
      const changed = await change({ whole: async () => text, around: nowhere, aside: nowhere });
      if ((changed.size?.units ?? 0) <= MAX_SHOWN_BYTES) keep(path, text, changed.text);
      return { result: await changed.tell(), via };
    },
    async writeText(path, given) {
      const text = given.toString();
      const before = await textAt(files, path);
      keep(path, before?.text ?? null, text);
      return { bytes: Buffer.byteLength(text), created: before === undefined, via: before?.via ?? 'disk' };
    },
    remove: onlyRehearsed,
    move: onlyRehearsed,
    makeDirectory: onlyRehearsed,
  };
  return { files: rehearsed, diffs };

  function keep(path: JailedPath, oldText: string | null, newText: string): void {
    if (newText.length > MAX_SHOWN_BYTES) return;
    diffs.push({ path: placeOf(path), oldText, newText });
  }
}

async function textAt(files: Files, path: JailedPath): Promise<TextFile | undefined> {
  try {
    return await files.readText(path, { maxBytes: MAX_SHOWN_BYTES });
  } catch (thrown) {
    if (thrown instanceof Fault && (thrown.kind === 'file_not_found' || thrown.kind === 'parent_not_found'))
      return undefined;
    throw thrown;
  }
}

/** The texts are short. */
async function nowhere(): Promise<undefined> {}

async function onlyRehearsed(): Promise<never> {
  throw new Fault('cancelled', { reason: 'it was only rehearsed' });
}
