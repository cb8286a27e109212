/** Somebody who has texts: the disk, or the person's editor. The store asks them in turn. */
import type { Change, Lines, LineWindow, Via } from '../../contract/ports';
import type { Encoding } from '../../text/encoding';
import type { PiecedText } from '../../text/pieced-text';
import type { Steps } from '../../text/steps';
import type { ReadOptions } from './disk';
import type { LongFile } from './long-file';
import type { Pin } from './pin';

export interface ProvidedText {
  /** May be made when it is first asked for. */
  readonly text: string;
  /** Makes it a piece at a time, where it is not made yet. */
  textSteps?(): Steps<string>;
  /** Size on disk, or of the text as it would be there. */
  readonly bytes: number;
  /** The bytes themselves, if the provider has them. */
  readonly raw?: Uint8Array;
  /** The file that has them, where they are too many to be had before somebody needs them. */
  readonly file?: LongFile;
  readonly encoding: Encoding;
  readonly via: Via;
  /** What the provider needs to tell later whether the text is still the same. */
  readonly version: unknown;
  /** What the reader should know about this text. */
  readonly warning?: string;
  /** For when nobody wants to know the text or the bytes any more: what was not asked for by then is gone. */
  letGo?(): Promise<void> | undefined;
}

export interface TextProvider {
  /** Undefined: it is not for this provider to say; ask the next. */
  read(pin: Pin, options: ReadOptions): Promise<ProvidedText | undefined>;
  /** The same for some of the lines, which need not take the whole text. */
  readLines(pin: Pin, window: LineWindow): Promise<Lines | undefined>;
  /**
   * Writes the text. With `basedOn`, only if that is still what stands there, else says `changed`. Undefined: this
   * provider cannot write; ask the next.
   */
  write(pin: Pin, next: NewText, options: WriteOptions): Promise<Written | 'changed' | undefined>;
}

/** What is to stand there. With `changes` or `splices`, the text is not made before somebody asks for it. */
export interface NewText extends Pick<Change<unknown>, 'text' | 'size' | 'changes' | 'within' | 'splices'> {
  /** The same text in the pieces in which it came. */
  readonly pieced?: PiecedText;
}

export interface WriteOptions {
  readonly encoding: Encoding | 'keep';
  readonly basedOn?: ProvidedText | undefined;
  /** A text that would be larger on disk is refused. */
  readonly maxBytes?: number | undefined;
}

export interface Written {
  readonly bytes: number;
  readonly created: boolean;
  readonly via: Via;
}
