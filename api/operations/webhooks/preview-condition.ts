// Counts how often a webhook would have been called under a condition, before it is saved.
import { type Static, Type } from 'typebox';
import { readCondition } from '../../../core/conditions/condition.ts';
import { ApiError } from '../../../core/errors.ts';
import { COUNT_LIMITS, countFirings, listSelected } from '../../../db/webhooks/condition-counts.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { getRecord } from '../../access/find-named.ts';
import { readSlowly } from '../../capacity/slow-reads.ts';
import type { Context } from '../../contract/context.ts';
import { defineOperation } from '../../contract/operation.ts';
import { recordParams } from '../../input/fields.ts';
import { time } from '../../resources/shapes.ts';
import { type conditionField, filtersField } from '../../resources/webhook.ts';
import { sourcesBody, readSources } from '../../webhooks/selected-sources.ts';
import { columnsOfFilters, conditionFaults, webhookBody } from '../../webhooks/webhook-settings.ts';

const DAYS = 30;
const DAY_MS = 24 * 3_600_000;

const output = Type.Object(
  {
    since: Type.String({ ...time, description: `${DAYS} days ago.` }),
    events: Type.Integer({ description: 'Events with changes that pass the filters.' }),
    met: Type.Integer({ description: 'Of these, those that meet the condition.' }),
    undecided: Type.Integer({
      description:
        'Of these, those that would be sent because the condition asks for more rows than are looked at.',
    }),
    isWhole: Type.Boolean({
      description:
        `false: there are further events. At most ${COUNT_LIMITS.events} events, ${COUNT_LIMITS.rows} rows of 256 MiB and ` +
        `${COUNT_LIMITS.records} records are looked at.`,
    }),
  },
  { title: 'ConditionPreview' },
);

const body = { condition: webhookBody.condition, filters: Type.Optional(filtersField) };

interface Given {
  condition?: Static<typeof conditionField> | undefined;
  filters?: Static<typeof filtersField> | undefined;
}

const ofPreview = {
  audit: null,
  tag: 'Webhooks',
  errors: ['query_too_expensive'],
  description:
    `Asks the condition about the kept events with changes of the last ${DAYS} days, and changes nothing. Without a ` +
    'condition, all events that pass the filters meet it.',
  output,
} as const;

export const previewCondition = defineOperation({
  ...ofPreview,
  name: 'previewCondition',
  scope: 'read',
  summary: 'Count how often a condition would have been met in 30 days',
  http: { method: 'POST', path: '/v1/sources/:id/preview/condition' },
  params: recordParams,
  body,
  run: (ctx, { id: _reference, ...given }) => preview(ctx, given, () => Promise.resolve([getRecord(ctx).id])),
});

export const previewAccountCondition = defineOperation({
  ...ofPreview,
  name: 'previewAccountCondition',
  scope: 'full',
  accountOnly: true,
  lock: { feature: 'Webhooks', creates: false },
  summary: 'Count how often a condition would have been met by several records in 30 days',
  http: { method: 'POST', path: '/v1/webhooks/preview/condition' },
  body: { ...body, ...sourcesBody },
  async run(ctx, { sources, ...given }) {
    const selected = await readSources(ctx, sources ?? null);
    return preview(ctx, given, (db) => listSelected(db, ctx.principal.accountId, selected));
  },
});

async function preview(
  ctx: Context,
  { condition: given, filters }: Given,
  listRecords: (db: Database) => Promise<string[]>,
): Promise<Static<typeof output>> {
  const errors = conditionFaults(given);
  const [first] = errors;
  if (first !== undefined) throw new ApiError('validation_failed', first.detail, { errors });
  const read = readCondition(given ?? ALWAYS);
  if ('faults' in read) throw new Error('A condition without faults could not be read');
  const webhook = { ...columnsOfFilters(filters ?? null), condition: read.condition };
  const since = new Date(ctx.clock() - DAYS * DAY_MS);
  const count = await readSlowly(ctx, async (db) => countFirings(db, await listRecords(db), webhook, since));
  return { since: since.toISOString(), ...count };
}

const ALWAYS = { '>=': [{ var: 'totalCount' }, 0] };
