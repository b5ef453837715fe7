// Counts of changes and checks over time, by the hour or the day of UTC.
import type { Database } from '../driver/knex.ts';
import { plannedPage } from '../driver/prepared.ts';
import { firstEventNumberSql, shortRowsSql } from '../unchanged-checks.ts';

export const ACTIVITY_STEPS = ['hour', 'day'] as const;

export type ActivityStep = (typeof ACTIVITY_STEPS)[number];

/** A time range: from the beginning of a step (inclusive) to a moment (exclusive). */
export interface Stretch {
  step: ActivityStep;
  since: Date;
  until: Date;
}

export interface ActivityRow {
  /** The beginning of the step. */
  start: Date;
  newCount: number;
  changedCount: number;
  deletedCount: number;
  checks: number;
  failed: number;
  held: number;
}

/** The activity of a record. Steps without activity are left out. */
export function listActivity(
  db: Database,
  recordId: string,
  { step, since, until }: Stretch,
): Promise<ActivityRow[]> {
  return plannedPage<ActivityRow>(db, ACTIVITY[step], [recordId, since, until]);
}

/**
 * Finds the first check of a time range by binary search, because checks finish in the order of their numbers. If the check
 * of a number is no longer stored, the next one is used.
 */
const FIRST_CHECK = `
  search (low, high) as (
    select 0, check_number + 1 from record_heads where record_id = $1
    union all
    select case when is_before then middle + 1 else low end, case when is_before then high else middle end
    from search
    cross join lateral (select (low + high) / 2 as middle) half
    cross join lateral (
      select coalesce((select finished_at < $2 from checks
        where record_id = $1 and number >= middle order by number limit 1), false) as is_before
    ) looked
    where low < high
  )`;

/** Steps of UTC all have the same length, so date_bin works, which is several times as fast as date_trunc in a time zone. For the same reason counts are added as double precision: sums of bigint are numeric. */
const startSql = (step: ActivityStep, time: string): string =>
  `date_bin('1 ${step}', ${time}, timestamptz '2000-01-01 00:00:00Z')`;

/** The checks of the time range that have short rows. */
const SHORT_IN_TIME = `event_number >= ${firstEventNumberSql('$1', 'finished_at >= $2')}
  and event_number < ${firstEventNumberSql('$1', 'finished_at >= $3')}`;

const statementOf = (step: ActivityStep): string => `
  with recursive ${FIRST_CHECK}, changes as (
    select ${startSql(step, 'detected_at')} as start, sum(new_count::double precision) as new_count,
      sum(changed_count::double precision) as changed_count, sum(deleted_count::double precision) as deleted_count
    from delta_events
    where record_id = $1 and detected_at >= $2 and detected_at < $3 and not is_no_change
    group by 1
  ), whole_runs as (
    select ${startSql(step, 'finished_at')} as start, count(*) as checks,
      count(*) filter (where outcome = 'failed') as failed, count(*) filter (where outcome = 'held') as held
    from checks
    where record_id = $1 and number >= (select low from search where low = high) and finished_at >= $2
      and finished_at < $3
    group by 1
  ), short_runs as (
    select ${startSql(step, 'finished_at')} as start, count(*) as checks
    from (${shortRowsSql('$1', SHORT_IN_TIME)}) short
    group by 1
  ), runs as (
    select start, sum(checks)::bigint as checks, sum(failed)::bigint as failed, sum(held)::bigint as held
    from (select * from whole_runs union all select start, checks, 0, 0 from short_runs) both_kinds
    group by 1
  )
  select start, coalesce(new_count, 0) as "newCount", coalesce(changed_count, 0) as "changedCount",
    coalesce(deleted_count, 0) as "deletedCount", coalesce(checks, 0) as checks, coalesce(failed, 0) as failed,
    coalesce(held, 0) as held
  from changes full join runs using (start)
  order by start`;

const ACTIVITY = { hour: statementOf('hour'), day: statementOf('day') };

export interface DailyChanges {
  recordId: string;
  /** The beginning of the day. */
  start: Date;
  /** New, changed and deleted rows. */
  rows: number;
}

/** The number of rows that changed in each record on each day since a time. Days without changes are left out. */
export function listDailyChanges(
  db: Database,
  recordIds: readonly string[],
  since: Date,
): Promise<DailyChanges[]> {
  return plannedPage<DailyChanges>(db, DAILY, [recordIds, since]);
}

/** Reads record by record, so that each read begins at the record's first entry in the index. */
const DAILY = `
  select asked.id as "recordId", days.start, days.rows
  from unnest($1::text[]) as asked (id)
  cross join lateral (
    select ${startSql('day', 'detected_at')} as start,
      sum((new_count + changed_count + deleted_count)::double precision) as rows
    from delta_events
    where record_id = asked.id and detected_at >= $2 and not is_no_change
    group by 1
  ) days`;
