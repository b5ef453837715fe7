// Tells whether a text ends in a line end. A text that was cut within its last line does not.
import { END_MARK_BYTE } from './end-mark.ts';
import type { ReadAt } from './raw/read-at.ts';

const LINE_ENDS: readonly (number | undefined)[] = [10, 13];
/** Of UTF-16 without a space, a digit, a delimiter and a line end in so many bytes, nothing shows what it is. */
const END_BYTES = 4_096;

/** In any charset that the reader accepts. @param read of the decompressed body */
export async function hasLineEnd(read: ReadAt, sizeBytes: number): Promise<boolean> {
  const end = Buffer.alloc(Math.min(END_BYTES, sizeBytes));
  await read(end, sizeBytes - end.length);
  // No other text has a byte 0: it would be NUL, which the reader refuses.
  const asciiAt = end.includes(0) ? asciiOfUtf16 : (bytes: Buffer, place: number) => bytes.at(place);
  const last = asciiAt(end, -1);
  return LINE_ENDS.includes(last === END_MARK_BYTE ? asciiAt(end, -2) : last);
}

/**
 * A character of ASCII, in either order of its bytes: 0A alone is also a half of others, as of 上 (4E 0A) and ਕ (0A 15).
 * @param place from the end: -1 is the last one
 * @returns undefined for another character
 */
function asciiOfUtf16(bytes: Buffer, place: number): number | undefined {
  const [one, other] = [bytes.at(2 * place), bytes.at(2 * place + 1)];
  if (one === 0) return other;
  return other === 0 ? one : undefined;
}
