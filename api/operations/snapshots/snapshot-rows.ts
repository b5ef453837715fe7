// Rows of a snapshot: all, those that match a search and filters, or one.
import { Type } from 'typebox';
import type { TrackedRecord } from '../../../db/records/records.ts';
import { searchSnapshotRows, visitsOf } from '../../../db/rows/selected-rows.ts';
import { findSnapshotRow, listSnapshotRows, type StoredRow } from '../../../db/rows/snapshots.ts';
import type { PageRequest } from '../../../db/page.ts';
import type { Context } from '../../contract/context.ts';
import { notFound } from '../../contract/errors.ts';
import { limitOf, pageQuery, recordParams, rowKeyInPath, snapshotParams } from '../../input/fields.ts';
import {
  getRecord,
  keyFieldsOf,
  latestOf,
  openSnapshot,
  type OpenSnapshot,
  reopenSnapshot,
  whileKept,
} from '../../access/find-named.ts';
import { readInTurn } from '../../capacity/row-pages.ts';
import { readSlowly } from '../../capacity/slow-reads.ts';
import { defineOperation } from '../../contract/operation.ts';
import { type PartOfRows, readPage, recordEnvelope } from '../../input/page.ts';
import { presentSnapshotRow, snapshotRowSchema } from '../../resources/snapshot.ts';
import {
  columnsOf,
  isEverything,
  readSelection,
  requireColumns,
  selectionQuery,
} from '../../input/row-selection.ts';

const LIMITS = { fallback: 20, max: 100 } as const;

type Position = [key: string, snapshotId: string];
type RowsQuery = Parameters<typeof readSelection>[0] & { limit?: number; cursor?: string };

const description =
  'By key, byte by byte; all pages use the snapshot of the first. With `search` or `filter`, a page reads at most some 100,000 rows, so it may have fewer rows than `limit`, or none, although `hasMore` is true: follow `nextCursor`. A filter for the value of the key field finds its rows at once. Values are returned as the origin wrote them.';

const rowsListing = {
  tag: 'Snapshots',
  scope: 'read',
  description,
  query: { ...pageQuery, ...limitOf(LIMITS), ...selectionQuery },
  output: Type.Object({ ...recordEnvelope, rows: Type.Array(snapshotRowSchema) }),
} as const;

export const listLatestRows = defineOperation({
  ...rowsListing,
  name: 'listSnapshotRows',
  errors: ['gone', 'validation_failed', 'query_too_expensive'],
  summary: 'List the rows of the latest snapshot',
  http: { method: 'GET', path: '/v1/sources/:id/snapshot-rows' },
  params: recordParams,
  run: (ctx, query) => listRows(ctx, 'latest', latestOf(getRecord(ctx)), query),
});

export const listRowsOfSnapshot = defineOperation({
  ...rowsListing,
  name: 'listRowsOfSnapshot',
  errors: ['validation_failed', 'query_too_expensive'],
  summary: 'List the rows of a snapshot; `latest` for the latest one',
  http: { method: 'GET', path: '/v1/sources/:id/snapshots/:snapshotId/rows' },
  params: snapshotParams,
  async run(ctx, { snapshotId, ...query }) {
    return listRows(ctx, snapshotId, await openSnapshot(ctx, getRecord(ctx), snapshotId), query);
  },
});

export const getRow = defineOperation({
  name: 'getRow',
  tag: 'Snapshots',
  scope: 'read',
  summary: 'Read one row of the latest snapshot by its key',
  http: { method: 'GET', path: '/v1/sources/:id/rows/:key' },
  params: { ...recordParams, key: rowKeyInPath },
  output: snapshotRowSchema,
  async run(ctx, { key }) {
    const record = getRecord(ctx);
    const row = await findSnapshotRow(ctx.db, record, key);
    if (row === undefined) throw notFound();
    return presentSnapshotRow(row);
  },
});

/** @param first the snapshot of the first page; null if the record has none yet */
async function listRows(ctx: Context, reference: string, first: OpenSnapshot | null, query: RowsQuery) {
  const record = getRecord(ctx);
  const selection = readSelection(query);
  const filters = { recordId: record.id, snapshot: reference, selection: JSON.stringify(selection) };
  let snapshot = first;
  const { items, ...page } = await readPage<StoredRow, Position>(
    ctx,
    { listing: 'snapshot-rows', filters, limits: LIMITS },
    query,
    async ({ after, limit }) => {
      if (after !== null && reference === 'latest') snapshot = await reopenSnapshot(ctx, record, after[1]);
      if (snapshot === null) return [];
      const opened = snapshot;
      const page = { after: after?.[0] ?? null, limit };
      return whileKept(ctx, record, [opened], () => readRows(ctx, record, opened, selection, page));
    },
    (row) => [row.key, snapshot?.id ?? ''],
    (row) => row.fits,
  );
  return { sourceId: record.id, ...page, rows: items.map(presentSnapshotRow) };
}

async function readRows(
  ctx: Context,
  record: TrackedRecord,
  snapshot: OpenSnapshot,
  selection: ReturnType<typeof readSelection>,
  page: PageRequest<string>,
): Promise<StoredRow[] | PartOfRows<StoredRow, Position>> {
  const ref = { ...snapshot, recordNo: record.recordNo };
  if (isEverything(selection))
    return readInTurn(ctx.capacity.snapshotPages, ctx, () => listSnapshotRows(ctx.db, ref, page));
  requireColumns(columnsOf(selection), snapshot.columns);
  const search = { selection, keyFields: keyFieldsOf(record, snapshot), visits: visitsOf(snapshot) };
  const { rows, stoppedAt } = await readSlowly(ctx, (db) => searchSnapshotRows(db, ref, search, page));
  return { rows, stoppedAt: stoppedAt === null ? null : [stoppedAt, snapshot.id] };
}
