// Answers that are files: streamed, not built in memory.
import { Type } from 'typebox';
import type { Owner } from '../capacity/capacity.ts';

const FILE = Symbol('file');

export interface FileAnswer {
  readonly [FILE]: true;
  /** With its charset. */
  contentType: string;
  /** Plain ASCII: slug, number, date and suffix. */
  fileName: string;
  /** Names the bytes before compression, without quotes; they never change under it. */
  etag: string;
  /** Whose data it is: limits how many of their files are sent at once. */
  owner: Owner;
  /** Aborts when the process is about to end: what is still being sent then has a few seconds left. */
  closing: AbortSignal;
  /** The content, in pieces. Not called when the caller has it already. */
  open: () => AsyncGenerator<string | Uint8Array>;
}

export function fileAnswer(file: Omit<FileAnswer, typeof FILE>): FileAnswer {
  return { ...file, [FILE]: true };
}

export function isFileAnswer(output: unknown): output is FileAnswer {
  return typeof output === 'object' && output !== null && FILE in output;
}

/** Output schema of an operation that answers with a file of one of these media types. */
export const fileSchema = (mediaTypes: readonly string[]) =>
  Type.Unsafe<FileAnswer>({ type: 'string', contentMediaTypes: mediaTypes });
