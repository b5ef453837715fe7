// Lists records, with search, filters and several orders.
import { Type } from 'typebox';
import {
  type ListedRecord,
  listVisibleRecords,
  positionOf,
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
      Type.Enum(['failing'], { description: '`failing`: only records whose latest checks failed.' }),
    ),
    ...labelQuery,
  },
  output: Type.Object({ ...envelope, sources: Type.Array(recordSchema) }),
  async run(ctx, { sort = 'created', order = USUAL_ORDER[sort], search, status, health, label, ...query }) {
    const { principal } = ctx;
    const reach = principal.kind === 'account' ? principal.accountId : principal.recordId;
    const chosen = { sort, search: search ?? null, status: status ?? null, health: health ?? null };
    const isPlain =
      sort === 'created' && search === undefined && status === undefined && health === undefined;
    // Cursors of the plain list are older than sorts and filters, and must stay valid.
    const labels = readLabels(label);
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
            isFailing: health === 'failing',
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
    return { ...page, sources };
  },
});
