// The rows of a delta event: all, or those that match a search.
import { Type } from 'typebox';
import { type DeltaEventRow, findDeltaEvent } from '../../../db/rows/delta-events.ts';
import { type ChangeType, type DeltaRow, listDeltaRows } from '../../../db/rows/delta-rows.ts';
import { type DeltaSelection, deltaVisitsOf, searchDeltaRows } from '../../../db/rows/search-delta-rows.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { findSnapshots } from '../../../db/rows/snapshots.ts';
import type { PageRequest } from '../../../db/page.ts';
import { withFields } from '../../../core/delta/row-texts.ts';
import { deliveryRowsBinding } from '../../../core/delivery-rows.ts';
import { findRowSettings } from '../../../db/webhooks/deliveries.ts';
import type { Context } from '../../contract/context.ts';
import {
  DELTA_SELECTION,
  deltaSelectionQuery,
  isEveryRow,
  readDeltaSelection,
  requireDeltaColumns,
} from '../../input/delta-selection.ts';
import { invalidParameter, notFound } from '../../contract/errors.ts';
import {
  changeTypeField,
  eventReference,
  idInPath,
  limitOf,
  pageQuery,
  recordParams,
} from '../../input/fields.ts';
import { getRecord, openEvent } from '../../access/find-named.ts';
import { readInTurn } from '../../capacity/row-pages.ts';
import { readSlowly } from '../../capacity/slow-reads.ts';
import { defineOperation } from '../../contract/operation.ts';
import { DELTA_ROW_LIMITS, type PartOfRows, readPage, recordEnvelope } from '../../input/page.ts';
import { deltaRowSchema, presentDeltaRow } from '../../resources/delta-event.ts';

type Position = [key: string, eventId: string];

interface Wanted {
  changeType: ChangeType | null;
  selection: DeltaSelection;
}

export const listEventRows = defineOperation({
  name: 'listDeltaRows',
  tag: 'Changes',
  scope: 'read',
  summary: 'List the new, changed and deleted rows of a delta event, by key; `latest` for the latest one',
  description: `The latest event may be of a check without changes, and then has no rows. All pages use the event of the first. ${DELTA_SELECTION}`,
  http: { method: 'GET', path: '/v1/sources/:id/delta/:deltaEventId/rows' },
  params: { ...recordParams, deltaEventId: eventReference },
  query: {
    ...pageQuery,
    ...limitOf(DELTA_ROW_LIMITS),
    changeType: Type.Optional(changeTypeField),
    ...deltaSelectionQuery,
    delivery: Type.Optional(
      Type.String({
        ...idInPath('dlv'),
        description:
          'the id of a delivery of this event, for only the rows and the columns that its webhook selected. The `rowsUrl` of ' +
          'a delivery with rows has it. Not with another selection.',
      }),
    ),
  },
  errors: ['validation_failed', 'query_too_expensive'],
  output: Type.Object({ ...recordEnvelope, rows: Type.Array(deltaRowSchema) }),
  async run(ctx, { deltaEventId: reference, changeType = null, delivery, ...query }) {
    const { id: recordId } = getRecord(ctx);
    if (delivery !== undefined) {
      if (changeType !== null || !isEveryRow(readDeltaSelection(query)))
        throw invalidParameter('delivery', 'selects the rows, so give no other selection');
      return listRowsOfDelivery(ctx, reference, delivery, query);
    }
    const selection = readDeltaSelection(query);
    const isAll = isEveryRow(selection);
    const filters = { recordId, deltaEventId: reference, changeType, selection: JSON.stringify(selection) };
    let eventId = reference;
    const { items, ...page } = await readPage<DeltaRow, Position>(
      ctx,
      { listing: 'delta-rows', filters, limits: DELTA_ROW_LIMITS },
      query,
      async ({ after, limit }) => {
        const rest = { after: after?.[0] ?? null, limit };
        if (reference === 'latest' && after !== null) eventId = after[1];
        const event = eventId === 'latest' || !isAll ? await openEvent(ctx, recordId, eventId) : null;
        eventId = event?.id ?? eventId;
        return event === null || isAll
          ? listRows(ctx, eventId, changeType, rest)
          : searchRows(ctx, event, { changeType, selection }, rest);
      },
      (row) => [row.key, eventId],
      (row) => row.fits,
    );
    return { sourceId: recordId, ...page, rows: items.map((row) => presentDeltaRow(row)) };
  },
});

/** The rows that a webhook selected when the delivery was made, from the list that the delivery's body begins. */
async function listRowsOfDelivery(
  ctx: Context,
  eventId: string,
  deliveryId: string,
  query: { limit?: number; cursor?: string },
) {
  const { id: recordId } = getRecord(ctx);
  const settings = await findRowSettings(ctx.db, eventId, deliveryId);
  const event = settings && (await findDeltaEvent(ctx.db, recordId, eventId));
  if (settings === undefined || event === undefined) throw notFound();
  const selection = { search: null, searchColumns: [], changedFields: [], choice: settings };
  const { items, ...page } = await readPage<DeltaRow, Position>(
    ctx,
    { ...deliveryRowsBinding(recordId, eventId, deliveryId), limits: DELTA_ROW_LIMITS },
    query,
    ({ after, limit }) =>
      searchRows(ctx, event, { changeType: null, selection }, { after: after?.[0] ?? null, limit }),
    (row) => [row.key, eventId],
    (row) => row.fits,
  );
  const rows = items.map((row) => presentDeltaRow(withFields(row, settings.fields)));
  return { sourceId: recordId, ...page, rows };
}

async function listRows(
  ctx: Context,
  eventId: string,
  changeType: ChangeType | null,
  page: PageRequest<string>,
): Promise<DeltaRow[]> {
  const { id: recordId, recordNo } = getRecord(ctx);
  const read = (db: Database) => listDeltaRows(db, { id: eventId, recordId, recordNo }, page, changeType);
  // With filters the read may pass over all of an event's rows.
  const rows =
    changeType === null
      ? await readInTurn(ctx.capacity.rowPages, ctx, () => read(ctx.db))
      : await readSlowly(ctx, read);
  if (rows === undefined) throw notFound();
  return rows;
}

async function searchRows(
  ctx: Context,
  event: DeltaEventRow,
  { changeType, selection }: Wanted,
  page: PageRequest<string>,
): Promise<PartOfRows<DeltaRow, Position>> {
  const { id: recordId, recordNo } = getRecord(ctx);
  const { snapshotId, previousSnapshotId } = event;
  const versions = await findSnapshots(ctx.db, recordId, [snapshotId, previousSnapshotId ?? snapshotId]);
  requireDeltaColumns(selection, versions);
  const search = { changeType, selection, visits: deltaVisitsOf(versions) };
  const found = await readSlowly(ctx, (db) => searchDeltaRows(db, { ...event, recordNo }, search, page));
  if (found === undefined) throw notFound();
  return { rows: found.rows, stoppedAt: found.stoppedAt === null ? null : [found.stoppedAt, event.id] };
}
