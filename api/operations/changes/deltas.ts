// Delta events.
import { Type } from 'typebox';
import { type ListedEvent, listDeltaEvents, MAX_STORED_KEYS } from '../../../db/rows/delta-events.ts';
import { readEventKeys } from '../../snapshots/event-keys.ts';
import { idInPath, keysLimitField, MAX_KEYS, orderedPageQuery, recordParams } from '../../input/fields.ts';
import { getRecord } from '../../access/get-record.ts';
import { openEvent } from '../../snapshots/open-event.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readPage, recordEnvelope, USUAL_LIMITS } from '../../input/page.ts';
import { deltaEventSchema, presentDeltaEvent } from '../../resources/delta-event.ts';
import { edgeField, readSince, readUntil } from '../../input/since.ts';

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
    until: Type.Optional(edgeField('Only events up to this ISO 8601 time or event id, itself included.')),
    changesOnly: Type.Optional(Type.Boolean({ description: 'Leaves out events in which nothing changed.' })),
    keysLimit: Type.Optional(keysLimitField(MAX_STORED_KEYS)),
  },
  output: Type.Object({ ...recordEnvelope, events: Type.Array(deltaEventSchema) }),
  async run(ctx, { order = 'desc', since, until, changesOnly = false, keysLimit, ...query }) {
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
