// Delta events: what each check found, in numbers and in the first keys of each kind.
import type { Database } from './knex.ts';
import { fitsBy, type PageRequest, type SortOrder } from './snapshots.ts';

/** Of each kind: db/record-delta.ts. */
export const MAX_STORED_KEYS = 100;

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

/** An event in a list: past the weight of a page it comes without what makes it heavy. */
export type ListedEvent = DeltaEventRow & { fits: boolean };

/** Columns of an event that take a few bytes each. */
const LIGHT = `id, record_id, number, snapshot_id, previous_snapshot_id, generation, sequence, detected_at, is_no_change,
  new_count, changed_count, deleted_count, unchanged_count, total_count, rekeyed`;

/** Those that may not: keys of up to 1,024 bytes, and the names of up to 1,000 columns. */
const HEAVY = `new_keys[1:?] as new_keys, changed_keys[1:?] as changed_keys, deleted_keys[1:?] as deleted_keys,
  schema_change`;

const WEIGHT = `pg_column_size(new_keys) + pg_column_size(changed_keys) + pg_column_size(deleted_keys)
  + coalesce(octet_length(schema_change::text), 0) as weight`;

const HEAVY_WHERE_IT_FITS = ['new_keys', 'changed_keys', 'deleted_keys', 'schema_change']
  .map((column) => `case when fits then ${column} end as ${column}`)
  .join(', ');

/**
 * A page by event number; one more than the limit.
 * @param keysLimit how many keys of each kind, at most the 100 that are stored
 */
export function listDeltaEvents(
  db: Database,
  recordId: string,
  filter: DeltaFilter,
  order: SortOrder,
  page: PageRequest<number>,
  keysLimit: number = MAX_STORED_KEYS,
): Promise<ListedEvent[]> {
  const events = db('delta_events').where({ recordId });
  if (filter.changesOnly) void events.where({ isNoChange: false });
  if (filter.sinceNumber !== undefined) void events.where('number', '>', filter.sinceNumber);
  if (filter.sinceTime !== undefined) void events.where('detectedAt', '>', filter.sinceTime);
  if (page.after !== null) void events.where('number', order === 'desc' ? '<' : '>', page.after);
  void events.orderBy('number', order).limit(page.limit + 1);
  const limits = [keysLimit, keysLimit, keysLimit];
  const chosen = events.select(db.raw(LIGHT), db.raw(HEAVY, limits)).as('chosen');
  const weighed = db.from(chosen).select('*', db.raw(WEIGHT)).as('page');
  const fitting = db
    .from(weighed)
    .select('*', db.raw(fitsBy(`number ${order}`)))
    .as('fitting');
  const listed = db.from(fitting).select<ListedEvent[]>(db.raw(LIGHT), 'fits', db.raw(HEAVY_WHERE_IT_FITS));
  return listed.orderBy('number', order).then((rows) => rows);
}
