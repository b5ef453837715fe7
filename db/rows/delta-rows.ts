// The rows of a delta event: new, changed and deleted. Read by the page, or all of them as an export.
import { ApiError } from '../../core/errors.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { preparedBuilt, preparedPage } from '../driver/prepared.ts';
import { afterKey, FITS, fitsBy, type PageRequest } from '../page.ts';
import { uuidOf } from '../unchanged-checks.ts';

export const CHANGE_TYPES = ['new', 'changed', 'deleted'] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** The number of rows by change type. */
export type DeltaCounts = Record<ChangeType, number>;

export interface DeltaRow {
  key: string;
  /** False for rows past the size limit of a page. They come here without their data, and follow on the next page. */
  fits: boolean;
  changeType: ChangeType;
  /** The key before, of a changed row that was paired by similarity; null for the others. */
  previousKey: string | null;
  /** JSON object texts, as stored; null where there is none. */
  before: string | null;
  after: string | null;
}

/** A selection of rows, in addition to their type. */
export interface Narrowing {
  /** A condition on `key`, `before` and `after`; empty for all rows. */
  sql: string;
  bindings: Knex.ValueDict;
  /** The last key to read; null for no limit. */
  upTo: string | null;
}

const EVERY_ROW: Narrowing = { sql: '', bindings: {}, upTo: null };

/**
 * Rows of an event by key, ascending in byte order: one more than the limit. One statement walks the versions that began
 * with the snapshot (index row_versions_opened) and those that ended before it (row_versions_closed) in key order, and
 * stops at the end of the page. So a page costs the same wherever it begins, and however many rows changed.
 * @param changeType only rows of this type; null for all types
 * @returns undefined when there is no such event
 */
export async function listDeltaRows(
  db: Database,
  event: EventRef,
  page: PageRequest<string>,
  changeType: ChangeType | null = null,
  narrowing: Narrowing = EVERY_ROW,
): Promise<DeltaRow[] | undefined> {
  const statement = deltaRowsStatement(event, page, changeType, narrowing);
  return rowsOfEvent(await rawRows<FoundRow>(db, ...statement));
}

/** Like listDeltaRows, as a prepared statement. */
export async function listDeltaRowsWithin(
  trx: Knex.Transaction,
  event: EventRef,
  page: PageRequest<string>,
): Promise<DeltaRow[] | undefined> {
  const [sql, bindings] = deltaRowsStatement(event, page, null, EVERY_ROW);
  return rowsOfEvent(await preparedBuilt<FoundRow>(trx, trx.raw(sql, bindings)));
}

/**
 * Like listDeltaRows, for the body of a delivery: as prepared statements, and with at most `maxBytes` of data, or one row.
 */
export async function readDeltaRows(
  db: Database,
  event: EventRef,
  page: PageRequest<string> & { maxBytes: number },
  narrowing: Narrowing = EVERY_ROW,
): Promise<DeltaRow[] | undefined> {
  const [sql, bindings] = deltaRowsStatement(event, page, null, narrowing, fitsBy('key', ':maxBytes'));
  const native = db
    .raw(sql, { ...bindings, maxBytes: page.maxBytes })
    .toSQL()
    .toNative();
  return rowsOfEvent(await preparedPage<FoundRow>(db, native.sql, native.bindings));
}

export interface EventRef {
  id: string;
  recordId: string;
  recordNo: number;
}

type FoundRow = DeltaRow | { key: null };

/** The rows of a deleted record are erased before its events, so its events must not pass for whole. */
const IS_RECORD_KEPT = 'exists (select from records where records.id = :recordId and deleted_at is null)';

/** The statement returns one row with a null key for an event without rows, and no row if the event does not exist. */
const rowsOfEvent = (rows: readonly FoundRow[]): DeltaRow[] | undefined =>
  rows.length === 0 ? undefined : rows.filter((row) => row.key !== null);

