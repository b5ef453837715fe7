// POST /v1/sources/:id/preview
import { Type } from 'typebox';
import { ApiError } from '../../../core/errors.ts';
import { askPreview, type PreviewResult, takePreview } from '../../../db/records/rule-previews.ts';
import { headerRowField, recordParams } from '../../input/fields.ts';
import { getRecord } from '../../access/get-record.ts';
import { newId } from '../../contract/new-id.ts';
import { defineOperation } from '../../contract/operation.ts';
import { ignoreFieldsField, keyFieldsField } from '../../records/record-body.ts';
import { checkSettings } from '../../records/record-rules.ts';
import { takeReread } from '../../capacity/reread-limit.ts';
import { presentPreview, previewSchema } from '../../resources/rule-preview.ts';
import { nullable } from '../../resources/shapes.ts';
import { shareOf } from '../../capacity/capacity.ts';

export const previewRule = defineOperation({
  name: 'previewRule',
  tag: 'Records',
  scope: 'full',
  errors: ['conflict', 'rate_limited', 'query_too_expensive'],
  summary: 'See what other key or ignored fields, or another header, would do with the latest body',
  description:
    'Reads the stored body, asks the origin for nothing and changes nothing. Fields that are left out are those of the record; `keyFields: null` and `headerRow: null` have them found in the data. Rows with a key that an earlier row had, and rows in which a key field is empty, are in `warnings` (`duplicate_key`, `empty_key`).',
  http: { method: 'POST', path: '/v1/sources/:id/preview' },
  params: recordParams,
  body: {
    keyFields: Type.Optional(nullable(keyFieldsField)),
    ignoreFields: Type.Optional(ignoreFieldsField),
    headerRow: Type.Optional(nullable(headerRowField)),
  },
  output: previewSchema,
  async run(ctx, { id: _reference, ...given }) {
    const record = getRecord(ctx);
    const rule = {
      keyFields: given.keyFields === undefined ? record.keyFields : given.keyFields,
      ignoreFields: given.ignoreFields ?? record.ignoreFields,
      headerRow: given.headerRow === undefined ? record.headerRow : given.headerRow,
    };
    const { keyFields, ignoreFields } = rule;
    checkSettings({ keyFields: keyFields ?? [], ignoreFields }, { ...ctx, tier: record.tier });
    if (record.snapshotId === null) {
      throw new ApiError('conflict', 'No check of this record has found data yet.');
    }
    await takeReread(ctx.db, record.id);
    const id = newId('rulePreview', ctx.clock());
    const result = await ctx.capacity.previews.run(shareOf(ctx.principal), async () => {
      await askPreview(ctx.db, id, record.id, rule);
      await ctx.temporal.previewRule(id);
      return takePreview(ctx.db, id);
    });
    return presentPreview(record.id, rule, answered(result));
  },
});

/** @throws ApiError */
function answered(result: PreviewResult | undefined): Exclude<PreviewResult, { kind: 'too-slow' }> {
  if (result === undefined) throw new ApiError('conflict', 'The record is being deleted.');
  if (result.kind !== 'too-slow') return result;
  throw new ApiError(
    'query_too_expensive',
    'The body is too large to be read while you wait. Download the snapshot and count there, or change the record: its rows stay as they are if that fails.',
  );
}
