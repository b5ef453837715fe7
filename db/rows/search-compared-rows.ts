// Searching the rows that differ between two snapshots: a statement looks at so many of them and no more, found or not.
import {
  bindingsOf,
  dataSql,
  differingSql,
  findWay,
  sidesOf,
  type SnapshotPair,
} from './compare-snapshots.ts';
import type { DeltaRow } from './delta-rows.ts';
import { deltaSelectionSql, typeLeft } from './delta-selection.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import type { DeltaSearch, SearchedDeltaRows } from './search-delta-rows.ts';
import { FITS, type PageRequest } from '../page.ts';

/**
 * Rows that are asked for, by key, one more than the limit, among the first `visits` rows of the page's range that differ.
 * @param search its columns exist
 */
export async function searchComparedRows(
  db: Database,
  pair: SnapshotPair,
  { changeType, selection, visits }: DeltaSearch,
  page: PageRequest<string>,
): Promise<SearchedDeltaRows> {
  const type = typeLeft(changeType, selection);
  if (type === undefined) return { rows: [], stoppedAt: null };
  const [before, after] = sidesOf(pair);
  const { sql, bindings } = deltaSelectionSql(selection);
  const found = await rawRows<{ stoppedAt: string | null } & (DeltaRow | { key: null })>(
    db,
    `with differing as materialized (
       select * from (${differingSql(pair, page, await findWay(db, pair))}) differing
       ${type === null ? '' : 'where change_type = :type'} order by key limit :visits + 1
     ), edge as (
       select case when count(*) > :visits
         then (select key from differing order by key offset :visits - 1 limit 1) end as key
       from differing
     )
     select edge.key as "stoppedAt", found.key, fits, change_type as "changeType",
       case when fits then before::text end as before, case when fits then after::text end as after
     from edge left join (
       select page.*, ${FITS} from (
         select read.*, coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0) as weight
         from (
           select key, change_type, ${dataSql(before)} as before, ${dataSql(after)} as after
           from (select * from differing order by key limit :visits) chosen offset 0
         ) read
         where ${sql === '' ? 'true' : sql}
         order by key limit :limit
       ) page
     ) found on true order by found.key`,
    { ...bindings, ...bindingsOf(pair), type, visits, after: page.after, limit: page.limit + 1 },
  );
  return {
    // What stands beside the edge when nothing is found is no row.
    rows: found.flatMap(({ stoppedAt: _stoppedAt, ...row }) => (row.key === null ? [] : [row])),
    stoppedAt: found[0]?.stoppedAt ?? null,
  };
}
