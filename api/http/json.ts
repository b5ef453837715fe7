// Prints answers. Row data pass as the JSON text that the database holds: parsing and printing them again would
// turn 10000000000000000999 into 10000000000000002000.
import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';

/** JSON text that is printed as it is, by encodeJson. */
export interface RawJson {
  toJSON: () => string;
}

/** Stands for a raw text while JSON.stringify works. Nobody outside knows it, so no text of theirs can hold it. */
const MARK = randomUUID();

/** The raw texts of the value that is being printed, in their order. */
const texts: string[] = [];

export function rawJson(text: string): RawJson {
  return {
    toJSON: () => {
      texts.push(text);
      return MARK;
    },
  };
}

/** Schema of a row's data in an answer. */
export const rowDataSchema = Type.Unsafe<RawJson>({
  type: 'object',
  title: 'RowData',
  description: 'A row: column names and values as the origin wrote them.',
});

/** Like JSON.stringify, except that RawJson stands for itself. */
export function encodeJson(value: unknown): string {
  texts.length = 0;
  const printed = JSON.stringify(value) ?? 'null';
  if (texts.length === 0) return printed;
  const between = printed.split(`"${MARK}"`);
  return between.map((part, index) => part + (texts[index] ?? '')).join('');
}
