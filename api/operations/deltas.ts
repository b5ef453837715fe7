// Delta events and their rows.
import { Type } from 'typebox';
import { ApiError } from '../../core/errors.ts';
import {
  type DeltaEventRow,
  type DeltaRow,
  findDeltaEvent,
  findLatestDeltaEvent,
  listDeltaEvents,
  listDeltaRows,
} from '../../db/delta-events.ts';
import { notFound } from '../errors.ts';
import { idInPath, orderedPageQuery, pageQuery, recordParams } from '../fields.ts';
import { getRecord } from '../get-record.ts';
import { defineOperation } from '../operation.ts';
import { readPage, recordEnvelope, USUAL_LIMITS } from '../page.ts';
import {
  deltaEventSchema,
  deltaRowSchema,
  presentDeltaEvent,
  presentDeltaRow,
} from '../resources/delta-event.ts';
import { readSince } from '../since.ts';

const ROW_LIMITS = { fallback: 1_000, max: 5_000 } as const;

const eventParams = { ...recordParams, deltaEventId: idInPath('evt') };

export const getLatestDeltaEvent = defineOperation({
  name: 'getLatestDeltaEvent',
  tag: 'Changes',
  scope: 'read',
  summary: 'Read the latest delta event of a record',
  http: { method: 'GET', path: '/v1/sources/:id/delta/latest' },
  params: recordParams,
  output: deltaEventSchema,
  async run(ctx) {
    const record = getRecord(ctx);
    const event = await findLatestDeltaEvent(ctx.db, record.id);
    if (event === undefined) throw new ApiError('not_found', 'No check of this record has found data yet.');
    return presentDeltaEvent(event);
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
    since: Type.Optional(Type.String({ description: 'Only events after this ISO 8601 time or event id.' })),
    changesOnly: Type.Optional(Type.Boolean({ description: 'Leaves out events in which nothing changed.' })),
  },
  output: Type.Object({ ...recordEnvelope, events: Type.Array(deltaEventSchema) }),
  async run(ctx, { order = 'desc', since, changesOnly = false, ...query }) {
    const record = getRecord(ctx);
    const filter = { changesOnly, ...(await readSince(ctx, record, since)) };
    const filters = { recordId: record.id, order, changesOnly, since: since ?? null };
    const { items, ...page } = await readPage<DeltaEventRow, [number]>(
      ctx,
      { listing: 'delta', filters, limits: USUAL_LIMITS },
      query,
      ({ after, limit }) =>
        listDeltaEvents(ctx.db, record.id, filter, order, { after: after?.[0] ?? null, limit }),
      (event) => [event.number],
    );
    return { sourceId: record.id, ...page, events: items.map(presentDeltaEvent) };
  },
});

export const getDeltaEvent = defineOperation({
  name: 'getDeltaEvent',
  tag: 'Changes',
  scope: 'read',
  summary: 'Read one delta event',
  http: { method: 'GET', path: '/v1/sources/:id/delta/:deltaEventId' },
  params: eventParams,
  output: deltaEventSchema,
  async run(ctx, { deltaEventId }) {
    const record = getRecord(ctx);
    const event = await findDeltaEvent(ctx.db, record.id, deltaEventId);
    if (event === undefined) throw notFound();
    return presentDeltaEvent(event);
  },
});

export const listEventRows = defineOperation({
  name: 'listDeltaRows',
  tag: 'Changes',
  scope: 'read',
  summary: 'List the new, changed and deleted rows of a delta event, by key',
  http: { method: 'GET', path: '/v1/sources/:id/delta/:deltaEventId/rows' },
  params: eventParams,
  query: pageQuery,
  output: Type.Object({ ...recordEnvelope, rows: Type.Array(deltaRowSchema) }),
  async run(ctx, { deltaEventId, ...query }) {
    const { id: recordId, recordNo } = getRecord(ctx);
    const event = await findDeltaEvent(ctx.db, recordId, deltaEventId);
    if (event === undefined) throw notFound();
    const { generation, sequence, isNoChange } = event;
    const { items, ...page } = await readPage<DeltaRow, [string]>(
      ctx,
      { listing: 'delta-rows', filters: { recordId, deltaEventId }, limits: ROW_LIMITS },
      query,
      ({ after, limit }) =>
        listDeltaRows(
          ctx.db,
          { recordNo, generation, sequence, isNoChange },
          { after: after?.[0] ?? null, limit },
        ),
      (row) => [row.key],
      (row) => row.fits,
    );
    return { sourceId: recordId, ...page, rows: items.map(presentDeltaRow) };
  },
});