function deltaRowsStatement(
  event: EventRef,
  page: PageRequest<string>,
  changeType: ChangeType | null,
  narrowing: Narrowing,
  fits = FITS,
): [sql: string, bindings: Knex.ValueDict] {
  const sql = `with event as materialized (
       select generation, case when not is_no_change then sequence end as sequence,
         new_count, changed_count, deleted_count
       from delta_events where record_id = :recordId and id = :id and ${IS_RECORD_KEPT}
       union all
       select null, null, 0, 0, 0 from unchanged_checks where record_no = :recordNo and id = :digits::uuid
     )
     select key, fits, "changeType", "previousKey", case when fits then before::text end as before,
       case when fits then after::text end as after
     from event left join (
       select page.*, ${fits} from (
         select changes.*, coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0) as weight
         from (${changesSql(page, changeType, narrowing)}) changes
       ) page
     ) weighed on true order by key`;
  const bindings = {
    ...narrowing.bindings,
    ...event,
    digits: uuidOf('deltaEvent', event.id),
    after: page.after,
    upTo: narrowing.upTo,
    limit: page.limit + 1,
  };
  return [sql, bindings];
}

const GENERATION = '(select generation from event)';
const SEQUENCE = '(select sequence from event)';

/** Whether the event has rows of these types. If not, no index is walked. */
const hasRows = (...types: ChangeType[]): string =>
  `(select ${types.map((type) => `${type}_count`).join(' + ')} > 0 from event)`;

/** New and changed rows, and deleted rows, by key. Data are read only for the rows of the page. */
function changesSql(page: PageRequest<string>, changeType: ChangeType | null, narrowing: Narrowing): string {
  if (changeType === 'deleted') return deletedSql(page, narrowing, '');
  if (changeType !== null) return openedSql(page, changeType, narrowing);
  const end = `(select case when count(*) = :limit then max(key) else ${LAST_KEY} end from opened)`;
  return `with opened as materialized (${openedSql(page, null, narrowing)})
    select * from opened union all (${deletedSql(page, narrowing, `and closed.row_key <= ${end}`)})
    order by key limit :limit`;
}

/** The condition for the keys of a page. */
const rangeSql = (key: string, page: PageRequest<string>, { upTo }: Narrowing): string =>
  `${afterKey(key, page)} ${upTo === null ? '' : `and ${key} <= :upTo collate "C"`}`;

/** The first selected rows. `offset 0` keeps the selection out of the plan of the joins. */
const firstSql = (rows: string, { sql }: Narrowing): string =>
  sql === ''
    ? `${rows} limit :limit`
    : `select * from (${rows} offset 0) read where ${sql} order by key limit :limit`;

/** Sorts after every key, because the longest key has 1,024 bytes. */
const LAST_KEY = 'repeat(chr(1114111), 300)';

/**
 * The previous version of a row, or of the row that it was paired with, looked up by key for each row (`offset 0`). Without statistics about the record's rows, the
 * planner may run a plain join by reading all of them for each row.
 * @param opened the SQL alias of the newer version
 */
export const versionBeforeSql = (opened: string): string =>
  `select row_key, data from row_versions closed
    where closed.record_no = ${opened}.record_no and closed.generation = ${opened}.generation
      and closed.row_key = coalesce(${opened}.previous_key, ${opened}.row_key) and closed.last_seq = ${opened}.first_seq - 1 offset 0`;

const openedSql = (
  page: PageRequest<string>,
  changeType: 'new' | 'changed' | null,
  narrowing: Narrowing,
): string =>
  firstSql(
    `select opened.row_key as key, case when closed.row_key is null then 'new' else 'changed' end as "changeType",
      opened.previous_key as "previousKey", closed.data as before, opened.data as after
    from row_versions opened
    ${changeType === 'changed' ? '' : 'left'} join lateral (${versionBeforeSql('opened')}) closed on true
    where opened.record_no = :recordNo and opened.generation = ${GENERATION} and opened.first_seq = ${SEQUENCE}
      and ${hasRows(...(changeType === null ? (['new', 'changed'] as const) : [changeType]))}
      ${changeType === 'new' ? 'and closed.row_key is null' : ''} ${rangeSql('opened.row_key', page, narrowing)}
    order by opened.row_key`,
    narrowing,
  );

