// What other key or ignored fields would do, as answers show it.
import { type Static, Type } from 'typebox';
import type { PreviewedRule, PreviewResult } from '../../db/records/rule-previews.ts';
import { warningSchema } from './check.ts';
import { checkErrorSchema, nullable } from './shapes.ts';

export const previewSchema = Type.Object(
  {
    sourceId: Type.String(),
    keyFields: nullable(Type.Array(Type.String(), { description: 'Empty: a row’s content is its key.' })),
    keySource: Type.Enum(['given', 'detected']),
    keyEvidence: Type.Unknown({
      description: 'Why these key fields were chosen; null when they were given.',
    }),
    ignoreFields: Type.Array(Type.String()),
    headerRow: nullable(
      Type.Integer({
        description: 'The line of the header.',
      }),
    ),
    columns: nullable(Type.Array(Type.String(), { description: 'Those that rows would be stored with.' })),
    rowCount: nullable(Type.Integer({ description: 'Rows in the body.' })),
    totalRows: nullable(
      Type.Integer({ description: 'Rows that there would be: of those with the same key, the last counts.' }),
    ),
    warnings: Type.Array(warningSchema),
    error: checkErrorSchema,
  },
  { title: 'RulePreview' },
);

export function presentPreview(
  sourceId: string,
  rule: PreviewedRule,
  result: Exclude<PreviewResult, { kind: 'too-slow' }>,
): Static<typeof previewSchema> {
  const { ignoreFields } = rule;
  const keySource = rule.keyFields === null ? 'detected' : 'given';
  if (result.kind === 'failed') {
    const { code, detail } = result;
    const nothing = { keyEvidence: null, columns: null, rowCount: null, totalRows: null, warnings: [] };
    return {
      sourceId,
      keyFields: rule.keyFields,
      keySource,
      ignoreFields,
      headerRow: rule.headerRow,
      ...nothing,
      error: { code, detail },
    };
  }
  const { kind: _kind, ...read } = result;
  const repeated = read.warnings.find(({ code }) => code === 'duplicate_key')?.count ?? 0;
  return { sourceId, ...read, keySource, ignoreFields, totalRows: read.rowCount - repeated, error: null };
}
