// Compares any two snapshots of a record.
import { Type } from 'typebox';
import { type ChangedFields, changedFieldsBy } from '../../../core/delta/canonical-row.ts';
import { NO_RULES } from '../../../core/delta/rules/column-rules.ts';
import { ApiError } from '../../../core/errors.ts';
import {
  compareSnapshots,
  listComparedRows,
  searchComparedRows,
} from '../../../db/rows/compare-snapshots.ts';
import type { ChangeType, DeltaRow } from '../../../db/rows/delta-rows.ts';
import { type DeltaSelection, deltaVisitsOf } from '../../../db/rows/search-delta-rows.ts';
import type { TrackedRecord } from '../../../db/records/records.ts';
import type { PageRequest } from '../../../db/page.ts';
import type { Context } from '../../contract/context.ts';
import {
  DELTA_SELECTION,
  deltaSelectionQuery,
  isEveryRow,
  readDeltaSelection,
  requireDeltaColumns,
} from '../../input/delta-selection.ts';
import {
  changeTypeField,
  keysLimitField,
  limitOf,
  MAX_KEYS,
  pageQuery,
  recordParams,
  snapshotReference,
} from '../../input/fields.ts';
import {
  getRecord,
  keyFieldsOf,
  openSnapshot,
  type OpenSnapshot,
  openSnapshotBefore,
  reopenSnapshot,
  whileKept,
} from '../../access/find-named.ts';
import { readSlowly } from '../../capacity/slow-reads.ts';
import { defineOperation } from '../../contract/operation.ts';
import { DELTA_ROW_LIMITS, type PartOfRows, readPage, recordEnvelope } from '../../input/page.ts';
import { comparisonSchema, presentComparison } from '../../resources/comparison.ts';
import { deltaRowSchema, presentDeltaRow } from '../../resources/delta-event.ts';

const pairQuery = { from: Type.Optional(snapshotReference), to: Type.Optional(snapshotReference) };

const description =
  'Compares any two snapshots in either order: `from` is the earlier version (by default the snapshot before `to`), `to` the later one (by default `latest`). Rows that changed and changed back do not differ, and neither do values that are the same under the record’s rules; a tolerance does not count here. Snapshots from before and after a change of the key fields or ignored fields cannot be compared (`different_keys`).';

export const compareTwoSnapshots = defineOperation({
  name: 'compareSnapshots',
  tag: 'Changes',
  scope: 'read',
  summary: 'Compare two snapshots: how many rows differ, and which',
  description,
  errors: ['not_found', 'different_keys', 'query_too_expensive'],
  http: { method: 'GET', path: '/v1/sources/:id/compare' },
  params: recordParams,
  query: { ...pairQuery, keysLimit: Type.Optional(keysLimitField(MAX_KEYS)) },
  output: comparisonSchema,
  async run(ctx, { from, to = 'latest', keysLimit = 100 }) {
    const record = getRecord(ctx);
    const pair = await openPair(ctx, record, from, to);
    const limit = Math.min(keysLimit, MAX_KEYS);
    const read = () => readSlowly(ctx, (db) => compareSnapshots(db, snapshotPairOf(record, pair), limit));
    const found = await whileKept(ctx, record, [pair.from, pair.to], read);
    return presentComparison(record.id, pair.from, pair.to, found);
  },
});

