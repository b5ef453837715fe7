// The history of one row.
import { type Static, Type } from 'typebox';
import type { PageRequest, SortOrder } from '../../../db/page.ts';
import type { TrackedRecord } from '../../../db/records/records.ts';
import {
  followRow,
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
    const { id: recordId, recordNo, generation } = record;
    const row = { recordId, recordNo, generation, key };
    const { items, ...page } = await readPage<RowHistoryEntry, [number]>(
      ctx,
      { listing: 'row-history', filters: { ...row, order }, limits: USUAL_LIMITS },
      query,
      ({ after, limit }) =>
        readInTurn(ctx.capacity.rowPages, ctx, () =>
          readHistory(ctx, record, row, order, { after: after?.[0] ?? null, limit }),
        ),
      (entry) => [entry.sequence],
      (entry) => entry.fits,
    );
    return { sourceId: recordId, ...page, key, rows: items.map(presentRowHistoryEntry) };
  },
});

/** @throws ApiError not_found, or different_keys when the row only existed under another key */
async function readHistory(
  ctx: Context,
  record: TrackedRecord,
  row: RowRef,
  order: SortOrder,
  page: PageRequest<number>,
): Promise<RowHistoryEntry[]> {
  // Without the first version of a row, the next one would be a new row, or the row would only exist under another key.
  const entries = await whileKept(ctx, record, [], async () => {
    const followed = await followRow(ctx.db, row, record.headKeyFields);
    if (followed === undefined) throw notFound();
    return followed.generations.length === 0 ? undefined : listRowHistory(ctx.db, followed, order, page);
  });
  if (entries !== undefined) return entries;
  throw new ApiError(
    'different_keys',
    'The record has another key now, or started over: this row only exists in earlier snapshots.',
  );
}
