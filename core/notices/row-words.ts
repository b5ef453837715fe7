// A row of an event in words: `Jam: price 3.20 to 3.50`.
import { splitRowJson } from '../delta/keys/keyed-row.ts';
import { MISSING, quoteLookAlike } from '../text/look-alikes.ts';
import { LONGEST_LINE, shortLine } from './notice.ts';

const LONGEST_KEY = 80;
const LONGEST_COLUMN = 40;
const LONGEST_VALUE = 40;
/** Of a row, so that one row does not fill the message. */
const MOST_COLUMNS = 3;

/** @param text of the row, as the API's list of rows has it */
export function rowWords(text: string): string {
  const members = new Map(splitRowJson(text));
  const key = textOf(members.get('key'));
  const before = objectText(members.get('before'));
  const after = objectText(members.get('after'));
  // In the order of the row. Reading the text sorts the members of `before` and `after`.
  const columns = JSON.parse(members.get('changedFields') ?? '[]') as string[];
  const paired = members.has('pairedBy') ? ' (paired with a similar row)' : '';
  return shortLine(
    `${nameOf(key, after ?? before)}${whatHappened(before, after, columns)}${paired}`,
    LONGEST_LINE,
  );
}

/** The key of a row without key fields, and a long key, is a hash. It is named by its first values instead. */
function nameOf(key: string, data: string | null): string {
  if (!key.startsWith('sha256:') || data === null) return shortLine(key, LONGEST_KEY);
  const values = splitRowJson(data).slice(0, MOST_COLUMNS);
  return `(${values.map(([, token]) => valueWords(token)).join(', ')})`;
}

function whatHappened(before: string | null, after: string | null, columns: readonly string[]): string {
  if (before === null) return ' is new';
  if (after === null) return ' is gone';
  const [old, now] = [new Map(splitRowJson(before)), new Map(splitRowJson(after))];
  const shown = columns
    .slice(0, MOST_COLUMNS)
    .map((column) => changeWords(column, old.get(column), now.get(column)));
  if (shown.length === 0) return ' changed';
  const left = columns.length - shown.length;
  return `: ${shown.join('; ')}${left === 0 ? '' : `; and ${left} more ${left === 1 ? 'column' : 'columns'}`}`;
}

/** Values that differ only where they are cut off are not shown as if they were equal. */
function changeWords(column: string, before: string | undefined, after: string | undefined): string {
  const [from, to] = [valueWords(before), valueWords(after)];
  const name = shortLine(column, LONGEST_COLUMN);
  return from === to ? `${name} changed` : `${name} ${from} to ${to}`;
}

/** @param token of JSON; numbers keep their digits */
function valueWords(token: string | undefined): string {
  if (token === undefined) return MISSING;
  return shortLine(token.startsWith('"') ? quoteLookAlike(textOf(token)) : token, LONGEST_VALUE);
}

/** A string of JSON, or the token of another value. */
const textOf = (token = ''): string => (token.startsWith('"') ? (JSON.parse(token) as string) : token);

const objectText = (token: string | undefined): string | null =>
  token === undefined || token === 'null' ? null : token;
