// The history of one row.
import { type Static, Type } from 'typebox';
import {
  followRow,
  type FollowedRow,
  listRowHistory,
  type RowHistoryEntry,
  type RowRef,
} from '../../../db/rows/row-history.ts';
import { deltaRowSchema, presentDeltaRow } from '../../resources/delta-event.ts';
import { time } from '../../resources/shapes.ts';
import { ApiError } from '../../../core/errors.ts';
import type { Context } from '../../contract/context.ts';
import { notFound } from '../../contract/errors.ts';
import { orderedPageQuery, recordParams, rowKeyInPath } from '../../input/fields.ts';
import { getRecord, whileKept } from '../../access/find-named.ts';
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
    'Covers all stored delta events since the key fields changed or the record started over. The row’s first version is ' +
    '`new`, with the event in which it appeared: for the rows of the first check, the baseline. An event with `rekeyed` ' +
    'makes no entry, because it compares nothing. Keys are percent-encoded (`a/b` is `a%2Fb`).',
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
    const record = getRecord(ctx);
    const { id: recordId, recordNo, generation, headKeyFields } = record;
    const row = { recordId, recordNo, generation, key };
    const { items, ...page } = await readPage<RowHistoryEntry, [number]>(
      ctx,
      { listing: 'row-history', filters: { ...row, order }, limits: USUAL_LIMITS },
      query,
      ({ after, limit }) =>
        readInTurn(ctx.capacity.rowPages, ctx, () =>
          // Without the first version of a row, the next one would be a new row.
          whileKept(ctx, record, [], async () => {
            const followed = await requireRow(ctx, row, headKeyFields);
            return listRowHistory(ctx.db, followed, order, { after: after?.[0] ?? null, limit });
          }),
        ),
      (entry) => [entry.sequence],
      (entry) => entry.fits,
    );
    return { sourceId: recordId, ...page, key, rows: items.map(presentRowHistoryEntry) };
  },
});

/** @throws ApiError not_found, or different_keys when the row only existed under another key */
async function requireRow({ db }: Context, row: RowRef, keyFields: readonly string[]): Promise<FollowedRow> {
  const followed = await followRow(db, row, keyFields);
  if (followed === undefined) throw notFound();
  if (followed.generations.length > 0) return followed;
  throw new ApiError(
    'different_keys',
    'The record has another key now, or started over: this row only exists in earlier snapshots.',
  );
}
