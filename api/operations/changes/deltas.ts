// GET /v1/sources/:id/delta, /delta/latest and /delta/:deltaEventId
import { Type } from 'typebox';
import { compareSnapshots } from '../../../db/rows/compare-snapshots.ts';
import {
  type DeltaEventRow,
  listDeltaEvents,
  type ListedEvent,
  MAX_STORED_KEYS,
} from '../../../db/rows/delta-events.ts';
import { MAX_FIRST_ROWS, readFirstDeltaRows } from '../../../db/rows/first-delta-rows.ts';
import type { TrackedRecord } from '../../../db/records/records.ts';
import { idInPath, keysLimitField, MAX_KEYS, orderedPageQuery, recordParams } from '../../input/fields.ts';
import { readSlowly, type SlowReader } from '../../capacity/slow-reads.ts';
import { getRecord, openEvent, whileKept } from '../../access/find-named.ts';
import type { Context } from '../../contract/context.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readPage, recordEnvelope, USUAL_LIMITS } from '../../input/page.ts';
import { deltaEventSchema, presentDeltaEvent } from '../../resources/delta-event.ts';
import { presentFirstRow } from '../../resources/first-row.ts';
import { edgeField, readSince, readUntil } from '../../input/since.ts';

/** Adds as many keys of each kind as requested: the first 100 are stored with the event, more are read from its rows. */
async function readEventKeys(
  ctx: SlowReader & Pick<Context, 'db'>,
  record: TrackedRecord,
  event: DeltaEventRow,
  keysLimit: number = MAX_STORED_KEYS,
): Promise<DeltaEventRow> {
  const limit = Math.min(keysLimit, MAX_KEYS);
  const { newCount, changedCount, deletedCount, generation, sequence } = event;
  const isStored =
    limit <= MAX_STORED_KEYS || Math.max(newCount, changedCount, deletedCount) <= MAX_STORED_KEYS;
  if (isStored) return { ...event, ...firstKeys(event, limit) };
  const pair = { recordNo: record.recordNo, generation, from: sequence - 1, to: sequence };
  const read = () => readSlowly(ctx, (db) => compareSnapshots(db, pair, limit));
  const { keys } = await whileKept(ctx, record, [], read);
  // Retention keeps rows at least as long as their event.
  await openEvent(ctx, record.id, event.id);
  return { ...event, ...keys };
}

const firstKeys = ({ newKeys, changedKeys, deletedKeys }: DeltaEventRow, limit: number) => ({
  newKeys: newKeys.slice(0, limit),
  changedKeys: changedKeys.slice(0, limit),
  deletedKeys: deletedKeys.slice(0, limit),
});

const keysQuery = { keysLimit: Type.Optional(keysLimitField(MAX_KEYS)) };

export const getLatestDeltaEvent = defineOperation({
  name: 'getLatestDeltaEvent',
  tag: 'Changes',
  scope: 'read',
  summary: 'Read the latest delta event of a record',
  http: { method: 'GET', path: '/v1/sources/:id/delta/latest' },
  params: recordParams,
  query: keysQuery,
  errors: ['query_too_expensive'],
  output: deltaEventSchema,
  async run(ctx, { keysLimit }) {
    const record = getRecord(ctx);
    const event = await openEvent(ctx, record.id, 'latest');
    return presentDeltaEvent(await readEventKeys(ctx, record, event, keysLimit));
  },
});

export const listRecordEvents = defineOperation({
  name: 'listDeltaEvents',
  tag: 'Changes',
  scope: 'read',
  errors: ['gone'],
  summary: 'List a record’s delta events',
  http: { method: 'GET', path: '/v1/sources/:id/delta' },
  params: recordParams,
  query: {
    ...orderedPageQuery,
    since: Type.Optional(edgeField('Only events after this ISO 8601 time or event id.')),
    until: Type.Optional(edgeField('Only events up to this ISO 8601 time or event id, inclusive.')),
    changesOnly: Type.Optional(Type.Boolean({ description: 'Only events with changes.' })),
    keysLimit: Type.Optional(keysLimitField(MAX_STORED_KEYS)),
    firstRows: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_FIRST_ROWS,
        description:
          'Shows so many rows of each event as `firstRows`: changed rows first, then new ones, then deleted ones.',
      }),
    ),
  },
  output: Type.Object({ ...recordEnvelope, events: Type.Array(deltaEventSchema) }),
  async run(ctx, { order = 'desc', since, until, changesOnly = false, keysLimit, firstRows, ...query }) {
    const record = getRecord(ctx);
    const edges = { ...(await readSince(ctx, record, since)), ...(await readUntil(ctx, record, until)) };
    const filter = { changesOnly, ...edges };
    const filters = { recordId: record.id, order, changesOnly, since: since ?? null, until: until ?? null };
    const { items, ...page } = await readPage<ListedEvent, [number]>(
      ctx,
      { listing: 'delta', filters, limits: USUAL_LIMITS },
      query,
      ({ after, limit }) =>
        listDeltaEvents(ctx.db, record.id, filter, order, { after: after?.[0] ?? null, limit }, keysLimit),
      (event) => [event.number],
      (event) => event.fits,
    );
    const events = items.map((event) => presentDeltaEvent(event));
    return {
      sourceId: record.id,
      ...page,
      events: firstRows === undefined ? events : await withFirstRows(ctx, record, events, firstRows),
    };
  },
});

async function withFirstRows(
  { db }: Pick<Context, 'db'>,
  record: Pick<TrackedRecord, 'id' | 'recordNo'>,
  events: readonly ReturnType<typeof presentDeltaEvent>[],
  limit: number,
) {
  const ids = events.filter(({ isNoChange }) => !isNoChange).map(({ id }) => id);
  const found = ids.length === 0 ? undefined : await readFirstDeltaRows(db, record, ids, limit);
  return events.map((event) => ({ ...event, firstRows: (found?.get(event.id) ?? []).map(presentFirstRow) }));
}

export const getDeltaEvent = defineOperation({
  name: 'getDeltaEvent',
  tag: 'Changes',
  scope: 'read',
  summary: 'Read one delta event',
  http: { method: 'GET', path: '/v1/sources/:id/delta/:deltaEventId' },
  params: { ...recordParams, deltaEventId: idInPath('evt') },
  query: keysQuery,
  errors: ['query_too_expensive'],
  output: deltaEventSchema,
  async run(ctx, { deltaEventId, keysLimit }) {
    const record = getRecord(ctx);
    const event = await openEvent(ctx, record.id, deltaEventId);
    return presentDeltaEvent(await readEventKeys(ctx, record, event, keysLimit));
  },
});
