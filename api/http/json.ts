// Prints responses. Row data pass through as the JSON text from the database: parsing and printing it would turn
// 10000000000000000999 into 10000000000000002000.
import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';

/** JSON text that encodeJson prints unchanged. */
export interface RawJson {
  toJSON: () => string;
}

/** A placeholder for raw text in the output of JSON.stringify. It is random, so no caller can send it. */
const MARK = randomUUID();

/** The raw texts of the value that is being printed, in order. */
const texts: string[] = [];

export function rawJson(text: string): RawJson {
  return {
    toJSON: () => {
      texts.push(text);
      return MARK;
    },
  };
}

/** Schema of a row's data in responses. */
export const rowDataSchema = Type.Unsafe<RawJson>({
  type: 'object',
  title: 'RowData',
  description: 'A row: names and values as the origin wrote them.',
});

/** JSON.stringify with support for RawJson. */
export function encodeJson(value: unknown): string {
  texts.length = 0;
  const printed = JSON.stringify(value) ?? 'null';
  if (texts.length === 0) return printed;
  const between = printed.split(`"${MARK}"`);
  return between.map((part, index) => part + (texts[index] ?? '')).join('');
}
