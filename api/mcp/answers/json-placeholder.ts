// Structured answers go through the libraries as stand-ins, in whose place the JSON text of the answer is put when all is
// printed: it need not be parsed, copied, checked and printed again, and its numbers stay as they were written.
import { randomUUID } from 'node:crypto';

/** Nobody outside knows it, so no text of theirs can hold it. */
const MARK = randomUUID();
const STAND_IN = new RegExp(String.raw`\{"${MARK}":(\d+)\}`, 'g');

/** @param texts of this request, which the text is added to */
export function placeholderFor(texts: string[], text: string): object {
  return { [MARK]: texts.push(text) - 1 };
}

/** @param printed JSON with the stand-ins of `texts` in it */
export function fillPlaceholders(printed: string, texts: readonly string[]): string {
  return texts.length === 0
    ? printed
    : printed.replaceAll(STAND_IN, (_, index) => texts[Number(index)] ?? 'null');
}
