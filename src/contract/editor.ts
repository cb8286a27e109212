/** The person's editor, where one is connected: its unsaved buffers are the truth. */
export interface Editor {
  /** What the editor says it can do, each by itself. */
  readonly canRead: boolean;
  readonly canWrite: boolean;
  /** The whole text of a file, by absolute path. Rejects with an EditorError. */
  readText(path: string): Promise<string>;
  writeText(path: string, text: string): Promise<void>;
}

/** What the editor answered instead of doing it: its own number, in its own numbering, and its words. */
export class EditorError extends Error {
  override readonly name = 'EditorError';
  readonly code: number;
  readonly details: string;

  constructor(code: number, message: string, details = '') {
    super(message);
    this.code = code;
    this.details = details;
  }
}
