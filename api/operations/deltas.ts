// Delta events and their rows.
import { Type } from 'typebox';
import { type ListedEvent, listDeltaEvents, MAX_STORED_KEYS } from '../../db/delta-events.ts';
import { type DeltaRow, listDeltaRows } from '../../db/delta-rows.ts';
import type { Database } from '../../db/knex.ts';
import { notFound } from '../errors.ts';
import { readEventKeys } from '../event-keys.ts';
import {
  changeTypeField,
  eventReference,
  idInPath,
  keysLimitField,
  MAX_KEYS,
  limitOf,
  orderedPageQuery,
  pageQuery,
  recordParams,
} from '../fields.ts';
import { getRecord } from '../get-record.ts';
import { heavyRead } from '../heavy-read.ts';
import { openEvent } from '../open-event.ts';
import { defineOperation } from '../operation.ts';
import { DELTA_ROW_LIMITS, readPage, recordEnvelope, USUAL_LIMITS } from '../page.ts';
import {
  deltaEventSchema,
  deltaRowSchema,
  presentDeltaEvent,
  presentDeltaRow,
} from '../resources/delta-event.ts';
import { readSince } from '../since.ts';

const keysQuery = { keysLimit: Type.Optional(keysLimitField(MAX_KEYS)) };

type RowPosition = [key: string, eventId: string];

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
    since: Type.Optional(Type.String({ description: 'Only events after this ISO 8601 time or event id.' })),
    changesOnly: Type.Optional(Type.Boolean({ description: 'Leaves out events in which nothing changed.' })),
    keysLimit: Type.Optional(keysLimitField(MAX_STORED_KEYS)),
  },
  output: Type.Object({ ...recordEnvelope, events: Type.Array(deltaEventSchema) }),
  async run(ctx, { order = 'desc', since, changesOnly = false, keysLimit = MAX_STORED_KEYS, ...query }) {
    const record = getRecord(ctx);
    const filter = { changesOnly, ...(await readSince(ctx, record, since)) };
    const filters = { recordId: record.id, order, changesOnly, since: since ?? null };
    const { items, ...page } = await readPage<ListedEvent, [number]>(
      ctx,
      { listing: 'delta', filters, limits: USUAL_LIMITS },
      query,
      ({ after, limit }) =>
        listDeltaEvents(ctx.db, record.id, filter, order, { after: after?.[0] ?? null, limit }, keysLimit),
      (event) => [event.number],
      (event) => event.fits,
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

export const listEventRows = defineOperation({
  name: 'listDeltaRows',
  tag: 'Changes',
  scope: 'read',
  summary: 'List the new, changed and deleted rows of a delta event, by key; `latest` for the latest one',
  description:
    'The latest one may be of a check that found no change, and has no rows then. Later pages stay with the event of the first.',
  http: { method: 'GET', path: '/v1/sources/:id/delta/:deltaEventId/rows' },
  params: { ...recordParams, deltaEventId: eventReference },
  query: { ...pageQuery, ...limitOf(DELTA_ROW_LIMITS), changeType: Type.Optional(changeTypeField) },
  errors: ['query_too_expensive'],
  output: Type.Object({ ...recordEnvelope, rows: Type.Array(deltaRowSchema) }),
  async run(ctx, { deltaEventId: reference, changeType = null, ...query }) {
    const { id: recordId, recordNo } = getRecord(ctx);
    const filters = { recordId, deltaEventId: reference, changeType };
    let eventId = reference;
    const { items, ...page } = await readPage<DeltaRow, RowPosition>(
      ctx,
      { listing: 'delta-rows', filters, limits: DELTA_ROW_LIMITS },
      query,
      async ({ after, limit }) => {
        if (reference === 'latest') eventId = after?.[1] ?? (await openEvent(ctx, recordId, 'latest')).id;
        const event = { id: eventId, recordId, recordNo };
        const read = (db: Database) =>
          listDeltaRows(db, event, { after: after?.[0] ?? null, limit }, changeType);
        // A filter may have to pass over all of an event's rows.
        const rows = changeType === null ? await read(ctx.db) : await heavyRead(ctx, read);
        if (rows === undefined) throw notFound();
        return rows;
      },
      (row) => [row.key, eventId],
      (row) => row.fits,
    );
    return { sourceId: recordId, ...page, rows: items.map(presentDeltaRow) };
  },
});
