// Activity over time: of one record in detail, or of many as one number a day.
import { type Static, Type } from 'typebox';
import { ApiError } from '../../../core/errors.ts';
import {
  ACTIVITY_STEPS,
  type ActivityStep,
  listActivity,
  listDailyChanges,
} from '../../../db/records/activity.ts';
import { visibleRecords } from '../../../db/records/visible-records.ts';
import { pageQuery, recordParams } from '../../input/fields.ts';
import { getRecord } from '../../access/find-named.ts';
import { invalidParameter } from '../../contract/errors.ts';
import { defineOperation } from '../../contract/operation.ts';
import { envelope, readPage, recordEnvelope, USUAL_LIMITS } from '../../input/page.ts';
import { time } from '../../resources/shapes.ts';
import { readTime, timeField } from '../../input/since.ts';

const MAX_BUCKETS = 750;
const USUAL_DAYS = 30;
const MAX_DAYS = 90;
const DAY_MS = 86_400_000;
const STEP_MS: Readonly<Record<ActivityStep, number>> = { hour: 3_600_000, day: DAY_MS };

const count = Type.Integer({ minimum: 0 });

const bucketSchema = Type.Object(
  {
    start: time,
    newCount: count,
    changedCount: count,
    deletedCount: count,
    checks: Type.Integer({ minimum: 0, description: 'Finished checks, with any outcome.' }),
    failed: count,
    held: count,
  },
  { title: 'ActivityBucket' },
);

/** Responses have years of four digits. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00Z');

type Bucket = Static<typeof bucketSchema>;

export const getRecordActivity = defineOperation({
  name: 'getRecordActivity',
  tag: 'Changes',
  scope: 'read',
  errors: ['validation_failed'],
  summary: 'Count a record’s changes and checks by hour or day',
  description: `UTC hours or days, oldest first, including those without changes; at most ${MAX_BUCKETS}. Deleted history is not counted.`,
  http: { method: 'GET', path: '/v1/sources/:id/activity' },
  params: recordParams,
  query: {
    since: Type.Optional(
      timeField(`An ISO 8601 time in the first step. By default ${USUAL_DAYS} days before \`until\`.`),
    ),
    until: Type.Optional(timeField('An ISO 8601 time, exclusive. By default the end of the current step.')),
    step: Type.Optional(Type.Enum([...ACTIVITY_STEPS], { description: '`day` by default.' })),
  },
  output: Type.Object({
    sourceId: recordEnvelope.sourceId,
    step: Type.Enum([...ACTIVITY_STEPS]),
    since: time,
    until: time,
    buckets: Type.Array(bucketSchema, { maxItems: MAX_BUCKETS }),
  }),
  async run(ctx, { step = 'day', ...query }) {
    const { id: sourceId } = getRecord(ctx);
    const until = timeOf('until', query.until) ?? endOf(step, ctx.clock());
    const usual = new Date(Math.max(FIRST_MS, until.getTime() - USUAL_DAYS * DAY_MS));
    const asked = timeOf('since', query.since) ?? usual;
    if (asked > until) throw invalidParameter('since', 'must not be after until');
    const starts = startsOf(step, asked, until);
    const since = starts[0] ?? until;
    const rows = await listActivity(ctx.db, sourceId, { step, since, until });
    const found = new Map(rows.map((row) => [row.start.getTime(), row]));
    const buckets = starts.map((start): Bucket => {
      const { start: _start, ...counts } = found.get(start.getTime()) ?? NOTHING;
      return { start: start.toISOString(), ...counts };
    });
    return { sourceId, step, since: since.toISOString(), until: until.toISOString(), buckets };
  },
});

const NOTHING = {
  start: null,
  newCount: 0,
  changedCount: 0,
  deletedCount: 0,
  checks: 0,
  failed: 0,
  held: 0,
} as const;

/**
 * The end of the current step, so that the response and its entity tag stay the same until something happens or the next
 * step begins.
 */
