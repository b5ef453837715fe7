// The history of one row.
import { type Static, Type } from 'typebox';
import {
  generationsOfRow,
  listRowHistory,
  type RowHistoryEntry,
  type RowPlace,
} from '../../../db/rows/row-history.ts';
import { deltaRowSchema, presentDeltaRow } from '../../resources/delta-event.ts';
import { time } from '../../resources/shapes.ts';
import { ApiError } from '../../../core/errors.ts';
import type { Context } from '../../contract/context.ts';
import { notFound } from '../../contract/errors.ts';
import { orderedPageQuery, recordParams, rowKeyInPath } from '../../input/fields.ts';
import { getRecord } from '../../access/find-named.ts';
import { readInTurn } from '../../capacity/row-pages.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readPage, recordEnvelope, USUAL_LIMITS } from '../../input/page.ts';

const rowHistoryEntrySchema = Type.Object(
  {
    snapshotId: Type.String({ description: 'The version of the data with this change.' }),
    deltaEventId: Type.String(),
    detectedAt: time,
    ...deltaRowSchema.properties,
  },
  { title: 'RowHistoryEntry' },
);

function presentRowHistoryEntry(entry: RowHistoryEntry): Static<typeof rowHistoryEntrySchema> {
  const { snapshotId, deltaEventId, detectedAt } = entry;
  return { snapshotId, deltaEventId, detectedAt: detectedAt.toISOString(), ...presentDeltaRow(entry) };
}

export const getRowHistory = defineOperation({
  name: 'getRowHistory',
  tag: 'Changes',
  scope: 'read',
  summary: 'Read one row’s history: when it appeared, changed, disappeared and returned',
  description:
    'Covers all stored delta events. The row’s first version is `new`, with the event in which it appeared: for the ' +
    'rows of the first check, the baseline. Keys are percent-encoded (`a/b` is `a%2Fb`).',
  errors: ['different_keys'],
  http: { method: 'GET', path: '/v1/sources/:id/rows/:key/history' },
  params: { ...recordParams, key: rowKeyInPath },
  query: orderedPageQuery,
  output: Type.Object({
    ...recordEnvelope,
    key: Type.String(),
    rows: Type.Array(rowHistoryEntrySchema),
  }),
  async run(ctx, { key, order = 'desc', ...query }) {
    const { id: recordId, recordNo, generation } = getRecord(ctx);
    const row = { recordId, recordNo, generation, key };
    const { items, ...page } = await readPage<RowHistoryEntry, [number]>(
      ctx,
      { listing: 'row-history', filters: { ...row, order }, limits: USUAL_LIMITS },
      query,
      ({ after, limit }) =>
        readInTurn(ctx.capacity.rowPages, ctx, () =>
          listRowHistory(ctx.db, row, order, { after: after?.[0] ?? null, limit }),
        ),
      (entry) => [entry.sequence],
      (entry) => entry.fits,
    );
    if (items.length === 0) await requireRow(ctx, row);
    return { sourceId: recordId, ...page, key, rows: items.map(presentRowHistoryEntry) };
  },
});

/** @throws ApiError not_found, or different_keys when the row only existed under another key */
async function requireRow({ db }: Context, row: RowPlace): Promise<void> {
  const [latest] = await generationsOfRow(db, row);
  if (latest === undefined) throw notFound();
  if (latest === row.generation) return;
  throw new ApiError(
    'different_keys',
    'The record has another key now: this row only exists in earlier snapshots.',
  );
}
