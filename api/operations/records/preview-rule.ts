// Previews how the stored body would be read under other key fields, ignored fields, rules or header row or quoting.
import { type Static, Type } from 'typebox';
import {
  askPreview,
  type PreviewedRule,
  type PreviewResult,
  takePreview,
} from '../../../db/records/rule-previews.ts';
import { warningSchema } from '../../resources/check.ts';
import { checkErrorSchema, nullable } from '../../resources/shapes.ts';
import { ApiError } from '../../../core/errors.ts';
import { rulesField, shownRules } from '../../input/column-rules.ts';
import { headerRowField, quotingField, recordParams } from '../../input/fields.ts';
import { tidyRules } from '../../../core/delta/rules/column-rules.ts';
import { getRecord } from '../../access/find-named.ts';
import { newId } from '../../contract/new-id.ts';
import { defineOperation } from '../../contract/operation.ts';
import { validateSettings, ignoreFieldsField, keyFieldsField } from '../../records/record-settings.ts';
import { takeReread } from '../../access/usage-limits.ts';
import { callerShare } from '../../capacity/capacity.ts';

export const previewSchema = Type.Object(
  {
    sourceId: Type.String(),
    keyFields: nullable(Type.Array(Type.String(), { description: 'Empty: a row’s content is its key.' })),
    keySource: Type.Enum(['given', 'detected']),
    keyEvidence: Type.Unknown({
      description: 'Why these key fields were detected; null when they were given.',
    }),
    ignoreFields: Type.Array(Type.String()),
    rules: shownRules,
    headerRow: nullable(
      Type.Integer({
        description: 'The line of the header.',
      }),
    ),
    quoting: quotingField,
    columns: nullable(
      Type.Array(Type.String(), { description: 'The columns that rows would be stored with.' }),
    ),
    rowCount: nullable(Type.Integer({ description: 'Rows in the body.' })),
    totalRows: nullable(
      Type.Integer({
        description: 'Rows after removing repeated keys: of rows with the same key, the last one counts.',
      }),
    ),
    warnings: Type.Array(warningSchema),
    error: checkErrorSchema,
  },
  { title: 'RulePreview' },
);

function presentPreview(
  sourceId: string,
  rule: PreviewedRule,
  result: Exclude<PreviewResult, { kind: 'too-slow' }>,
): Static<typeof previewSchema> {
  const { ignoreFields, rules } = rule;
  const keySource = rule.keyFields === null ? 'detected' : 'given';
  if (result.kind === 'failed') {
    const { code, detail } = result;
    const nothing = { keyEvidence: null, columns: null, rowCount: null, totalRows: null, warnings: [] };
    return {
      sourceId,
      keyFields: rule.keyFields,
      keySource,
      ignoreFields,
      rules,
      headerRow: rule.headerRow,
      quoting: rule.quoting,
      ...nothing,
      error: { code, detail },
    };
  }
  const { kind: _kind, quoting = 'double', ...read } = result;
  const repeated = read.warnings.find(({ code }) => code === 'duplicate_key')?.count ?? 0;
  return {
    sourceId,
    ...read,
    quoting,
    keySource,
    ignoreFields,
    rules,
    totalRows: read.rowCount - repeated,
    error: null,
  };
}

export const previewRule = defineOperation({
  name: 'previewRule',
  audit: null,
  tag: 'Records',
  scope: 'full',
  alwaysWaits: true,
  errors: ['conflict', 'rate_limited', 'query_too_expensive'],
  summary: 'Preview other key or ignored fields, rules, another header line or quoting, on the latest body',
  description:
    'Reads the stored body; sends nothing to the origin and changes nothing. Omitted fields are those of the record; ' +
    '`keyFields: null` and `headerRow: null` are detected from the data. Rows with a repeated key and rows with an ' +
    'empty key field are counted in `warnings` (`duplicate_key`, `empty_key`).',
  http: { method: 'POST', path: '/v1/sources/:id/preview' },
  params: recordParams,
  body: {
    keyFields: Type.Optional(nullable(keyFieldsField)),
    ignoreFields: Type.Optional(ignoreFieldsField),
    rules: Type.Optional(rulesField),
    headerRow: Type.Optional(nullable(headerRowField)),
    quoting: Type.Optional(quotingField),
  },
  output: previewSchema,
  async run(ctx, { id: _reference, ...given }) {
    const record = getRecord(ctx);
    const rule = {
      keyFields: given.keyFields === undefined ? record.keyFields : given.keyFields,
      ignoreFields: given.ignoreFields ?? record.ignoreFields,
      rules: given.rules === undefined ? record.rules : tidyRules(given.rules),
      headerRow: given.headerRow === undefined ? record.headerRow : given.headerRow,
      quoting: given.quoting ?? record.quoting,
    };
    const { keyFields, ignoreFields, rules } = rule;
    validateSettings({ keyFields: keyFields ?? [], ignoreFields, rules }, { ...ctx, tier: record.tier });
    if (record.snapshotId === null) {
      throw new ApiError('conflict', 'No check of this record has found data yet.');
    }
    await takeReread(ctx.db, record.id);
    const id = newId('rulePreview', ctx.clock());
    const result = await ctx.capacity.previews.run(callerShare(ctx.principal), async () => {
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
    'The body is too large for a preview. Download the snapshot and count there, or change the record: its rows stay ' +
      'as they are if that fails.',
  );
}
