// Rows as JSON Lines, exactly as they are stored, with the text of numbers and the order of members.
import type { RowPage } from './row-page.ts';

const LINE_END = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;

/** One line for each row. */
export function jsonLines({ bytes, spans }: RowPage): Uint8Array {
  const out = new Uint8Array(bytes.length + spans.length / 2);
  const ends: number[] = [];
  let written = 0;
  for (let index = 0; index < spans.length; index += 2) {
    const text = bytes.subarray(spans[index], spans[index + 1]);
    out.set(text, written);
    written += text.length;
    ends.push(written);
    out[written++] = LINE_END;
  }
  const lines = out.subarray(0, written);
  blankOthers(lines, ends);
  return lines;
}

/** Replaces line ends within a JSON text by spaces. They can only be white space between tokens. */
function blankOthers(lines: Uint8Array, ends: readonly number[]): void {
  let found = lines.indexOf(LINE_END);
  for (const end of ends) {
    for (; found < end; found = lines.indexOf(LINE_END, found + 1)) lines[found] = SPACE;
    found = lines.indexOf(LINE_END, end + 1);
  }
  found = lines.indexOf(CARRIAGE_RETURN);
  for (; found !== -1; found = lines.indexOf(CARRIAGE_RETURN, found + 1)) lines[found] = SPACE;
}
