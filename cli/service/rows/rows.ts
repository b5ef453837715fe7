// The rows of a record's latest version, or of another one.
import type { SnapshotRow } from '../../../clients/typescript/src/models.ts';
import { isExactNumber } from '../../../core/text/exact-json.ts';
import { MISSING, quoteLookAlike } from '../../../core/text/look-alikes.ts';
import { connect } from '../access/connect.ts';
import { firstItems, pageSize } from '../calls/first-items.ts';
import { given } from '../calls/given.ts';
import { answer, type AnswerOptions, type Cell, table } from '../output/answers.ts';
import { filterQuery } from './filters.ts';

export interface RowsOptions extends AnswerOptions {
  snapshot: string;
  search?: string;
  filter: string[];
  limit: number;
}

export async function listRows(reference: string, options: RowsOptions): Promise<void> {
  const { snapshot, search, filter, limit } = options;
  const { snapshots } = connect();
  // The rows alone do not tell the order of the columns.
  const { id, columns } = await snapshots.get(reference, snapshot);
  const query = { ...given({ search, filter: filterQuery(filter) }), limit: pageSize(limit) };
  const { items: rows, hasMore } = await firstItems(snapshots.rows(reference, id, query), limit);
  await answer(options, { snapshotId: id, columns, count: rows.length, hasMore, rows }, () =>
    rowWords(columns, rows, hasMore),
  );
}

function rowWords(columns: readonly string[], rows: readonly SnapshotRow[], hasMore: boolean): string {
  const valueOf = ({ data }: SnapshotRow, column: string): unknown =>
    Object.hasOwn(data, column) ? data[column] : undefined;
  const mixed = new Set(columns.filter((column) => rows.some((row) => isBare(valueOf(row, column)))));
  const cells = rows.map((row) =>
    columns.map((column) =>
      cellOf(valueOf(row, column), mixed.has(column) && looksBare(valueOf(row, column))),
    ),
  );
  const text = table(columns, cells, 'There are no such rows.');
  return hasMore && process.stdout.isTTY
    ? `${text}\nThere are more: --limit 0 lists all, and “recordwatch export” writes a file.`
    : text;
}

/** A JSON value that is no text and has no brackets. Tables of texts alone, such as those of CSV, have none. */
const isBare = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'boolean' || isExactNumber(value);

/** Whether a text is written as such a value. */
const looksBare = (value: unknown): boolean =>
  typeof value === 'string' && /^"*(?:true|false|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)"*$/i.test(value);

/** Text as it is, unless it looks like null, a missing value or another value of its column; other values as in JSON. */
function cellOf(value: unknown, looksOther: boolean): Cell {
  if (value === undefined) return MISSING;
  if (typeof value !== 'string' || looksOther) return JSON.stringify(value);
  return value === '' ? '' : quoteLookAlike(value);
}
