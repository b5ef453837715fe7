// Which rows of a snapshot a caller asks for, as a condition in SQL. Everything that a caller wrote, the names of
// columns too, is a bound parameter: no text of theirs becomes a part of a statement.
import { rowKey } from '../../core/delta/keys/keyed-row.ts';
import type { Knex } from '../driver/knex.ts';

export type RowFilter = { column: string } & (
  | { operator: 'eq' | 'ne' | 'contains' | 'startsWith' | 'gt' | 'gte' | 'lt' | 'lte'; value: string }
  | { operator: 'in'; value: readonly string[] }
  | { operator: 'exists' | 'empty'; value: boolean }
);

export interface RowSelection {
  /** Text that some value holds, or the row's key, whatever the case of its letters; null: any row. */
  search: string | null;
  /** Where to search; none: in all columns and in the key. */
  searchColumns: readonly string[];
  /** All of them must hold. */
  filters: readonly RowFilter[];
}

export interface Condition {
  /** Begins with `and`; empty when every row is asked for. */
  sql: string;
  bindings: Knex.ValueDict;
}

/**
 * Digits with at most one point, and an exponent of at most three digits. What is longer than 200 characters is no
 * number here, so no value can exceed what `numeric` holds. Without `?`, which knex takes for a parameter.
 */
const NUMBER = `'^-{0,1}[0-9]+([.][0-9]+){0,1}([eE][-+]{0,1}[0-9]{1,3}){0,1}$'`;

/** Whether a text expression is a plain number; null for null. */
export const isNumberSql = (text: string): string => `(length(${text}) <= 200 and ${text} ~ ${NUMBER})`;

/** The exact value of a text expression; null where it is no plain number. */
export const numberSql = (text: string): string =>
  `(case when ${isNumberSql(text)} then (${text})::numeric end)`;

/** As it is compared by a search: "Straße" and "STRASSE" are the same. */
const foldedSql = (text: string): string => `casefold((${text}) collate "pg_unicode_fast")`;

/**
 * @param selection its columns exist; its texts hold no NUL
 * @param keyFields the record's: a row that is asked for by the value of its only key field is found by its key
 */
export function selectionSql(selection: RowSelection, keyFields: readonly string[]): Condition {
  const search = selection.search === null ? [] : [searchSql(selection.search, selection.searchColumns)];
  const filters = selection.filters.map((filter, at) => filterSql(filter, `filter${at}`));
  const keys = keysOf(selection, keyFields);
  const byKey =
    keys === null ? [] : [{ sql: 'row_key = any(:rowKeys::text[])', bindings: { rowKeys: keys } }];
  const all = [...byKey, ...filters, ...search];
  return {
    sql: all.map(({ sql }) => `and ${sql}`).join('\n'),
    bindings: Object.assign({}, ...all.map(({ bindings }) => bindings)),
  };
}

/** The keys of which a row that is asked for must have one; null: of any. */
export function keysOf({ filters }: RowSelection, keyFields: readonly string[]): string[] | null {
  if (keyFields.length !== 1) return null;
  for (const { column, operator, value } of filters) {
    if (column !== keyFields[0]) continue;
    if (operator === 'eq') return [rowKey([value])];
    if (operator === 'in') return value.map((text) => rowKey([text]));
  }
  return null;
}

/** Where a row stands in a statement: expressions of its key, and of its data in one version or several. */
export interface RowTexts {
  key: string;
  data: readonly string[];
}

const STORED: RowTexts = { key: 'row_key', data: ['data'] };

/** @param columns none: all, and the key */
export function searchSql(
  search: string,
  columns: readonly string[],
  { key, data }: RowTexts = STORED,
): Condition {
  const isIn = (text: string): string => `position(${foldedSql(':search::text')} in ${foldedSql(text)}) > 0`;
  const ofColumns = columns.length > 0 ? 'and name = any(:searchColumns::text[])' : '';
  // Quotes, backslashes and control characters are written otherwise inside the row's JSON. All other texts can be
  // looked for in it as a whole first, which leaves few rows to take apart.
  const isPlain = !/["\\\p{Cc}]/u.test(search);
  const inValues = data.map((json) => {
    const inOne = `exists (select from json_each_text(${json}) as cell (name, value)
    where ${isIn('value')} ${ofColumns})`;
    return isPlain ? `(${isIn(`${json}::text`)} and ${inOne})` : inOne;
  });
  const places = columns.length > 0 ? inValues : [isIn(key), ...inValues];
  return { sql: `(${places.join(' or ')})`, bindings: { search, searchColumns: [...columns] } };
}

function filterSql(filter: RowFilter, name: string): Condition {
  const column = `:${name}Column::text`;
  const sql = TESTS[filter.operator](`(data ->> ${column})`, `:${name}Value`, `(data -> ${column})`);
  return {
    sql,
    // Texts, a list of texts or a boolean: pg takes them all.
    bindings: { [`${name}Column`]: filter.column, [`${name}Value`]: filter.value as Knex.Value },
  };
}

/** By operator, from the column's value as text (null for null), the value asked for, and the column's as JSON. */
const TESTS: Record<RowFilter['operator'], (text: string, value: string, json: string) => string> = {
  eq: (text, value) => `${text} = ${value}::text`,
  ne: (text, value) => `${text} is distinct from ${value}::text`,
  gt: (text, value) => comparisonSql('>', text, value),
  gte: (text, value) => comparisonSql('>=', text, value),
  lt: (text, value) => comparisonSql('<', text, value),
  lte: (text, value) => comparisonSql('<=', text, value),
  contains: (text, value) => `position(${value}::text in ${text}) > 0`,
  startsWith: (text, value) => `starts_with(${text}, ${value}::text)`,
  in: (text, value) => `${text} = any(${value}::text[])`,
  exists: (_text, value, json) => `(${json} is not null) = ${value}::boolean`,
  empty: (text, value) => `(coalesce(${text}, '') = '') = ${value}::boolean`,
};

/**
 * Of two plain numbers the numbers are compared, else the texts, byte by byte; an empty cell is neither more nor less
 * than anything. The row is taken apart once, in a subquery that stays one.
 */
function comparisonSql(comparison: string, text: string, value: string): string {
  const given = `${value}::text`;
  return `(select case when ${isNumberSql('cell')} and ${isNumberSql(given)}
      then cell::numeric ${comparison} ${numberSql(given)}
      else cell <> '' and cell collate "C" ${comparison} ${given} end
    from (select ${text} as cell offset 0) cells)`;
}
