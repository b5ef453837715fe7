// Quotas: at most so many of something in an hour, in a day, or ever. One statement takes one, so that any number of
// processes together never exceeds the limit.
import { type Database, rawRows } from '../driver/knex.ts';

/** Hours and days are those of UTC. */
export type Period = 'hour' | 'day' | 'ever';

export interface Taken {
  isTaken: boolean;
  /** How many are taken now; never more than the limit. */
  used: number;
  /** The time until the count starts again at zero; null when it never does. */
  resetInSeconds: number | null;
}

/**
 * The keys of counts. The key of an hour is a microsecond after its begin, so that a subject has separate counts for an hour
 * and a day that begin together.
 */
export const BEGIN = {
  hour: `date_trunc('hour', now(), 'UTC') + interval '1 microsecond'`,
  day: `date_trunc('day', now(), 'UTC')`,
  ever: `'infinity'::timestamptz`,
} as const satisfies Record<Period, string>;

export const END = {
  hour: `date_trunc('hour', now(), 'UTC') + interval '1 hour'`,
  day: `${BEGIN.day} + interval '24 hours'`,
  ever: 'null::timestamptz',
} as const satisfies Record<Period, string>;

/**
 * Takes one of `limit`, if one is left. Exact under any number of parallel calls.
 * @param subject what is counted, and for whom: `sessions 192.0.2.1`
 */
export async function takeOne(db: Database, subject: string, period: Period, limit: number): Promise<Taken> {
  const [row] = await rawRows<{ used: number | null; resetInSeconds: number | null }>(
    db,
    `with taken as (
       insert into usage_counters as counters (subject, period, used)
       select :subject, ${BEGIN[period]}, 1 where :limit::integer > 0
       on conflict (subject, period) do update set used = counters.used + 1 where counters.used < :limit::integer
       returning used
     )
     select (select used from taken) as used,
       extract(epoch from ${END[period]} - now())::double precision as "resetInSeconds"`,
    { subject, limit },
  );
  const used = row?.used ?? null;
  return { isTaken: used !== null, used: used ?? limit, resetInSeconds: row?.resetInSeconds ?? null };
}

/** Returns one, if any is taken. */
export async function giveBackOne(db: Database, subject: string, period: Period): Promise<void> {
  await rawRows(
    db,
    `update usage_counters set used = used - 1 where subject = ? and period = ${BEGIN[period]} and used > 0`,
    [subject],
  );
}

/** Resets the counts of a subject, and of subjects that begin with it and a space. */
export async function forgetCounts(db: Database, subject: string, period: Period): Promise<void> {
  await rawRows(
    db,
    `delete from usage_counters where (subject = :subject or starts_with(subject, :subject || ' ')) and period = ${BEGIN[period]}`,
    { subject },
  );
}

/** How many are taken. */
export async function readUsed(db: Database, subject: string, period: Period): Promise<number> {
  const [row] = await rawRows<{ used: number }>(
    db,
    `select used from usage_counters where subject = ? and period = ${BEGIN[period]}`,
    [subject],
  );
  return row?.used ?? 0;
}

/** The MCP calls of an account, counted by the day. */
export const accountCallsSubject = (accountId: string): string => `mcp-calls ${accountId}`;

/** The mails to users of an account. */
export const accountMailsSubject = (accountId: string): string => `mails ${accountId}`;

/** The MCP calls of an ephemeral session, counted over its whole life. */
export const sessionCallsSubject = (sessionId: string): string => `mcp-calls ${sessionId}`;

/** The checks of an anonymous record in addition to those of its interval. */
export const extraChecksSubject = (recordId: string): string => `extra-checks ${recordId}`;

/** How often a caller has had a record's stored body read again. */
export const rereadsSubject = (recordId: string): string => `rereads ${recordId}`;

/** The previews of records that an account has not created. */
export const recordPreviewsSubject = (accountId: string): string => `record-previews ${accountId}`;

const KEPT_DAYS = 2;

/** Deletes at most `limit` old counts of hours and days. @returns how many were deleted */
export async function deleteOldCounts(db: Database, limit: number): Promise<number> {
  const old = db('usage_counters')
    .select('ctid')
    .whereRaw('period < now() - make_interval(days => ?)', [KEPT_DAYS])
    .limit(limit);
  return db('usage_counters').whereRaw('ctid = any(array(?))', [old]).delete();
}