const endOf = (step: ActivityStep, nowMs: number): Date =>
  new Date((Math.floor(nowMs / STEP_MS[step]) + 1) * STEP_MS[step]);

/** @throws ApiError validation_failed when there are too many */
function startsOf(step: ActivityStep, since: Date, until: Date): Date[] {
  const stepMs = STEP_MS[step];
  const firstMs = Math.floor(since.getTime() / stepMs) * stepMs;
  const steps = Math.ceil((until.getTime() - firstMs) / stepMs);
  if (steps > MAX_BUCKETS) {
    const advice = step === 'hour' ? 'Use step=day, or a shorter period.' : 'Use a shorter period.';
    const detail = `would give ${steps} buckets of one ${step}; at most ${MAX_BUCKETS} are allowed. ${advice}`;
    throw new ApiError('validation_failed', `since ${detail}`, {
      errors: [{ pointer: 'since', code: 'invalid_value', detail }],
    });
  }
  return Array.from({ length: steps }, (_, at) => new Date(firstMs + at * stepMs));
}

function timeOf(parameter: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const read = readTime(text);
  if (read !== undefined) return read;
  throw invalidParameter(parameter, 'must be an ISO 8601 time such as 2026-01-31T12:00:00Z');
}

export const listRecordActivity = defineOperation({
  name: 'listActivity',
  tag: 'Changes',
  scope: 'read',
  summary: 'Count the rows that changed each day, of every record that the credential can access',
  description: 'Records newest first, UTC days oldest first; the last one is today.',
  http: { method: 'GET', path: '/v1/activity' },
  query: {
    ...pageQuery,
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_DAYS,
        description: `Number of days: ${USUAL_DAYS} by default.`,
      }),
    ),
    sourceId: Type.Optional(
      Type.Array(Type.String({ pattern: '^src_[0-9a-f]{32}$' }), {
        minItems: 1,
        maxItems: USUAL_LIMITS.max,
        description: 'Only the record with this id; repeatable.',
      }),
    ),
  },
  output: Type.Object({
    ...envelope,
    since: time,
    activity: Type.Array(
      Type.Object(
        {
          sourceId: recordEnvelope.sourceId,
          changes: Type.Array(count, {
            description: 'New, changed and deleted rows of each day.',
            maxItems: MAX_DAYS,
          }),
        },
        { title: 'RecordActivity' },
      ),
    ),
  }),
  async run(ctx, { days = USUAL_DAYS, sourceId: only, ...query }) {
    const { principal } = ctx;
    const today = Math.floor(ctx.clock() / DAY_MS);
    const since = new Date((today - days + 1) * DAY_MS);
    const reach = principal.kind === 'account' ? principal.accountId : principal.recordId;
    const filters = { reach, only: only === undefined ? null : only.toSorted().join(' ') };
    const { items, ...page } = await readPage<{ id: string }, [string]>(
      ctx,
      { listing: 'activity', filters, limits: USUAL_LIMITS },
      query,
      async ({ after, limit }) => {
        const records = visibleRecords(ctx.db, principal).clearSelect().select('records.id');
        if (only !== undefined) void records.whereIn('records.id', only);
        if (after !== null) void records.where('records.id', '<', after[0]);
        return records.orderBy('records.id', 'desc').limit(limit + 1);
      },
      ({ id }) => [id],
    );
    const changes = new Map(items.map(({ id }) => [id, Array.from({ length: days }, () => 0)]));
    for (const { recordId, start, rows } of await listDailyChanges(ctx.db, [...changes.keys()], since)) {
      // A change of this moment may belong to a day that began after the days were counted.
      const day = Math.min((start.getTime() - since.getTime()) / DAY_MS, days - 1);
      const ofRecord = changes.get(recordId);
      if (ofRecord !== undefined) ofRecord[day] = (ofRecord[day] ?? 0) + rows;
    }
    const activity = Array.from(changes, ([sourceId, ofDays]) => ({ sourceId, changes: ofDays }));
    return { ...page, since: since.toISOString(), activity };
  },
});
