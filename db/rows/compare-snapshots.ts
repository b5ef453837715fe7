// Compares any two snapshots of one generation.
import { CHANGE_TYPES, type ChangeType, type DeltaRow, type DeltaCounts } from './delta-rows.ts';
import {
  type DeltaSearch,
  deltaSelectionSql,
  type SearchedDeltaRows,
  typeLeft,
} from './search-delta-rows.ts';
import type { ChangedFields } from '../../core/delta/canonical-row.ts';
import type { PreviousKeys } from '../../core/delivery-payload.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { bindingsOf, differingSql, sidesOf, type SnapshotPair, type Way } from './differing-rows.ts';
import { FITS, type PageRequest } from '../page.ts';

export interface ComparedKeys {
  newKeys: string[];
  changedKeys: string[];
  deletedKeys: string[];
  /** Of pairs of similar rows among the changed keys; null where there are none. */
  previousKeys: PreviousKeys | null;
}

const ALL = { after: null, limit: 0 } as const;

/** Counts the rows that differ, and lists the first keys of each kind, ascending in byte order. */
export async function compareSnapshots(
  db: Database,
  pair: SnapshotPair,
  keysLimit: number,
): Promise<{ counts: DeltaCounts; keys: ComparedKeys }> {
  const [row] = await rawRows<DeltaCounts & ComparedKeys>(
    db,
    `with differing as materialized (${differingSql(pair, ALL, (await hasPairs(db, pair)) ? 'inPairs' : 'byTime')})
     select ${CHANGE_TYPES.map((kind) => `${countSql(kind)} as "${kind}", ${keysSql(kind)} as "${kind}Keys"`).join(', ')},
       ${PREVIOUS_KEYS} as "previousKeys"`,
    { ...bindingsOf(pair), keysLimit },
  );
  if (row === undefined) throw new Error('A count gave no row');
  const { newKeys, changedKeys, deletedKeys, previousKeys, ...counts } = row;
  return { counts, keys: { newKeys, changedKeys, deletedKeys, previousKeys } };
}

const countSql = (kind: ChangeType): string =>
  `(select count(*) from differing where change_type = '${kind}')`;

const keysSql = (kind: ChangeType): string =>
  `array(select key from differing where change_type = '${kind}' order by key limit :keysLimit)`;

/** Of the same changed keys that are listed. */
const PREVIOUS_KEYS = `(
  select json_object_agg(key, previous_key) from (
    select key, previous_key from differing where change_type = 'changed' order by key limit :keysLimit
  ) listed where previous_key is not null)`;

/** Rows that differ, by key, ascending in byte order: one more than the limit. Only their data are read. */
export async function listComparedRows(
  db: Database,
  pair: SnapshotPair,
  changeType: ChangeType | null,
  page: PageRequest<string>,
): Promise<DeltaRow[]> {
  const [before, after] = sidesOf(pair);
  const way = await findWay(db, pair);
  return rawRows<DeltaRow>(
    db,
    `select key, fits, change_type as "changeType", previous_key as "previousKey", case when fits then before::text end as before,
       case when fits then after::text end as after
     from (
       select page.*, ${FITS} from (
         select read.*, coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0) as weight
         from (
           select key, change_type, previous_key, ${dataSql(before)} as before, ${dataSql(after)} as after
           from (
             select * from (${differingSql(pair, page, way)}) differing
             ${changeType === null ? '' : 'where change_type = :changeType'}
             order by key limit :limit
           ) chosen offset 0
         ) read
       ) page
     ) weighed order by key`,
    { ...bindingsOf(pair), changeType, after: page.after, limit: page.limit + 1 },
  );
}

/** A version's data, found by its key in `chosen`. With a join, the planner may read all rows for each of them. */
const dataSql = (side: string): string =>
  `(select data from row_versions where record_no = :recordNo and generation = :generation
      and row_key = chosen.${side}_key and first_seq = chosen.${side}_seq)`;

/** Sorting this many takes a third of a second. */
const MANY_CHANGES = 200_000;

async function findWay(db: Database, pair: SnapshotPair): Promise<Way> {
  if (await hasPairs(db, pair)) return 'inPairs';
  return (await countChanges(db, pair)) > MANY_CHANGES ? 'byKey' : 'byTime';
}

/** Whether rows were paired between the two snapshots. */
async function hasPairs(db: Database, pair: SnapshotPair): Promise<boolean> {
  const rows = await rawRows(
    db,
    `select from row_versions where record_no = :recordNo and generation = :generation
       and first_seq > :older and first_seq <= :newer and previous_key is not null limit 1`,
    bindingsOf(pair),
  );
  return rows.length > 0;
}

/** The number of row changes between two snapshots. Events are in the same order in time as their snapshots. */
async function countChanges(db: Database, pair: SnapshotPair): Promise<number> {
  const record = '(select record_id from record_heads where record_no = :recordNo)';
  const timeOf = (sequence: string): string =>
    `(select created_at from snapshots where record_id = ${record} and sequence = ${sequence})`;
  const [row] = await rawRows<{ count: number }>(
    db,
    `select coalesce(sum(new_count + changed_count + deleted_count), 0)::float8 as count from delta_events
     where record_id = ${record} and not is_no_change
       and detected_at > ${timeOf(':older')} and detected_at <= ${timeOf(':newer')}`,
    bindingsOf(pair),
  );
  return row?.count ?? 0;
}

interface ComparedSearch extends DeltaSearch {
  /** Under the rules of the snapshots. */
  fieldsOf: ChangedFields;
}

/**
 * Searches the first `visits` differing rows of the page's range. Returns matching rows by key: one more than the limit, or
 * fewer where rules say that a column has not changed.
 * @param search its columns exist
 */
export async function searchComparedRows(
  db: Database,
  pair: SnapshotPair,
  { changeType, selection, fieldsOf, visits }: ComparedSearch,
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
     select edge.key as "stoppedAt", found.key, fits, change_type as "changeType", previous_key as "previousKey",
       case when fits then before::text end as before, case when fits then after::text end as after
     from edge left join (
       select page.*, ${FITS} from (
         select read.*, coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0) as weight
         from (
           select key, change_type, previous_key, ${dataSql(before)} as before, ${dataSql(after)} as after
           from (select * from differing order by key limit :visits) chosen offset 0
         ) read
         where ${sql === '' ? 'true' : sql}
         order by key limit :limit
       ) page
     ) found on true order by found.key`,
    { ...bindings, ...bindingsOf(pair), type, visits, after: page.after, limit: page.limit + 1 },
  );
  // When nothing is found, the row beside the edge is all null.
  const rows = found.flatMap(({ stoppedAt: _stoppedAt, ...row }) => (row.key === null ? [] : [row]));
  const searched = { rows, stoppedAt: found[0]?.stoppedAt ?? null };
  return selection.changedFields.length === 0
    ? searched
    : withChanged(searched, selection.changedFields, fieldsOf, page.limit);
}

/** PostgreSQL compares cells as they are written, so it also finds rows in which a column only has another spelling. */
function withChanged(
  { rows, stoppedAt }: SearchedDeltaRows,
  columns: readonly string[],
  fieldsOf: ChangedFields,
  limit: number,
): SearchedDeltaRows {
  const read = rows.filter(({ fits }) => fits);
  const changed = read.filter(({ before, after }) =>
    fieldsOf(before ?? '{}', after ?? '{}').some((field) => columns.includes(field)),
  );
  if (changed.length === read.length) return { rows, stoppedAt };
  const isCut = rows.length > limit || read.length < rows.length;
  return { rows: changed, stoppedAt: isCut ? (read.at(-1)?.key ?? null) : stoppedAt };
}
