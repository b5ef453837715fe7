// Structured answers pass through the MCP libraries as placeholders. The answer's JSON text replaces them at the end, so
// that it is not parsed, copied, validated and printed again, and its numbers keep their spelling.
import { randomUUID } from 'node:crypto';

/** Random, so no caller can send it. */
const MARK = randomUUID();
const STAND_IN = new RegExp(String.raw`\{"${MARK}":(\d+)\}`, 'g');

/** @param texts the texts of this request, to which this one is added */
export function placeholderFor(texts: string[], text: string): object {
  return { [MARK]: texts.push(text) - 1 };
}

/** @param printed JSON that contains the placeholders of `texts` */
export function fillPlaceholders(printed: string, texts: readonly string[]): string {
  return texts.length === 0
    ? printed
    : printed.replaceAll(STAND_IN, (_, index) => texts[Number(index)] ?? 'null');
}
