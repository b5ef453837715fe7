// The history of one row through all versions of a record's data: when it was added, changed, deleted and added again.
import type { DeltaRow } from './delta-rows.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { fitsBy, type PageRequest, type SortOrder } from '../page.ts';

export interface RowHistoryEntry extends DeltaRow {
  /** The sequence of the snapshot in which the row was added, changed or deleted. */
  sequence: number;
  snapshotId: string;
  deltaEventId: string;
  detectedAt: Date;
}

export interface RowRef {
  recordId: string;
  recordNo: number;
  generation: number;
  key: string;
}

/** The condition for versions of a row. The bindings are those of a RowRef. */
const OF_ROW = `record_no = :recordNo and generation = :generation and row_key = :key collate "C"`;

/**
 * Entries by snapshot: one more than the limit. A row that was paired with one of another key has the change in its history,
 * and so has the other. A version of the row makes an entry where it begins, and another where it
 * ends if no version follows directly. So a page needs no more versions than entries, and walks the primary key. Entries
 * whose event is no longer stored are left out.
 */
export function listRowHistory(
  db: Database,
  row: RowRef,
  order: SortOrder,
  page: PageRequest<number>,
): Promise<RowHistoryEntry[]> {
  return rawRows<RowHistoryEntry>(
    db,
    `select key, fits, "changeType", "previousKey", sequence, "snapshotId", "deltaEventId", "detectedAt",
       case when fits then before::text end as before, case when fits then after::text end as after
     from (
       select page.*, ${fitsBy(`sequence ${order}`)} from (
         select entries.*, snapshots.id as "snapshotId", events.id as "deltaEventId", events.detected_at as "detectedAt",
           coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0) as weight
         from (${versionsSql(order, page)}) versions
         cross join lateral (${ENTRIES}) entries
         join snapshots on snapshots.record_id = :recordId and snapshots.sequence = entries.sequence
         join delta_events events on events.record_id = :recordId and events.detected_at = snapshots.created_at
         where ${inPage('entries.sequence', order, page)}
         order by entries.sequence ${order} limit :limit
       ) page
     ) weighed order by sequence ${order}`,
    { ...row, after: page.after, limit: page.limit + 1 },
  );
}

/** The versions that make the page's entries. A version that began before the page may end in it. */
function versionsSql(order: SortOrder, page: PageRequest<number>): string {
  const begins = order === 'desc' ? inPage('first_seq', order, page) : atOrAfterSql(page);
  return `select first_seq, last_seq, data, previous_key from row_versions
    where ${OF_ROW} and ${begins} order by first_seq ${order} limit :limit + 1`;
}

const atOrAfterSql = ({ after }: PageRequest<number>): string =>
  after === null
    ? 'true'
    : `first_seq >= coalesce((select max(first_seq) from row_versions where ${OF_ROW} and first_seq <= :after), 0)`;

const inPage = (sequence: string, order: SortOrder, { after }: PageRequest<number>): string =>
  after === null ? 'true' : `${sequence} ${order === 'desc' ? '<' : '>'} :after`;

const ENTRIES = `
  select :key::text as key, versions.first_seq as sequence, previous.data as before, versions.data as after,
    case when previous.data is null then 'new' else 'changed' end as "changeType", versions.previous_key as "previousKey"
  from (select) as one left join lateral (
    select last_seq, data from row_versions where record_no = :recordNo and generation = :generation
      and row_key = coalesce(versions.previous_key, :key) collate "C" and first_seq < versions.first_seq
    order by first_seq desc limit 1
  ) previous on previous.last_seq = versions.first_seq - 1
  union all
  select coalesce(next.row_key, :key::text), versions.last_seq + 1, versions.data, next.data,
    case when next.row_key is null then 'deleted' else 'changed' end,
    case when next.row_key is not null then :key::text end
  from (select) as one left join lateral (
    select row_key, data from row_versions where record_no = :recordNo and generation = :generation
      and first_seq = versions.last_seq + 1 and previous_key = :key collate "C"
  ) next on true
  where versions.last_seq is not null
    and not exists (select from row_versions where ${OF_ROW} and first_seq = versions.last_seq + 1)`;

/** The stored generations of a record that have a row with this key, latest first. */
export async function generationsOfRow(
  db: Database,
  { recordNo, generation, key }: Omit<RowRef, 'recordId'>,
): Promise<number[]> {
  const rows = await rawRows<{ generation: number }>(
    db,
    `select generation from generate_series(:generation::integer, 1, -1) as generation
     where exists (select from row_versions
       where record_no = :recordNo and row_versions.generation = generation.generation and row_key = :key collate "C")`,
    { recordNo, generation, key },
  );
  return rows.map((row) => row.generation);
}
