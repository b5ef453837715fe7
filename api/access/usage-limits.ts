// Limits that are counted in the database: anonymous sessions and their checks, rereads of stored bodies, requests for keys.
import { ApiError } from '../../core/errors.ts';
import type { Database, Knex } from '../../db/driver/knex.ts';
import { networksOf } from '../../core/network/caller-address.ts';
import { countHostUse, countOpenSessions } from '../../db/access/ephemeral-sessions.ts';
import {
  extraChecksSubject,
  recordPreviewsSubject,
  rereadsSubject,
  takeOne,
} from '../../db/usage/usage-counters.ts';

/** By address: an IPv4 address, or the /64 of an IPv6 one. */
export const SESSIONS_PER_HOUR = 10;
export const SESSIONS_PER_DAY = 30;

/** Requests that a session causes beyond its record's interval: checks on demand, a new URL, new credentials. */
export const EXTRA_CHECKS_PER_HOUR = 30;

/** Anonymous records that watch one host at the same time, on any port. */
export const RECORDS_PER_HOST = 100;

/** @throws ApiError rate_limited */
export async function takeSession(db: Database, address: string): Promise<void> {
  const detail = `An address gets ${SESSIONS_PER_HOUR} anonymous sessions an hour and ${SESSIONS_PER_DAY} a day. Wait as long as Retry-After says, or use an account, which has no such limit.`;
  for (const { network, factor } of networksOf(address)) {
    await take(db, `sessions ${network}`, 'hour', factor * SESSIONS_PER_HOUR, detail);
    await take(db, `sessions ${network}`, 'day', factor * SESSIONS_PER_DAY, detail);
  }
}

/**
 * Exact but for sessions that begin at the same moment.
 * @param atMost open sessions of everybody
 * @throws ApiError rate_limited
 */
export async function requireSessionRoom(db: Database, atMost: number): Promise<void> {
  const { open, firstGoesInSeconds } = await countOpenSessions(db);
  if (open < atMost) return;
  throw new ApiError(
    'rate_limited',
    'The service has as many anonymous sessions as it allows. Wait as long as Retry-After says, or use an account, which has no such limit.',
    { retryAfterSeconds: Math.max(1, firstGoesInSeconds ?? 0) },
  );
}

/** @throws ApiError rate_limited */
export async function takeExtraCheck(db: Database, recordId: string): Promise<void> {
  const detail = `An anonymous session gets ${EXTRA_CHECKS_PER_HOUR} checks an hour beyond those of its interval.`;
  await take(db, extraChecksSubject(recordId), 'hour', EXTRA_CHECKS_PER_HOUR, detail);
}

/**
 * Locks the host until the transaction that makes the record watch this URL ends.
 * @throws ApiError rate_limited
 */
export async function takeHost(trx: Knex.Transaction, url: string): Promise<void> {
  const { records, firstGoesInSeconds } = await countHostUse(trx, new URL(url).hostname);
  if (records < RECORDS_PER_HOST) return;
  throw new ApiError(
    'rate_limited',
    'Anonymous sessions already watch as many URLs of this host as allowed. Use an account, which has no such limit.',
    { retryAfterSeconds: Math.max(1, firstGoesInSeconds ?? 0) },
  );
}

async function take(
  db: Database,
  subject: string,
  period: 'hour' | 'day',
  limit: number,
  detail: string,
): Promise<void> {
  const { isTaken, resetInSeconds } = await takeOne(db, subject, period, limit);
  if (isTaken) return;
  throw new ApiError('rate_limited', detail, { retryAfterSeconds: Math.max(1, resetInSeconds ?? 0) });
}

export const REREADS_PER_HOUR = 30;

/** @throws ApiError rate_limited */
export async function takeReread(db: Database, recordId: string): Promise<void> {
  const { isTaken, resetInSeconds } = await takeOne(db, rereadsSubject(recordId), 'hour', REREADS_PER_HOUR);
  if (isTaken) return;
  throw new ApiError(
    'rate_limited',
    `Key fields, ignored fields and rules of a record can be previewed and changed ${REREADS_PER_HOUR} times an hour. Wait as long ` +
      'as Retry-After says.',
    { retryAfterSeconds: Math.max(1, resetInSeconds ?? 0) },
  );
}

/** By address, as sessions. */
export const KEY_REQUESTS_PER_HOUR = 30;

/** @throws ApiError rate_limited */
export async function takeKeyRequest(db: Database, address: string): Promise<void> {
  const detail = `An address may ask for ${KEY_REQUESTS_PER_HOUR} keys an hour. Wait as long as Retry-After says, or make a key in the dashboard.`;
  for (const { network, factor } of networksOf(address)) {
    await take(db, `key requests ${network}`, 'hour', factor * KEY_REQUESTS_PER_HOUR, detail);
  }
}

/** Right and wrong codes, so that nobody finds the request of another person by trying. */
export const USER_CODES_PER_HOUR = 60;

/** @throws ApiError rate_limited */
export async function takeUserCode(db: Database, accountId: string): Promise<void> {
  const detail = `An account may enter ${USER_CODES_PER_HOUR} codes an hour. Wait as long as Retry-After says.`;
  await take(db, `user codes ${accountId}`, 'hour', USER_CODES_PER_HOUR, detail);
}

/** Tests and repeated deliveries by mail: nobody fills a mailbox with them. */
export const REQUESTED_MAILS_PER_HOUR = 20;

/** @throws ApiError rate_limited */
export async function takeRequestedMail(db: Database, accountId: string): Promise<void> {
  const detail = `An account may ask for ${REQUESTED_MAILS_PER_HOUR} tests and repeated mails an hour. Wait as long as Retry-After says.`;
  await take(db, `requested mails ${accountId}`, 'hour', REQUESTED_MAILS_PER_HOUR, detail);
}

export const RECORD_PREVIEWS_PER_HOUR = 60;

/** @throws ApiError rate_limited */
export async function takeRecordPreview(db: Database, accountId: string): Promise<void> {
  const detail = `An account gets ${RECORD_PREVIEWS_PER_HOUR} previews of new records an hour. Create the record, or wait as long as Retry-After says.`;
  await take(db, recordPreviewsSubject(accountId), 'hour', RECORD_PREVIEWS_PER_HOUR, detail);
}
