import { type Editor, EditorError } from '../contract/editor';

const METHOD_NOT_FOUND = -32601;

/**
 * An editor that said it takes texts and then does not know the method would send them to the disk. In a mode in which
 * nothing may bypass the editor, that is a failure instead.
 */
export function strictEditor(editor: Editor, isStrict: () => boolean): Editor {
  return {
    ...editor,
    async writeText(path, text) {
      try {
        await editor.writeText(path, text);
      } catch (thrown) {
        if (!(thrown instanceof EditorError) || thrown.code !== METHOD_NOT_FOUND || !isStrict()) throw thrown;
        throw new EditorError(-32603, 'it does not take texts, and in this mode nothing is written past it');
      }
    },
  };
}
