// Answers that are files: streamed, not built in memory.
import type { Readable } from 'node:stream';
import { Type } from 'typebox';

const FILE = Symbol('file');

export interface FileAnswer {
  readonly [FILE]: true;
  /** With its charset. */
  contentType: string;
  /** Plain ASCII: slug, snapshot and suffix. */
  fileName: string;
  /** Names the bytes, without quotes; they never change under it. */
  etag: string;
  /** Opens the content. Not called when the caller has it already. */
  open: () => Readable;
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
