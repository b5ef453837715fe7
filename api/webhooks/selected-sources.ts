// Reads and presents `sources`, the selection of records of an account's webhook.
import { type Static, Type } from 'typebox';
import { ApiError } from '../../core/errors.ts';
import { listUnknownRecords } from '../../db/records/visible-records.ts';
import type { SelectedRecords } from '../../db/webhooks/webhooks.ts';
import type { Context } from '../contract/context.ts';
import { sourcesField } from '../resources/webhook.ts';

export const sourcesBody = {
  sources: Type.Optional(
    Type.Union(sourcesField.anyOf, {
      description:
        'The records for which it is: `{"ids": […]}`, `{"labels": {…}}`, or null for all of the account, now and later.',
    }),
  ),
};

/** @throws ApiError validation_failed, with each record that the account does not have */
export async function readSources(
  ctx: Context,
  sources: Static<typeof sourcesField>,
): Promise<SelectedRecords> {
  if (sources?.labels !== undefined) return { selects: 'labels', labels: sources.labels };
  if (sources?.ids === undefined) return { selects: 'all' };
  const { ids } = sources;
  const unknown = new Set(await listUnknownRecords(ctx.db, ctx.principal.accountId, ids));
  if (unknown.size === 0) return { selects: 'list', recordIds: ids };
  const detail = 'is not the id of a record of this account';
  const errors = ids.flatMap((id, at) =>
    unknown.has(id) ? { pointer: `/sources/ids/${at}`, code: 'invalid_value', detail } : [],
  );
  throw new ApiError('validation_failed', `${errors[0]?.pointer} ${detail}`, { errors });
}
