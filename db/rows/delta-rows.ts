// The rows that a delta event is about: new, changed and deleted.
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { afterKey, FITS, type PageRequest } from '../page.ts';

export const CHANGE_TYPES = ['new', 'changed', 'deleted'] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** How many rows changed, by change type. */
export type DeltaCounts = Record<ChangeType, number>;

export interface DeltaRow {
  key: string;
  /** False for rows past the weight of a page: they follow on the next one, and are here without their data. */
  fits: boolean;
  changeType: ChangeType;
  /** JSON object texts, as stored; null where there is none. */
  before: string | null;
  after: string | null;
}

/** Which rows are wanted, besides their type. */
export interface Narrowing {
  /** A condition on `key`, `before` and `after`; empty when every row is wanted. */
  sql: string;
  bindings: Knex.ValueDict;
  /** No row with a later key is looked at; null: all are. */
  upTo: string | null;
}

const EVERY_ROW: Narrowing = { sql: '', bindings: {}, upTo: null };

/**
 * Rows of an event by key, ascending in byte order, one more than the limit; undefined when there is no such event.
 * One statement. What began with the snapshot (row_versions_opened) and what ended before it (row_versions_closed) is
 * walked in key order, and the latter no further than the page goes: so a page costs the same wherever it begins, and
 * however many rows changed.
 * @param changeType only rows of this type; null: of all
 */
export async function listDeltaRows(
  db: Database,
  event: { id: string; recordId: string; recordNo: number },
  page: PageRequest<string>,
  changeType: ChangeType | null = null,
  narrowing: Narrowing = EVERY_ROW,
): Promise<DeltaRow[] | undefined> {
  const rows = await rawRows<DeltaRow | { key: null }>(
    db,
    `with event as materialized (
       select generation, case when not is_no_change then sequence end as sequence,
         new_count, changed_count, deleted_count
       from delta_events where record_id = :recordId and id = :id
     )
     select key, fits, "changeType", case when fits then before::text end as before,
       case when fits then after::text end as after
     from event left join (
       select page.*, ${FITS} from (
         select changes.*, coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0) as weight
         from (${changesSql(page, changeType, narrowing)}) changes
       ) page
     ) weighed on true order by key`,
    { ...narrowing.bindings, ...event, after: page.after, upTo: narrowing.upTo, limit: page.limit + 1 },
  );
  if (rows.length === 0) return undefined;
  // An event without rows gives one without a key.
  return rows.filter((row) => row.key !== null);
}

const GENERATION = '(select generation from event)';
const SEQUENCE = '(select sequence from event)';

/** Of an event without such rows nothing is walked. */
const hasRows = (...types: ChangeType[]): string =>
  `(select ${types.map((type) => `${type}_count`).join(' + ')} > 0 from event)`;

/** New and changed rows, then deleted ones, both by key; the data stay where they are until they are asked for. */
function changesSql(page: PageRequest<string>, changeType: ChangeType | null, narrowing: Narrowing): string {
  if (changeType === 'deleted') return deletedSql(page, narrowing, '');
  if (changeType !== null) return openedSql(page, changeType, narrowing);
  const end = `(select case when count(*) = :limit then max(key) else ${LAST_KEY} end from opened)`;
  return `with opened as materialized (${openedSql(page, null, narrowing)})
    select * from opened union all (${deletedSql(page, narrowing, `and closed.row_key <= ${end}`)})
    order by key limit :limit`;
}

/** The range of a page. */
const rangeSql = (key: string, page: PageRequest<string>, { upTo }: Narrowing): string =>
  `${afterKey(key, page)} ${upTo === null ? '' : `and ${key} <= :upTo collate "C"`}`;

/** Of rows in their order the first that are wanted; none of what is asked of them becomes a part of how they are joined. */
const firstSql = (rows: string, { sql }: Narrowing): string =>
  sql === ''
    ? `${rows} limit :limit`
    : `select * from (${rows} offset 0) read where ${sql} order by key limit :limit`;

/** No key comes after it: the longest has 1,024 bytes. */
const LAST_KEY = 'repeat(chr(1114111), 300)';

/**
 * The version of a row that another one took the place of, found by its key for each row alone (`offset 0`). A plain
 * join may be carried out by reading all of a record's rows for each row, as long as the planner has not heard of them.
 * @param opened what the version that came after is called
 */
export const versionBeforeSql = (opened: string): string =>
  `select row_key, data from row_versions closed
    where closed.record_no = ${opened}.record_no and closed.generation = ${opened}.generation
      and closed.row_key = ${opened}.row_key and closed.last_seq = ${opened}.first_seq - 1 offset 0`;

const openedSql = (
  page: PageRequest<string>,
  changeType: 'new' | 'changed' | null,
  narrowing: Narrowing,
): string =>
  firstSql(
    `select opened.row_key as key, case when closed.row_key is null then 'new' else 'changed' end as "changeType",
      closed.data as before, opened.data as after
    from row_versions opened
    ${changeType === 'changed' ? '' : 'left'} join lateral (${versionBeforeSql('opened')}) closed on true
    where opened.record_no = :recordNo and opened.generation = ${GENERATION} and opened.first_seq = ${SEQUENCE}
      and ${hasRows(...(changeType === null ? (['new', 'changed'] as const) : [changeType]))}
      ${changeType === 'new' ? 'and closed.row_key is null' : ''} ${rangeSql('opened.row_key', page, narrowing)}
    order by opened.row_key`,
    narrowing,
  );

/** @param end where to end, as a condition */
const deletedSql = (page: PageRequest<string>, narrowing: Narrowing, end: string): string =>
  firstSql(
    `select closed.row_key as key, 'deleted' as "changeType", closed.data as before, null::json as after
    from row_versions closed
    where closed.record_no = :recordNo and closed.generation = ${GENERATION} and closed.last_seq = ${SEQUENCE} - 1
      and ${hasRows('deleted')} ${rangeSql('closed.row_key', page, narrowing)} ${end}
      and not exists (
        select from row_versions opened where opened.record_no = closed.record_no
          and opened.generation = closed.generation and opened.row_key = closed.row_key
          and opened.first_seq = ${SEQUENCE} offset 0)
    order by closed.row_key`,
    narrowing,
  );

/**
 * The rows that changed with an event, before and after, for a statement with the bindings recordNo, generation and next.
 * To be asked once the new row versions are stored.
 */
export const CHANGED_ROWS = `
  select old.data as before, new.data as after
  from row_versions new join lateral (${versionBeforeSql('new')}) old on true
  where new.record_no = :recordNo and new.generation = :generation and new.first_seq = :next`;
