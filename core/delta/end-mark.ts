// The mark with which DOS ends a file of text: one 0x1A as the very last character. It belongs to no row.

const END_MARK = '\u001A';
export const END_MARK_BYTE = 0x1a;

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
