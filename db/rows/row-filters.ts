// Turns a caller's selection of a snapshot's rows into an SQL condition. Everything that the caller wrote, also the names of
// columns, is a bound parameter: none of it becomes part of a statement.
import { rowKey } from '../../core/delta/keys/keyed-row.ts';
import type { Knex } from '../driver/knex.ts';

export type RowFilter = { column: string } & (
  | { operator: 'eq' | 'ne' | 'contains' | 'startsWith' | 'gt' | 'gte' | 'lt' | 'lte'; value: string }
  | { operator: 'in'; value: readonly string[] }
  | { operator: 'exists' | 'empty'; value: boolean }
);

export interface RowSelection {
  /** A text in a value or in the row's key, case-insensitive; null for any row. */
  search: string | null;
  /** The columns to search; empty for all columns and the key. */
  searchColumns: readonly string[];
  /** A row must match all of them. */
  filters: readonly RowFilter[];
}

export interface SqlCondition {
  /** Begins with `and`; empty for all rows. */
  sql: string;
  bindings: Knex.ValueDict;
}

/**
 * Digits with at most one point, and an exponent of at most three digits. Texts longer than 200 characters do not count as
 * numbers, so that no value exceeds the range of `numeric`. Written without `?`, which knex takes for a parameter.
 */
const NUMBER = `'^-{0,1}[0-9]+([.][0-9]+){0,1}([eE][-+]{0,1}[0-9]{1,3}){0,1}$'`;

/** Whether a text expression is a plain number; null for null. */
export const isNumberSql = (text: string): string => `(length(${text}) <= 200 and ${text} ~ ${NUMBER})`;

/** The exact value of a text expression; null where it is not a plain number. */
export const numberSql = (text: string): string =>
  `(case when ${isNumberSql(text)} then (${text})::numeric end)`;

/** A text as a search compares it: "Straße" equals "STRASSE". */
const foldedSql = (text: string): string => `casefold((${text}) collate "pg_unicode_fast")`;

/**
 * @param selection its columns exist; its texts hold no NUL
 * @param keyFields the record's key fields. A row that is selected by the value of the only key field is found by its key
 */
export function selectionSql(selection: RowSelection, keyFields: readonly string[]): SqlCondition {
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

/** The keys that a selected row can have; null for any key. */
export function keysOf({ filters }: RowSelection, keyFields: readonly string[]): string[] | null {
  if (keyFields.length !== 1) return null;
  for (const { column, operator, value } of filters) {
    if (column !== keyFields[0]) continue;
    if (operator === 'eq') return [rowKey([value])];
    if (operator === 'in') return value.map((text) => rowKey([text]));
  }
  return null;
}

/** SQL expressions of a row's key, and of its data in one or more versions. */
export interface RowExpressions {
  key: string;
  data: readonly string[];
}

const STORED: RowExpressions = { key: 'row_key', data: ['data'] };

/** @param columns empty for all columns and the key */
export function searchSql(
  search: string,
  columns: readonly string[],
  { key, data }: RowExpressions = STORED,
): SqlCondition {
  const isIn = (text: string): string => `position(${foldedSql(':search::text')} in ${foldedSql(text)}) > 0`;
  const ofColumns = columns.length > 0 ? 'and name = any(:searchColumns::text[])' : '';
  // JSON escapes quotes, backslashes and control characters. All other texts can first be searched in the whole JSON text,
  // which leaves few rows to parse.
  const isPlain = !/["\\\p{Cc}]/u.test(search);
  const inValues = data.map((json) => {
    const inOne = `exists (select from json_each_text(${json}) as cell (name, value)
    where ${isIn('value')} ${ofColumns})`;
    return isPlain ? `(${isIn(`${json}::text`)} and ${inOne})` : inOne;
  });
  const conditions = columns.length > 0 ? inValues : [isIn(key), ...inValues];
  return { sql: `(${conditions.join(' or ')})`, bindings: { search, searchColumns: [...columns] } };
}

function filterSql(filter: RowFilter, name: string): SqlCondition {
  const column = `:${name}Column::text`;
  const sql = TESTS[filter.operator](`(data ->> ${column})`, `:${name}Value`, `(data -> ${column})`);
  return {
    sql,
    // pg accepts texts, lists of texts and booleans.
    bindings: { [`${name}Column`]: filter.column, [`${name}Value`]: filter.value as Knex.Value },
  };
}

/** The condition of each operator, from the column's value as text (null for null), the given value, and the column's JSON value. */
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
 * Compares two plain numbers by value, and everything else as texts, byte by byte. An empty cell is neither more nor less
 * than anything. The subquery (`offset 0`) reads the cell once.
 */
function comparisonSql(comparison: string, text: string, value: string): string {
  const given = `${value}::text`;
  return `(select case when ${isNumberSql('cell')} and ${isNumberSql(given)}
      then cell::numeric ${comparison} ${numberSql(given)}
      else cell <> '' and cell collate "C" ${comparison} ${given} end
    from (select ${text} as cell offset 0) cells)`;
}
