// Keeps the last reported values in rows whose hashes differ, where the column's rule treats old and new as equal
// (core/delta/carry-over.ts). A row in which all values are equal has not changed.
import type { CarryOver } from '../../core/delta/carry-over.ts';
import { changedFields } from '../../core/delta/keys/keyed-row.ts';
import { type Knex, rawRows } from '../driver/knex.ts';
import type { Difference } from './commit-facts.ts';
import type { FewRows } from './compare-few.ts';

export interface CarriedFew {
  /** Without rows in which every value is still the same. */
  differences: readonly Difference[];
  /** With the values that are still the same as they are stored. */
  rows: FewRows;
}

export function carryOverFew(
  found: readonly Difference[],
  gathered: FewRows,
  carryOver: CarryOver | undefined,
): CarriedFew {
  if (carryOver === undefined) return { differences: found, rows: gathered };
  const rows = new Map(gathered);
  const differences = found.filter(({ key, before }) => {
    const row = rows.get(key);
    if (before === null || row === undefined) return true;
    const data = carryOver(before, row.data);
    rows.set(key, { ...row, data });
    return changedFields(before, data).length > 0;
  });
  return { differences, rows };
}

/** Rows to read at a time: at most so many, and so many characters unless one row has more. */
const PAGE_ROWS = 1_000;
const PAGE_LENGTH = 4 * 1024 * 1024;

/** Where the two sides of a changed row are stored. */
interface Place {
  line: string;
  incoming: string;
  length: number;
}

/**
 * Changes the data of such rows in the table `incoming`, and removes rows that have not changed from the table `differing`,
 * before either is stored.
 * @returns how many were removed
 */
export async function carryOverRows(
  trx: Knex.Transaction,
  carryOver: CarryOver | undefined,
): Promise<number> {
  if (carryOver === undefined) return 0;
  await trx.raw(
    `create temporary table carried (row_key text collate "C" not null, data json not null, is_same boolean not null)
     on commit drop`,
  );
  await trx.raw(
    `declare changed_rows no scroll cursor for
     select differing.line::text as line, incoming.ctid::text as incoming,
       length(stored.data::text) + length(incoming.data::text) as length
     from differing join row_versions stored on stored.ctid = differing.line
       join incoming on incoming.row_key = differing.row_key
     where change_type = 'changed'`,
  );
  let count = 0;
  for (;;) {
    const places = await rawRows<Place>(trx, `fetch ${PAGE_ROWS} from changed_rows`);
    if (places.length === 0) break;
    for (const page of pagesOf(places)) count += await carryPage(trx, page, carryOver);
  }
  await trx.raw('close changed_rows');
  return count === 0 ? 0 : applyCarried(trx);
}

async function applyCarried(trx: Knex.Transaction): Promise<number> {
  await trx.raw('analyze carried');
  await trx.raw(
    `update incoming set data = carried.data from carried where incoming.row_key = carried.row_key and not is_same`,
  );
  const { rowCount }: { rowCount: number } = await trx.raw(
    'delete from differing using carried where differing.row_key = carried.row_key and is_same',
  );
  return rowCount;
}

function pagesOf(places: readonly Place[]): Place[][] {
  const pages: Place[][] = [];
  let left = 0;
  for (const place of places) {
    left -= place.length;
    if (left < 0) {
      pages.push([]);
      left = PAGE_LENGTH - place.length;
    }
    pages.at(-1)?.push(place);
  }
  return pages;
}

/** @returns how many rows have values to keep */
async function carryPage(
  trx: Knex.Transaction,
  places: readonly Place[],
  carryOver: CarryOver,
): Promise<number> {
  const rows = await rawRows<{ key: string; before: string; after: string }>(
    trx,
    `select incoming.row_key as key, stored.data::text as before, incoming.data::text as after
     from unnest(?::tid[], ?::tid[]) as place (line, incoming)
     join row_versions stored on stored.ctid = place.line
     join incoming on incoming.ctid = place.incoming`,
    [places.map(({ line }) => line), places.map(({ incoming }) => incoming)],
  );
  const carried = rows
    .map((row) => ({ ...row, data: carryOver(row.before, row.after) }))
    .map((row) => ({ ...row, isSame: changedFields(row.before, row.data).length === 0 }))
    .filter(({ after, data, isSame }) => isSame || after !== data);
  if (carried.length === 0) return 0;
  await trx.raw('insert into carried select * from unnest(?::text[], ?::json[], ?::boolean[])', [
    carried.map(({ key }) => key),
    carried.map(({ data }) => data),
    carried.map(({ isSame }) => isSame),
  ]);
  return carried.length;
}
