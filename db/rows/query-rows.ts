// Groups and aggregates a snapshot's rows. Columns and values of the caller are bound parameters; the names in the statement
// are our own: column0, measure0.
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { numberSql, type RowSelection, selectionSql } from './row-filters.ts';
import { type SnapshotRef, IN_SNAPSHOT } from './snapshots.ts';
import { fitsBy } from '../page.ts';

export type Measure =
  | { measure: 'count'; column: string | null }
  | { measure: 'distinct' | 'min' | 'max' | 'avg' | 'sum'; column: string };

export interface RowQuery {
  selection: RowSelection;
  /** Empty to treat all rows as one group. */
  groupBy: readonly string[];
  measures: readonly Measure[];
  order: readonly Sorting[];
  limit: number;
}

export interface Sorting {
  /** The measure or the column of `groupBy` to sort by, by its index. */
  by: 'measure' | 'group';
  index: number;
  direction: 'asc' | 'desc';
}

export interface RowGroup {
  /** The values of the columns of `groupBy`, as text; null for missing and null. */
  group: (string | null)[];
  /** Counts are numbers. The others are texts with every digit, or null where there is no value. */
  measures: (number | string | null)[];
}

/**
 * The groups in the requested order, then by their columns: numbers by value, then texts byte by byte, then missing values.
 * @returns one more than the limit; fewer, with `isWhole` false, when they are too large for an answer
 */
export async function queryRows(
  db: Database,
  snapshot: SnapshotRef,
  query: RowQuery,
  keyFields: readonly string[],
): Promise<{ groups: RowGroup[]; isWhole: boolean }> {
  const columns = columnsOf(query);
  const selection = selectionSql(query.selection, keyFields);
  const rows = await rawRows<Record<string, number | string | null> & { fits: boolean }>(
    db,
    querySql(query, columns, selection.sql),
    {
      ...selection.bindings,
      ...snapshot,
      ...Object.fromEntries(columns.map((column, at): [string, Knex.Value] => [`column${at}`, column])),
      limit: query.limit + 1,
    },
  );
  const shown = rows.slice(0, query.limit).filter((row, at) => row.fits || at === 0);
  const groups = shown.map((row) => ({
    group: query.groupBy.map((_, at) => textOf(row[`group${at}`])),
    measures: query.measures.map((_, at) => row[`measure${at}`] ?? null),
  }));
  return { groups, isWhole: groups.length === rows.length };
}

const textOf = (value: number | string | null | undefined): string | null =>
  value === undefined || value === null ? null : String(value);

/** All columns of the query, each once. */
function columnsOf({ groupBy, measures }: RowQuery): string[] {
  const measured = measures.flatMap(({ column }) => (column === null ? [] : [column]));
  return [...new Set([...groupBy, ...measured])];
}

function querySql(query: RowQuery, columns: readonly string[], condition: string): string {
  const columnIndexOf = (column: string): number => columns.indexOf(column);
  const groups = query.groupBy.map((column, at) => ({
    sql: `cell${columnIndexOf(column)}`,
    name: `group${at}`,
  }));
  const measures = query.measures.map((measure, at) => ({
    sql: measureSql(measure, measure.column === null ? null : columnIndexOf(measure.column)),
    name: `measure${at}`,
  }));
  const numbers = [...columns.keys()].filter((at) =>
    query.measures.some((one) => isNumeric(one, columns[at])),
  );
  const named = [...groups, ...measures];
  const weight = named.map(({ name }) => `coalesce(octet_length(${name}::text), 0)`).join(' + ');
  return `select *, ${fitsBy('rank')} from (
      select grouped.*, row_number() over (order by ${orderSql(query)}) as rank, ${weight} as weight from (
        select ${named.map(({ sql, name }) => `${sql} as ${name}`).join(', ')} from (
          select cells.* ${numbers.map((at) => `, ${numberSql(`cell${at}`)} as number${at}`).join('')} from (
            select true as is_row ${columns.map((_, at) => `, data ->> :column${at}::text as cell${at}`).join('')}
            from row_versions where ${IN_SNAPSHOT} ${condition} offset 0
          ) cells offset 0
        ) numbered
        ${groups.length === 0 ? '' : `group by ${groups.map(({ sql }) => sql).join(', ')}`}
      ) grouped order by rank limit :limit
    ) chosen order by rank`;
}

const isNumeric = ({ measure, column }: Measure, of: string | undefined): boolean =>
  column === of && measure !== 'count' && measure !== 'distinct';

/** An empty cell has no value, but count(*) counts its row. */
function measureSql({ measure }: Measure, columnIndex: number | null): string {
  return columnIndex === null
    ? 'count(*)'
    : MEASURES[measure](`nullif(cell${columnIndex}, '')`, `number${columnIndex}`);
}

const MEASURES: Record<Measure['measure'], (value: string, number: string) => string> = {
  count: (value) => `count(${value})`,
  distinct: (value) => `count(distinct ${value})`,
  sum: (_value, number) => `sum(${number})::text`,
  // avg() of numeric rounds to about 16 digits. This expression adds 20 digits to the decimal places of the values.
  avg: (_value, number) =>
    `trim_scale(sum(${number}) * 1.${'0'.repeat(20)} / nullif(count(${number}), 0))::text`,
  min: (value, number) => extremeSql('min', value, number),
  max: (value, number) => extremeSql('max', value, number),
};

/** If all texts are plain numbers, the extreme is by number, otherwise by text. */
const extremeSql = (aggregate: 'min' | 'max', value: string, number: string): string =>
  `case when count(${number}) = count(${value}) then ${aggregate}(${number})::text
    else ${aggregate}(${value} collate "C") end`;

/** Sorts by the groups last, so that the order is always the same. */
function orderSql({ order, groupBy, measures }: RowQuery): string {
  const asked = order.map(({ by, index, direction }) => {
    const isCount = by === 'measure' && ['count', 'distinct'].includes(measures[index]?.measure ?? '');
    if (isCount) return `measure${index} ${directionSql(direction)}`;
    return naturalOrder(by === 'measure' ? `measure${index}` : `group${index}`, direction);
  });
  const rest = groupBy.map((_, at) => naturalOrder(`group${at}`, 'asc'));
  return [...asked, ...rest].join(', ') || 'true';
}

const naturalOrder = (text: string, direction: Sorting['direction']): string =>
  `${numberSql(text)} ${directionSql(direction)} nulls last,
    ${text} collate "C" ${directionSql(direction)} nulls last`;

const directionSql = (direction: Sorting['direction']): string => (direction === 'desc' ? 'desc' : 'asc');
