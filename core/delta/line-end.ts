// Tells whether a text ends in a line end. A text that was cut within its last line does not.
import { END_MARK_BYTE } from './end-mark.ts';
import type { ReadAt } from './raw/read-at.ts';

const LINE_ENDS: readonly (number | undefined)[] = [10, 13];
/** A line end and the mark of DOS in UTF-16. */
const END_BYTES = 4;

/** In any charset: no other characters have these bytes, except for rare ones in UTF-16. @param read of the decompressed body */
export async function hasLineEnd(read: ReadAt, sizeBytes: number): Promise<boolean> {
  const end = Buffer.alloc(Math.min(END_BYTES, sizeBytes));
  await read(end, sizeBytes - end.length);
  // Half of an ASCII character is 0 in UTF-16.
  const bytes = [...end].filter((byte) => byte !== 0);
  return LINE_ENDS.includes(bytes.at(-1) === END_MARK_BYTE ? bytes.at(-2) : bytes.at(-1));
}
