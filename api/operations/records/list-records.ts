// Lists records, with search, filters and several orders.
import { Type } from 'typebox';
import {
  type ListedRecord,
  countVisibleRecords,
  listVisibleRecords,
  positionOf,
  RECORD_HEALTH,
  RECORD_SORTS,
  type RecordPosition,
  type RecordSort,
} from '../../../db/records/visible-records.ts';
import type { SortOrder } from '../../../db/page.ts';
import { pageQuery } from '../../input/fields.ts';
import { labelQuery, readLabels } from '../../input/labels.ts';
import { defineOperation } from '../../contract/operation.ts';
import { envelope, readPage, USUAL_LIMITS } from '../../input/page.ts';
import { presentRecord, recordSchema } from '../../resources/record.ts';

/** The default direction of each sort. */
const USUAL_ORDER: Readonly<Record<RecordSort, SortOrder>> = {
  created: 'desc',
  name: 'asc',
  health: 'desc',
  lastChange: 'desc',
};

const countsSchema = Type.Object(
  {
    all: Type.Integer(),
    failing: Type.Integer(),
    held: Type.Integer(),
    healthy: Type.Integer(),
    paused: Type.Integer(),
  },
  {
    title: 'RecordCounts',
    description: 'Records that match the search and the labels. Health is that of active records.',
  },
);

export const listRecords = defineOperation({
  name: 'listRecords',
  tag: 'Records',
  scope: 'read',
  summary: 'List the records that the credential can access',
  description:
    'Sorted by health or by last change, records move while you page: one that moves may be missing or appear twice. ' +
    'All others appear once.',
  http: { method: 'GET', path: '/v1/sources' },
  query: {
    ...pageQuery,
    order: Type.Optional(
      Type.Enum(['asc', 'desc'], {
        description: 'By default `desc` (newest first, worst first); by name `asc`.',
      }),
    ),
    sort: Type.Optional(
      Type.Enum([...RECORD_SORTS], {
        description:
          '`created` by default. By `health`, records whose latest checks failed come first, then those with a held check.',
      }),
    ),
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '^[^\\p{Cc}\\p{Cs}]*$',
        description: 'Only records with this text in their name, slug or URL, ignoring case.',
      }),
    ),
    status: Type.Optional(Type.Enum(['active', 'paused'], { description: 'Only records with this status.' })),
    health: Type.Optional(
      Type.Enum([...RECORD_HEALTH], {
        description:
          '`failing`: only records whose latest checks failed; `held`: whose last check is held, or that have a held check ' +
          'to decide about; `healthy`: whose last check was good.',
      }),
    ),
    counts: Type.Optional(
      Type.Boolean({ description: 'Also count the records by health, whatever `status` and `health` are.' }),
    ),
    ...labelQuery,
  },
  output: Type.Object({
    ...envelope,
    sources: Type.Array(recordSchema),
    counts: Type.Optional(countsSchema),
  }),
  async run(ctx, { sort = 'created', order = USUAL_ORDER[sort], search, status, health, label, ...rest }) {
    const { counts: isCounted = false, ...query } = rest;
    const { principal } = ctx;
    const reach = principal.kind === 'account' ? principal.accountId : principal.recordId;
    const chosen = { sort, search: search ?? null, status: status ?? null, health: health ?? null };
    const isPlain =
      sort === 'created' && search === undefined && status === undefined && health === undefined;
    const labels = readLabels(label);
    // Cursors of the plain list are older than sorts and filters, and must stay valid.
    const filters = {
      reach,
      order,
      ...(isPlain ? {} : chosen),
      ...(labels.length === 0 ? {} : { labels: JSON.stringify(labels) }),
    };
    const { items, ...page } = await readPage<ListedRecord, RecordPosition>(
      ctx,
      { listing: 'records', filters, limits: USUAL_LIMITS },
      query,
      (wanted) =>
        listVisibleRecords(
          ctx.db,
          principal,
          {
            sort,
            order,
            search: chosen.search,
            status: chosen.status,
            health: chosen.health,
            labels,
          },
          wanted,
        ),
      positionOf,
    );
    const sources = items.map((record) => ({
      ...presentRecord(record),
      lastChangeAt: record.lastChangeAt?.toISOString() ?? null,
    }));
    const counts = isCounted
      ? { counts: await countVisibleRecords(ctx.db, principal, { search: chosen.search, labels }) }
      : {};
    return { ...page, sources, ...counts };
  },
});
