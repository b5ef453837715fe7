// The log of a record's checks, as the API lists them: full rows (db/commit/checks.ts) and short ones (db/unchanged-checks.ts).
import type {
  CheckDecision,
  CheckOutcome,
  CheckTrigger,
  CheckWarning,
  OriginAnswer,
} from '../core/checks.ts';
import type { CheckErrorCode } from '../core/errors.ts';
import type { HeldChanges } from './commit/commit-facts.ts';
import { type Database, rawRows } from './driver/knex.ts';
import type { PageRequest, SortOrder } from './page.ts';
import {
  firstEventNumberSql,
  orderedShortRowsSql,
  shortChecksSql,
  shortRowsSql,
  uuidOf,
} from './unchanged-checks.ts';

export interface CheckRow {
  id: string;
  recordId: string;
  number: number;
  trigger: CheckTrigger;
  startedAt: Date;
  finishedAt: Date;
  outcome: CheckOutcome;
  httpStatus: number | null;
  bytes: number | null;
  rows: number | null;
  snapshotId: string | null;
  deltaEventId: string | null;
  errorCode: CheckErrorCode | null;
  errorDetail: string | null;
  warnings: CheckWarning[];
  /** Set for held checks only. */
  decision: CheckDecision | null;
  decidedAt: Date | null;
  /** Whether it had nothing to compare its rows with: the first good check, or the first of a generation. */
  isBaseline: boolean;
}

export interface CheckDetailRow extends CheckRow {
  /** Set for held checks only. */
  heldChanges: HeldChanges | null;
  /** Set for failed checks only. */
  answer: OriginAnswer | null;
}

/** The columns that every list has. The others may be large. */
const LISTED = [
  'id',
  'record_id as "recordId"',
  'number',
  'trigger',
  'started_at as "startedAt"',
  'finished_at as "finishedAt"',
  'outcome',
  'http_status as "httpStatus"',
  'bytes',
  'rows',
  'snapshot_id as "snapshotId"',
  'delta_event_id as "deltaEventId"',
  'error_code as "errorCode"',
  'error_detail as "errorDetail"',
  'warnings',
  'decision',
  'decided_at as "decidedAt"',
];

/** Whether a check had nothing to compare its rows with. A check with a short row had something. */
const IS_BASELINE = `exists (
  select from delta_events events where events.id = checks.delta_event_id and (events.previous_snapshot_id is null or events.rekeyed)
) as "isBaseline"`;

const SHORT = LISTED.map((column) => column.replace(/ as .*/, '')).join(', ');

export async function findCheck(
  db: Database,
  recordId: string,
  id: string,
): Promise<CheckDetailRow | undefined> {
  const [check] = await rawRows<CheckDetailRow>(
    db,
    `select ${LISTED.join(', ')}, held_changes as "heldChanges", answer, ${IS_BASELINE} from (
       select ${SHORT}, held_changes, answer from checks where record_id = :recordId and id = :id
       union all
       select ${SHORT}, null, null from (${shortChecksSql(shortRowsSql(':recordId', 'id = :digits::uuid'), ':recordId')}) short
     ) checks`,
    { recordId, id, digits: uuidOf('check', id) },
  );
  return check;
}

/** A page of checks by number, with one row more than the limit. */
export function listChecks(
  db: Database,
  recordId: string,
  order: SortOrder,
  { after, limit }: PageRequest<number>,
): Promise<CheckRow[]> {
  const [isAfter, isShortAfter] =
    order === 'desc'
      ? ['number < :after', `event_number < ${firstEventNumberSql(':recordId', 'number >= :after')}`]
      : ['number > :after', `event_number >= ${firstEventNumberSql(':recordId', 'number > :after')}`];
  const shortRows = orderedShortRowsSql(':recordId', after === null ? 'true' : isShortAfter, order, ':limit');
  return rawRows<CheckRow>(
    db,
    `select ${LISTED.join(', ')}, ${IS_BASELINE} from (
       (select ${SHORT} from checks where record_id = :recordId and ${after === null ? 'true' : isAfter}
        order by number ${order} limit :limit)
       union all
       (select ${SHORT} from (${shortChecksSql(shortRows, ':recordId')}) short)
     ) checks order by number ${order} limit :limit`,
    { recordId, after, limit: limit + 1 },
  );
}

/** The ids without a check, in order. Ids before the oldest kept check count as made: retention may have deleted them. */
export async function listChecksNotMade(
  db: Database,
  recordId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const oldest = shortChecksSql(orderedShortRowsSql(':recordId', 'true', 'asc', '1'), ':recordId');
  const rows = await rawRows<{ id: string }>(
    db,
    `select id from unnest(:ids::text[], :digits::text[]) with ordinality as promised(id, digits, ordinal)
     where not exists (select from checks where checks.id = promised.id)
       and not exists (select from unchanged_checks where unchanged_checks.id = nullif(digits, '')::uuid)
       and id > coalesce((
         select id from (
           (select id, number from checks where record_id = :recordId order by number limit 1)
           union all (select id, number from (${oldest}) short)
         ) ends order by number limit 1), '')
     order by ordinal`,
    { recordId, ids: [...ids], digits: ids.map((id) => uuidOf('check', id) ?? '') },
  );
  return rows.map(({ id }) => id);
}
