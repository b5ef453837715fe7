// The parameter `since`: events after a time or after an event, both exclusive.
import { ApiError } from '../core/errors.ts';
import { isId } from '../core/ids.ts';
import { TIERS } from '../core/tiers.ts';
import { type DeltaEventRow, type DeltaFilter, findDeltaEvent, listDeltaEvents } from '../db/delta-events.ts';
import type { TrackedRecord } from '../db/records.ts';
import type { Context } from './context.ts';

const TIME = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;
const DAY_MS = 86_400_000;

/**
 * @throws ApiError invalid_parameter, or gone when events after it may have been deleted already
 */
export async function readSince(
  ctx: Pick<Context, 'db' | 'clock'>,
  record: TrackedRecord,
  since: string | undefined,
): Promise<Pick<DeltaFilter, 'sinceNumber' | 'sinceTime'>> {
  if (since === undefined) return {};
  if (isId('deltaEvent', since)) return { sinceNumber: await numberOf(ctx, record, since) };
  const sinceTime = readTime(since);
  if (sinceTime === undefined) {
    throw invalidSince('must be an ISO 8601 time such as 2026-01-31T12:00:00Z, or the id of an event');
  }
  const edgeMs = ctx.clock() - TIERS[record.tier].retentionDays * DAY_MS;
  if (sinceTime.getTime() < edgeMs) await refusePruned(ctx, record, sinceTime);
  return { sinceTime };
}

/**
 * The same as a time: an event stands for when it was detected.
 * @throws ApiError as readSince does
 */
export async function readSinceTime<S extends string | undefined>(
  ctx: Pick<Context, 'db' | 'clock'>,
  record: TrackedRecord,
  since: S,
): Promise<Date | (S extends string ? never : null)>;
export async function readSinceTime(
  ctx: Pick<Context, 'db' | 'clock'>,
  record: TrackedRecord,
  since: string | undefined,
): Promise<Date | null> {
  const { sinceNumber, sinceTime } = await readSince(ctx, record, since);
  if (since === undefined || sinceNumber === undefined) return sinceTime ?? null;
  const event = await findDeltaEvent(ctx.db, record.id, since);
  if (event === undefined) throw invalidSince('is not an event of this record');
  return event.detectedAt;
}

/** A date alone is its beginning in UTC; a space stands for the plus that it was before it was decoded. */
export function readTime(text: string): Date | undefined {
  const [whole, date = ''] = TIME.exec(text.replace(' ', '+')) ?? [];
  if (whole === undefined) return undefined;
  const day = new Date(`${date}T00:00:00Z`);
  // JavaScript takes 30 February for 2 March.
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
  const time = new Date(whole);
  return isDay && !Number.isNaN(time.getTime()) ? time : undefined;
}

async function numberOf(ctx: Pick<Context, 'db'>, record: TrackedRecord, id: string): Promise<number> {
  const event = await findDeltaEvent(ctx.db, record.id, id);
  if (event !== undefined) return event.number;
  const oldest = await findOldest(ctx, record);
  // Ids sort by time.
  if (oldest !== undefined && id < oldest.id) throw pruned(oldest);
  throw invalidSince('is not an event of this record');
}

async function refusePruned(ctx: Pick<Context, 'db'>, record: TrackedRecord, since: Date): Promise<void> {
  const oldest = await findOldest(ctx, record);
  if (oldest !== undefined && oldest.number > 1 && since < oldest.detectedAt) throw pruned(oldest);
}

async function findOldest(
  { db }: Pick<Context, 'db'>,
  record: TrackedRecord,
): Promise<DeltaEventRow | undefined> {
  const [oldest] = await listDeltaEvents(db, record.id, { changesOnly: false }, 'asc', {
    after: null,
    limit: 0,
  });
  return oldest;
}

function pruned(oldest: DeltaEventRow): ApiError {
  const from = oldest.detectedAt.toISOString();
  return new ApiError(
    'gone',
    `Events before ${from} are no longer kept; list without since, or from then on.`,
  );
}

function invalidSince(detail: string): ApiError {
  return new ApiError('invalid_parameter', `since ${detail}.`, {
    errors: [{ pointer: 'since', code: 'invalid_value', detail }],
  });
}
