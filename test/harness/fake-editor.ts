import { type Editor, EditorError } from '../../src/contract/editor';

export interface FakeEditor extends Editor {
  canRead: boolean;
  canWrite: boolean;
  readonly buffers: Map<string, string>;
  readonly asked: string[];
  /** Answers the next requests with this error; `after` lets the first ones pass. */
  refuse(error: EditorError | undefined): void;
  /** What the person does while the editor is being asked. */
  onRead: (path: string) => void;
}

/** An editor with unsaved buffers in memory; what it has not open it says it does not know. */
export function fakeEditor(buffers: Record<string, string> = {}): FakeEditor {
  let refusal: EditorError | undefined;
  const editor: FakeEditor = {
    canRead: true,
    canWrite: true,
    buffers: new Map(Object.entries(buffers)),
    asked: [],
    refuse: (error) => {
      refusal = error;
    },
    onRead: () => {},
    async readText(path) {
      editor.asked.push(`read ${path}`);
      if (refusal) throw refusal;
      const text = editor.buffers.get(path);
      editor.onRead(path);
      if (text === undefined) throw new EditorError(-32002, `Resource not found: file://${path}`);
      return text;
    },
    async writeText(path, text) {
      editor.asked.push(`write ${path}`);
      if (refusal) throw refusal;
      editor.buffers.set(path, text);
    },
  };
  return editor;
}
