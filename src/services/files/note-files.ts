import type { CallNotes } from '../../contract/call';
import type { Files, JailedPath, Via } from '../../contract/ports';

/** The same files, and a note of where the texts of a call came from or went to, and what an edit made of one. */
export function noteFiles(files: Files, notes: CallNotes, placeOf: (path: JailedPath) => string): Files {
  const note = <T extends { via: Via; warning?: string | undefined }>(done: T): T => {
    notes.via = done.via;
    if (done.warning !== undefined) notes.warning = done.warning;
    return done;
  };
  return {
    ...files,
    readLines: async (...given) => note(await files.readLines(...given)),
    readText: async (...given) => note(await files.readText(...given)),
    writeText: async (...given) => note(await files.writeText(...given)),
    editText: async (path, change, options) =>
      note(
        await files.editText(
          path,
          async (text) => {
            const changed = await change(text);
            notes.diff = { path: placeOf(path), oldText: await text.whole(), newText: changed.text };
            return changed;
          },
          options,
        ),
      ),
  };
}
