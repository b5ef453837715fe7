// The short rows of unchanged checks: SQL that makes checks and events of them. One row is a check that found no change, and also
// its event, whose ids have the same digits. All other checks and events are in tables of their own.
import { isId } from '../core/ids.ts';
import type { SortOrder } from './page.ts';

/** The digits of an id as a UUID; null when it is no id of this kind. */
export const uuidOf = (kind: 'check' | 'deltaEvent', id: string): string | null =>
  isId(kind, id) ? id.slice(-UUID_DIGITS) : null;

const UUID_DIGITS = 32;

const idSql = (prefix: 'chk' | 'evt'): string => `'${prefix}_' || replace(short.id::text, '-', '')`;

/** The number under which the rows of a record are stored. */
const recordNoSql = (recordId: string): string =>
  `(select record_no from record_heads where record_id = ${recordId})`;

/**
 * Short rows of a record.
 * @param recordId SQL of its id
 * @param condition SQL on their columns
 */
export const shortRowsSql = (recordId: string, condition = 'true'): string =>
  `select * from unchanged_checks where record_no = ${recordNoSql(recordId)} and ${condition}`;

const withSnapshots = (rows: string, recordId: string): string => `
  from (${rows}) short
  join snapshots compared on compared.record_id = ${recordId} and compared.sequence = short.sequence`;

/** Short rows as rows of `checks`, with every column that reading a check needs. */
export const shortChecksSql = (rows: string, recordId: string): string => `
  select ${idSql('chk')} as id, compared.record_id, short.number, short.trigger, short.started_at, short.finished_at,
    'unchanged' as outcome, short.http_status::integer, short.bytes, compared.total_rows as rows,
    compared.id as snapshot_id, ${idSql('evt')} as delta_event_id, null::text as error_code,
    null::text as error_detail, '[]'::json as warnings, null::text as decision, null::timestamptz as decided_at
  ${withSnapshots(rows, recordId)}`;

/** Short rows as rows of `delta_events`, with every column that reading an event needs. */
export const shortEventsSql = (rows: string, recordId: string): string => `
  select ${idSql('evt')} as id, compared.record_id, short.event_number as number, compared.id as snapshot_id,
    compared.id as previous_snapshot_id, compared.generation, short.sequence, short.finished_at as detected_at,
    true as is_no_change, 0::bigint as new_count, 0::bigint as changed_count, 0::bigint as deleted_count,
    compared.total_rows as unchanged_count, compared.total_rows as total_count, false as rekeyed,
    '{}'::text[] as new_keys, '{}'::text[] as changed_keys, '{}'::text[] as deleted_keys, null::json as previous_keys,
    null::json as changed_columns, null::json as schema_change
  ${withSnapshots(rows, recordId)}`;

/** The beginning or the end of a record's short rows, in the order of their events. */
export const orderedShortRowsSql = (
  recordId: string,
  condition: string,
  order: SortOrder,
  limit: string,
): string => `${shortRowsSql(recordId, condition)} order by event_number ${order} limit ${limit}`;

/**
 * SQL of the event number from which on a condition holds for a record's short rows: later checks have later times, and
 * higher numbers of check and event. Found by binary search, so it needs no index but the one on event numbers.
 * @param isReached SQL on the columns of unchanged_checks
 */
export const firstEventNumberSql = (recordId: string, isReached: string): string => `(
  with recursive search (low, high) as (
    select 0, event_number + 1 from record_heads where record_id = ${recordId}
    union all
    select case when is_before then middle + 1 else low end, case when is_before then high else middle end
    from search
    cross join lateral (select (low + high) / 2 as middle) half
    cross join lateral (
      select coalesce((select not (${isReached}) from unchanged_checks
        where record_no = ${recordNoSql(recordId)} and event_number >= middle order by event_number limit 1), false)
        as is_before
    ) looked
    where low < high
  )
  select low from search where low = high)`;

/** SQL of a record's oldest stored event: number, sequence, generation, is_no_change. */
export const oldestEventSql = (recordId: string): string => `
  select * from (
    (select number, sequence, generation, is_no_change from delta_events
     where record_id = ${recordId} order by number limit 1)
    union all
    (select event_number, short.sequence, compared.generation, true
     ${withSnapshots(orderedShortRowsSql(recordId, 'true', 'asc', '1'), recordId)})
  ) ends order by number limit 1`;
