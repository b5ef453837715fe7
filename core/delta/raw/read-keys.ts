// The keys of rows that were once read without a complaint.
import { rowKey } from '../keys/identity.ts';
import { readHeader } from '../delimited/header-row.ts';
import { ROW_LIMITS } from '../model.ts';
import { splitDelimited } from '../delimited/split-delimited.ts';
import type { RowRule } from './row-bytes.ts';

/** Gives the keys of some rows, in their order; undefined for a row that only a reader of whole rows can tell it of. */
export type ReadKeys = (texts: readonly string[]) => (string | undefined)[];

/** @param header the text of the header and of what is above it; empty in JSON */
export function keyReader({ dialect, keyFields }: RowRule, header: string): ReadKeys {
  const { delimiter, headerRow } = dialect;
  if (delimiter === null) return (texts) => texts.map((text) => jsonKey(text, keyFields));
  const columns = readHeader(header, delimiter, headerRow ?? 1, { ...ROW_LIMITS, maxRows: Infinity });
  const places = keyFields.map((field) => columns.indexOf(field));
  return (texts) => {
    const { rows } = splitDelimited(texts.join('\n'), delimiter, true);
    return rows.map((row) => rowKey(places.map((at) => row[at] ?? '')));
  };
}

/** A text at the top of an object is the same whoever reads it; the text of a number is not kept. */
function jsonKey(text: string, keyFields: readonly string[]): string | undefined {
  const row: unknown = JSON.parse(text);
  if (typeof row !== 'object' || row === null) return undefined;
  const texts = keyFields.map((field): unknown =>
    Object.hasOwn(row, field) ? Reflect.get(row, field) : undefined,
  );
  return texts.every((value) => typeof value === 'string') ? rowKey(texts) : undefined;
}