export const listCompareRows = defineOperation({
  name: 'compareSnapshotRows',
  tag: 'Changes',
  scope: 'read',
  summary: 'List the rows that differ between two snapshots, by key',
  description: `${description} All pages use the snapshots of the first. ${DELTA_SELECTION}`,
  errors: ['not_found', 'gone', 'different_keys', 'validation_failed', 'query_too_expensive'],
  http: { method: 'GET', path: '/v1/sources/:id/compare/rows' },
  params: recordParams,
  query: {
    ...pairQuery,
    ...pageQuery,
    ...limitOf(DELTA_ROW_LIMITS),
    changeType: Type.Optional(changeTypeField),
    ...deltaSelectionQuery,
  },
  output: Type.Object({ ...recordEnvelope, rows: Type.Array(deltaRowSchema) }),
  async run(ctx, { from, to = 'latest', changeType = null, ...query }) {
    const record = getRecord(ctx);
    const selection = readDeltaSelection(query);
    const asked = { from: from ?? null, to, changeType, selection: JSON.stringify(selection) };
    let pair: Pair | undefined;
    let fieldsOf: ChangedFields | undefined;
    const { items, ...page } = await readPage<DeltaRow, Position>(
      ctx,
      { listing: 'compare', filters: { recordId: record.id, ...asked }, limits: DELTA_ROW_LIMITS },
      query,
      async ({ after, limit }) => {
        const opened = await (after === null
          ? openPair(ctx, record, from, to)
          : reopenPair(ctx, record, after));
        pair = opened;
        fieldsOf = changedFieldsOf(record, opened);
        const wanted = { changeType, selection, fieldsOf };
        const page = { after: after?.[0] ?? null, limit };
        return whileKept(ctx, record, [opened.from, opened.to], () => readRows(ctx, opened, wanted, page));
      },
      (row) => [row.key, pair?.from.id ?? '', pair?.to.id ?? ''],
      (row) => row.fits,
    );
    return { sourceId: record.id, ...page, rows: items.map((row) => presentDeltaRow(row, fieldsOf)) };
  },
});

type Position = [key: string, fromId: string, toId: string];

interface Wanted {
  changeType: ChangeType | null;
  selection: DeltaSelection;
  fieldsOf: ChangedFields;
}

async function readRows(
  ctx: Context,
  pair: Pair,
  { changeType, selection, fieldsOf }: Wanted,
  page: PageRequest<string>,
): Promise<DeltaRow[] | PartOfRows<DeltaRow, Position>> {
  const snapshots = snapshotPairOf(getRecord(ctx), pair);
  if (isEveryRow(selection))
    return readSlowly(ctx, (db) => listComparedRows(db, snapshots, changeType, page));
  const versions = [pair.to, pair.from];
  requireDeltaColumns(selection, versions);
  const search = { changeType, selection, fieldsOf, visits: deltaVisitsOf(versions) };
  const { rows, stoppedAt } = await readSlowly(ctx, (db) => searchComparedRows(db, snapshots, search, page));
  return { rows, stoppedAt: stoppedAt === null ? null : [stoppedAt, pair.from.id, pair.to.id] };
}

interface Pair {
  from: OpenSnapshot;
  to: OpenSnapshot;
}

/**
 * @param before undefined: the snapshot before the other one
 * @throws ApiError not_found, different_keys
 */
async function openPair(
  ctx: Context,
  record: TrackedRecord,
  before: string | undefined,
  after: string,
): Promise<Pair> {
  const to = await openSnapshot(ctx, record, after);
  const from = await (before === undefined
    ? openSnapshotBefore(ctx, record, to)
    : openSnapshot(ctx, record, before));
  const pair = { from, to };
  if (pair.from.generation === pair.to.generation) return pair;
  throw new ApiError(
    'different_keys',
    'Between these snapshots the settings changed by which rows are read and compared, or the record started over. ' +
      'So their rows cannot be compared.',
  );
}

/**
 * The two snapshots of the first page.
 * @throws ApiError gone
 */
async function reopenPair(
  ctx: Context,
  record: TrackedRecord,
  [, from, to]: readonly [string, string, string],
): Promise<Pair> {
  return { from: await reopenSnapshot(ctx, record, from), to: await reopenSnapshot(ctx, record, to) };
}

/**
 * Both snapshots are of one generation, and so of one set of rules. Snapshots of an older version do not name it, but those of
 * the present generation have the rules in force.
 */
function changedFieldsOf(record: TrackedRecord, { from, to }: Pair): ChangedFields {
  const inForce = from.generation === record.generation ? record.headRules : NO_RULES;
  return changedFieldsBy(from.rules ?? to.rules ?? inForce, keyFieldsOf(record, from));
}

const snapshotPairOf = ({ recordNo }: TrackedRecord, { from, to }: Pair) => ({
  recordNo,
  generation: from.generation,
  from: from.sequence,
  to: to.sequence,
});
