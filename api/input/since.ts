// The parameters `since` and `until`: events after a time or an event, and up to one, included.
import { Type } from 'typebox';
import { ApiError } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { TIERS } from '../../core/tiers.ts';
import {
  type DeltaEventRow,
  type DeltaFilter,
  findDeltaEvent,
  listDeltaEvents,
} from '../../db/rows/delta-events.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import { findRecordOfEvent } from '../../db/records/visible-records.ts';
import type { Context } from '../contract/context.ts';
import { invalidParameter } from '../contract/errors.ts';

const TIME = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(:\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

// For the API's description. It knows the length of months; leap years need the check below.
const STATED_DAY =
  '[0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-9])|(0[13-9]|1[0-2])-30|(0[13578]|1[02])-31)';
const STATED_CLOCK = '([01][0-9]|2[0-3]):[0-5][0-9]';
const STATED_TIME = `${STATED_DAY}([Tt]${STATED_CLOCK}(:[0-5][0-9](\\.[0-9]{1,9})?)?([Zz]|[+-]${STATED_CLOCK}))?`;

const DAY_MS = 86_400_000;

/** Events deleted on a lower tier stay deleted on a higher one, and any record may have had the lowest tier. */
const SHORTEST_RETENTION_MS =
  Math.min(...Object.values(TIERS).map(({ retentionDays }) => retentionDays)) * DAY_MS;

/** A time in the syntax of readTime. */
export const timeField = (description: string) =>
  Type.String({ description, statedPattern: `^${STATED_TIME}$` });

/** A time, or the id of an event, in the syntax of readSince and readUntil. */
export const edgeField = (description: string) =>
  Type.String({ description, statedPattern: `^(evt_[0-9a-f]{32}|${STATED_TIME})$` });

/**
 * @throws ApiError invalid_parameter, or gone when later events may have been deleted already, or when the event does not
 * exist: retention deleted it, or the database was restored from an older backup
 */
export async function readSince(
  ctx: Pick<Context, 'db' | 'clock' | 'principal'>,
  record: TrackedRecord,
  since: string | undefined,
): Promise<Pick<DeltaFilter, 'sinceNumber' | 'sinceTime'>> {
  if (since === undefined) return {};
  const edge = await readEdge(ctx, record, 'since', since);
  if ('number' in edge) return { sinceNumber: edge.number };
  const oldestMs = ctx.clock() - SHORTEST_RETENTION_MS;
  if (edge.time.getTime() < oldestMs) await refusePruned(ctx, record, edge.time);
  return { sinceTime: edge.time };
}

/** @throws ApiError invalid_parameter, or gone when the event is no longer stored */
export async function readUntil(
  ctx: Pick<Context, 'db' | 'principal'>,
  record: TrackedRecord,
  until: string | undefined,
): Promise<Pick<DeltaFilter, 'untilNumber' | 'untilTime'>> {
  if (until === undefined) return {};
  const edge = await readEdge(ctx, record, 'until', until);
  return 'number' in edge ? { untilNumber: edge.number } : { untilTime: edge.time };
}

/**
 * Converts the parameter to a time: for an event, when it was detected.
 * @throws ApiError as readSince
 */
export async function readSinceTime<S extends string | undefined>(
  ctx: Pick<Context, 'db' | 'clock' | 'principal'>,
  record: TrackedRecord,
  since: S,
): Promise<Date | (S extends string ? never : null)>;
export async function readSinceTime(
  ctx: Pick<Context, 'db' | 'clock' | 'principal'>,
  record: TrackedRecord,
  since: string | undefined,
): Promise<Date | null> {
  const { sinceNumber, sinceTime } = await readSince(ctx, record, since);
  if (since === undefined || sinceNumber === undefined) return sinceTime ?? null;
  const event = await findDeltaEvent(ctx.db, record.id, since);
  if (event === undefined) throw unknownEvent('since');
  return event.detectedAt;
}

/**
 * Like readSinceTime, for the events of all records that the caller may see.
 * @throws ApiError invalid_parameter, or gone when the event is no longer stored
 */
export async function readSinceTimeOfAll<S extends string | undefined>(
  ctx: Pick<Context, 'db' | 'principal'>,
  since: S,
): Promise<Date | (S extends string ? never : null)>;
export async function readSinceTimeOfAll(
  ctx: Pick<Context, 'db' | 'principal'>,
  since: string | undefined,
): Promise<Date | null> {
  if (since === undefined) return null;
  if (!isId('deltaEvent', since)) return timeOf('since', since);
  const record = await findRecordOfEvent(ctx.db, ctx.principal, since);
  const event = record && (await findDeltaEvent(ctx.db, record.id, since));
  if (event !== undefined) return event.detectedAt;
  throw new ApiError('gone', 'The event in since no longer exists. Pass a time instead.');
}

/**
 * A date alone means its start in UTC. A space means a plus that was not percent-encoded. RFC 3339, 5.6, allows `t` and `z`
 * in lower case too.
 */
export function readTime(text: string): Date | undefined {
  const [whole, date = ''] = TIME.exec(text.replace(' ', '+').toUpperCase()) ?? [];
  if (whole === undefined) return undefined;
  const day = new Date(`${date}T00:00:00Z`);
  // JavaScript reads 30 February as 2 March.
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
  const time = new Date(whole);
  if (!isDay || Number.isNaN(time.getTime())) return undefined;
  // Responses have years of four digits, and an offset may lead beyond them.
  return /^\d{4}-/.test(time.toISOString()) ? time : undefined;
}

type Parameter = 'since' | 'until';

async function readEdge(
  ctx: Pick<Context, 'db' | 'principal'>,
  record: TrackedRecord,
  parameter: Parameter,
  text: string,
): Promise<{ number: number } | { time: Date }> {
  if (isId('deltaEvent', text)) return { number: await numberOf(ctx, record, parameter, text) };
  return { time: timeOf(parameter, text) };
}

function timeOf(parameter: Parameter, text: string): Date {
  const time = readTime(text);
  if (time !== undefined) return time;
  throw invalidParameter(
    parameter,
    'must be an ISO 8601 time such as 2026-01-31T12:00:00Z, or the id of an event',
  );
}

async function numberOf(
  ctx: Pick<Context, 'db' | 'principal'>,
  record: TrackedRecord,
  parameter: Parameter,
  id: string,
): Promise<number> {
  const event = await findDeltaEvent(ctx.db, record.id, id);
  if (event !== undefined) return event.number;
  // An event of a deleted record, or of one that the caller may not see, gets the same response as one that never existed.
  const other = await findRecordOfEvent(ctx.db, ctx.principal, id);
  if (other !== undefined) throw invalidParameter(parameter, `is an event of another record, ${other.id}`);
  const oldest = await findOldest(ctx, record);
  if (oldest === undefined || timeOfId(id) > oldest.detectedAt.getTime()) throw unknownEvent(parameter);
  if (oldest.number > 1) throw pruned(parameter, oldest);
  throw invalidParameter(parameter, 'is not an event of this record, which still has all of its events');
}

/** When the event was detected, or a little earlier: ids begin with a time (core/ids.ts). */
const timeOfId = (id: string): number => Number.parseInt(id.slice('evt_'.length).slice(0, 12), 16);

async function refusePruned(ctx: Pick<Context, 'db'>, record: TrackedRecord, since: Date): Promise<void> {
  const oldest = await findOldest(ctx, record);
  if (oldest !== undefined && oldest.number > 1 && since < oldest.detectedAt) throw pruned('since', oldest);
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

function pruned(parameter: Parameter, oldest: DeltaEventRow): ApiError {
  const edge = oldest.detectedAt.toISOString();
  const advice = parameter === 'since' ? 'Give that time or a later one' : 'Give a later time';
  return new ApiError(
    'gone',
    `Events before ${edge} are no longer stored. ${advice}; a list without ${parameter} has all that are stored.`,
  );
}

/** The id is well-formed, and later than the oldest stored event. It may be of a record that the caller may not see. */
function unknownEvent(parameter: Parameter): ApiError {
  return new ApiError(
    'gone',
    `This record has no event with the id in ${parameter}. It is of another record, or the service was restored from an ` +
      'older backup: read the latest snapshot, and continue from the latest event.',
  );
}
