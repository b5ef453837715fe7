// The mark with which DOS ends a file of text: one 0x1A as the very last character. It belongs to no row.
import { TextDecoder } from '@exodus/bytes/encoding.js';
import type { Dialect } from './model.ts';

const END_MARK = '\u001A';
export const END_MARK_BYTE = 0x1a;
/** The version of reading (PARSER_VERSION) that first read texts without their mark. */
const FIRST_READING = 2;

/** Whether rows that are read in this dialect may have the mark, as the stored rows with which they are compared. */
export const keepsEndMark = ({ delimiter, reading = 0 }: Dialect): boolean =>
  delimiter !== null && reading < FIRST_READING;

/** Whether a body ends with the mark. @param end its last two bytes */
export const isEndMark = (end: Uint8Array, charset: string): boolean =>
  new TextDecoder(charset).decode(end).endsWith(END_MARK);

/** @param text the end of a body */
export const trimEndMark = (text: string): string => (text.endsWith(END_MARK) ? text.slice(0, -1) : text);

/** A text without its mark, in the same chunks otherwise. */
export async function* withoutEndMark(texts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let kept = '';
  for await (const text of texts) {
    const whole = kept + text;
    const trimmed = trimEndMark(whole);
    kept = whole.slice(trimmed.length);
    if (trimmed !== '') yield trimmed;
  }
}