/** @param end SQL of the condition that ends the page */
const deletedSql = (page: PageRequest<string>, narrowing: Narrowing, end: string): string =>
  firstSql(
    `select closed.row_key as key, 'deleted' as "changeType", null::text as "previousKey", closed.data as before,
      null::json as after
    from row_versions closed
    where closed.record_no = :recordNo and closed.generation = ${GENERATION} and closed.last_seq = ${SEQUENCE} - 1
      and ${hasRows('deleted')} ${rangeSql('closed.row_key', page, narrowing)} ${end}
      and not exists (
        select from row_versions opened where opened.record_no = closed.record_no
          and opened.generation = closed.generation and opened.row_key = closed.row_key
          and opened.first_seq = ${SEQUENCE} offset 0)
      and not exists (
        select from row_versions opened where opened.record_no = closed.record_no
          and opened.generation = closed.generation and opened.first_seq = ${SEQUENCE}
          and opened.previous_key = closed.row_key offset 0)
    order by closed.row_key`,
    narrowing,
  );

/**
 * The rows that changed with an event, before and after, for a statement with the bindings recordNo, generation and next.
 * Valid once the new row versions are stored.
 */
export const CHANGED_ROWS = `
  select old.data as before, new.data as after
  from row_versions new join lateral (${versionBeforeSql('new')}) old on true
  where new.record_no = :recordNo and new.generation = :generation and new.first_seq = :next`;

/** Whether an event has rows that were paired by similarity. */
export async function hasPairs(
  db: Database,
  { id, recordId, changedCount }: { id: string; recordId: string; changedCount: number },
  recordNo: number,
): Promise<boolean> {
  if (changedCount === 0) return false;
  const [found] = await rawRows<{ isFound: boolean }>(
    db,
    `select exists (
       select from delta_events event join row_versions opened on opened.record_no = :recordNo
         and opened.generation = event.generation and opened.first_seq = event.sequence
       where event.record_id = :recordId and event.id = :id and not is_no_change and opened.previous_key is not null
     ) as "isFound"`,
    { id, recordId, recordNo },
  );
  return found?.isFound === true;
}

const EXPORT_PAGE_ROWS = 1_000;

/**
 * All rows of an event by key, in byte order, each page by a statement of its own. A page is read when it is requested.
 * @param event with its number of rows
 * @throws ApiError gone when the event was pruned meanwhile, because a part of its rows must not pass for all
 */
export async function* exportDeltaRows(
  db: Database,
  event: { id: string; recordId: string; recordNo: number; rowCount: number },
): AsyncGenerator<DeltaRow[]> {
  const { rowCount, ...ref } = event;
  let count = 0;
  for (let after: string | null = null; ;) {
    const rows = await listDeltaRows(db, ref, { after, limit: EXPORT_PAGE_ROWS });
    if (rows === undefined) throw goneError();
    const fitting = rows.filter((row) => row.fits).slice(0, EXPORT_PAGE_ROWS);
    const last = fitting.at(-1);
    count += fitting.length;
    const isLast = last === undefined || fitting.length === rows.length;
    if (isLast && count !== rowCount) throw goneError();
    yield fitting;
    if (isLast) return;
    after = last.key;
  }
}

const goneError = (): ApiError => new ApiError('gone', 'Rows of this event are no longer kept.');

/** The columns of the snapshots after and before an event, in this order. */
export async function readEventColumns(
  db: Database,
  event: { recordId: string; snapshotId: string; previousSnapshotId: string | null },
): Promise<string[]> {
  const { recordId, snapshotId, previousSnapshotId } = event;
  const versions: string[][] = await db('snapshots')
    .where({ recordId })
    .whereIn('id', [snapshotId, previousSnapshotId ?? snapshotId])
    .orderBy('sequence', 'desc')
    .pluck('columns');
  return [...new Set(versions.flat())];
}
