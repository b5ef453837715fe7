// Delta events, and the rows that each one is about.
import { type Database, rawRows } from './knex.ts';
import { afterKey, FITS, type PageRequest, type SortOrder } from './snapshots.ts';

export interface DeltaEventRow {
  id: string;
  recordId: string;
  number: number;
  snapshotId: string;
  previousSnapshotId: string | null;
  generation: number;
  sequence: number;
  detectedAt: Date;
  isNoChange: boolean;
  newCount: number;
  changedCount: number;
  deletedCount: number;
  unchangedCount: number;
  totalCount: number;
  newKeys: string[];
  changedKeys: string[];
  deletedKeys: string[];
  schemaChange: unknown;
  rekeyed: boolean;
}

export interface DeltaRow {
  key: string;
  /** False for rows past the weight of a page: they follow on the next one, and are here without their data. */
  fits: boolean;
  changeType: 'new' | 'changed' | 'deleted';
  /** JSON object texts, as stored; null where there is none. */
  before: string | null;
  after: string | null;
}

export interface DeltaFilter {
  changesOnly: boolean;
  /** Only events after this number or this time, both exclusive. */
  sinceNumber?: number;
  sinceTime?: Date;
}

export function findLatestDeltaEvent(db: Database, recordId: string): Promise<DeltaEventRow | undefined> {
  return db<DeltaEventRow>('delta_events').where({ recordId }).orderBy('number', 'desc').first();
}

export function findDeltaEvent(
  db: Database,
  recordId: string,
  id: string,
): Promise<DeltaEventRow | undefined> {
  return db<DeltaEventRow>('delta_events').where({ recordId, id }).first();
}

/** A page by event number; one more than the limit. */
export async function listDeltaEvents(
  db: Database,
  recordId: string,
  filter: DeltaFilter,
  order: SortOrder,
  page: PageRequest<number>,
): Promise<DeltaEventRow[]> {
  const query = db<DeltaEventRow>('delta_events').where({ recordId });
  if (filter.changesOnly) void query.where({ isNoChange: false });
  if (filter.sinceNumber !== undefined) void query.where('number', '>', filter.sinceNumber);
  if (filter.sinceTime !== undefined) void query.where('detectedAt', '>', filter.sinceTime);
  if (page.after !== null) void query.where('number', order === 'desc' ? '<' : '>', page.after);
  return query.orderBy('number', order).limit(page.limit + 1);
}

/**
 * Rows of an event by key, ascending in byte order, one more than the limit. Each half walks an index in
 * key order (row_versions_opened for what began with the snapshot, row_versions_closed for what ended
 * before it), so a page costs the same wherever it begins.
 */
export function listDeltaRows(
  db: Database,
  event: { recordNo: number; generation: number; sequence: number; isNoChange: boolean },
  page: PageRequest<string>,
): Promise<DeltaRow[]> {
  if (event.isNoChange) return Promise.resolve([]);
  return rawRows<DeltaRow>(
    db,
    `select key, fits, "changeType", case when fits then before::text end as before,
       case when fits then after::text end as after
     from (
       select page.*, ${FITS} from (
         select changes.*, coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0) as weight
         from (${changesSql(page)}) changes
       ) page
     ) weighed order by key`,
    { ...event, after: page.after, limit: page.limit + 1 },
  );
}

/** New and changed rows, then deleted ones, both by key; the data stay where they are until they are asked for. */
const changesSql = (page: PageRequest<string>): string =>
  `(select opened.row_key as key, case when closed.row_key is null then 'new' else 'changed' end as "changeType",
      closed.data as before, opened.data as after
    from row_versions opened
    left join row_versions closed on closed.record_no = opened.record_no and closed.generation = opened.generation
      and closed.row_key = opened.row_key and closed.last_seq = opened.first_seq - 1
    where opened.record_no = :recordNo and opened.generation = :generation and opened.first_seq = :sequence
      ${afterKey('opened.row_key', page)}
    order by opened.row_key limit :limit)
   union all
   (select closed.row_key, 'deleted', closed.data, null
    from row_versions closed
    where closed.record_no = :recordNo and closed.generation = :generation and closed.last_seq = :sequence - 1
      ${afterKey('closed.row_key', page)}
      and not exists (
        select from row_versions opened where opened.record_no = closed.record_no
          and opened.generation = closed.generation and opened.row_key = closed.row_key
          and opened.first_seq = :sequence)
    order by closed.row_key limit :limit)
   order by key limit :limit`;
