// POST /v1/previews: what a record would watch, before it exists.
import { type Static, Type } from 'typebox';
import { FORMATS } from '../../../core/checks.ts';
import { NO_RULES } from '../../../core/delta/rules/column-rules.ts';
import { ApiError } from '../../../core/errors.ts';
import { requireAccount } from '../../../db/accounts/accounts.ts';
import {
  askRecordPreview,
  type PreviewedSettings,
  type RecordPreviewResult,
  popRecordPreview,
} from '../../../db/records/record-previews.ts';
import { takeRecordPreview } from '../../access/usage-limits.ts';
import { callerShare } from '../../capacity/capacity.ts';
import { newId } from '../../contract/new-id.ts';
import { defineOperation } from '../../contract/operation.ts';
import { rawJson, rowDataSchema } from '../../http/json.ts';
import { shownRules } from '../../input/column-rules.ts';
import { authBody, readNewRecord, rowsBody } from '../../records/record-settings.ts';
import { sealCredentials } from '../../records/seal-credentials.ts';
import { warningSchema } from '../../resources/check.ts';
import { checkErrorSchema, nullable } from '../../resources/shapes.ts';
import { pairingField, quotingField, urlField } from '../../input/fields.ts';
import { FIRST_TIER } from './create-record.ts';

const firstRow = Type.Object({ key: Type.String(), data: rowDataSchema }, { title: 'PreviewedRow' });

const recordPreviewSchema = Type.Object(
  {
    url: Type.String(),
    format: nullable(Type.Enum([...FORMATS])),
    delimiter: nullable(Type.String()),
    rowsPath: nullable(Type.String()),
    headerRow: nullable(Type.Integer({ description: 'The line of the header.' })),
    quoting: quotingField,
    keyFields: nullable(Type.Array(Type.String(), { description: 'Empty: a row’s content is its key.' })),
    keySource: Type.Enum(['given', 'detected']),
    keyEvidence: Type.Unknown({
      description: 'Why these key fields were detected; null when they were given.',
    }),
    ignoreFields: Type.Array(Type.String()),
    rules: shownRules,
    pairing: nullable(pairingField),
    columns: nullable(Type.Array(Type.String())),
    rowCount: nullable(Type.Integer({ description: 'Rows in the body.' })),
    totalRows: nullable(
      Type.Integer({
        description: 'Rows after removing repeated keys: of rows with the same key, the last one counts.',
      }),
    ),
    sizeBytes: nullable(Type.Integer({ description: 'Size of the body, decompressed.' })),
    rows: Type.Array(firstRow, {
      description: 'The first rows of the body: at most 10, and 256 KiB of more than one.',
    }),
    warnings: Type.Array(warningSchema),
    error: checkErrorSchema,
  },
  { title: 'RecordPreview' },
);

/** The settings that were given, and what was found with them. */
function presentRecordPreview(
  settings: PreviewedSettings,
  result: Exclude<RecordPreviewResult, { kind: 'too-slow' }>,
): Static<typeof recordPreviewSchema> {
  const { url, format, delimiter, rowsPath, headerRow, quoting, keyFields, ignoreFields, rules, pairing } =
    settings;
  const given = {
    url,
    format,
    delimiter,
    rowsPath,
    headerRow,
    quoting,
    keyFields,
    keySource: keyFields === null ? ('detected' as const) : ('given' as const),
    ignoreFields,
    rules,
    pairing,
  };
  if (result.kind === 'failed') {
    const { code, detail } = result;
    const nothing = { keyEvidence: null, columns: null, rowCount: null, totalRows: null, sizeBytes: null };
    return { ...given, ...nothing, rows: [], warnings: [], error: { code, detail } };
  }
  const { kind: _kind, rows, quoting: quotingRead = 'double', ...read } = result;
  const repeated = read.warnings.find(({ code }) => code === 'duplicate_key')?.count ?? 0;
  return {
    ...given,
    ...read,
    quoting: quotingRead,
    totalRows: read.rowCount - repeated,
    rows: rows.map(({ key, data }) => ({ key, data: rawJson(data) })),
    error: null,
  };
}

export const previewRecord = defineOperation({
  name: 'previewRecord',
  audit: null,
  tag: 'Records',
  scope: 'full',
  accountOnly: true,
  alwaysWaits: true,
  errors: ['url_not_allowed', 'rate_limited', 'query_too_expensive', 'unavailable'],
  // Rows of the origin are not kept for a day with an Idempotency-Key.
  secrets: ['rows'],
  summary: 'Preview a new record: fetch its URL once, without creating it',
  description:
    'Sends one request to the origin and reads the body as the first check of a new record would. Nothing is kept. If the ' +
    'check would fail, `error` says why. Send the same settings to `POST /v1/sources` to create the record. An account gets ' +
    '60 previews an hour.',
  http: { method: 'POST', path: '/v1/previews' },
  body: { url: urlField, ...rowsBody, ...authBody },
  output: recordPreviewSchema,
  async run(ctx, given) {
    const { db, principal } = ctx;
    const settings = settingsOf(readNewRecord(given, ctx, FIRST_TIER));
    await takeRecordPreview(db, principal.accountId);
    const id = newId('recordPreview', ctx.clock());
    const owner = await requireAccount(db, principal.accountId);
    const credentials = sealCredentials(ctx.config, owner, { id, url: settings.url }, given);
    const result = await ctx.capacity.previews.run(callerShare(principal), async () => {
      await askRecordPreview(db, id, owner.id, { settings, sealed: credentials?.sealed ?? null });
      await ctx.temporal.previewRecord(id).catch(async (error: unknown) => {
        await popRecordPreview(db, id);
        throw error;
      });
      return popRecordPreview(db, id);
    });
    return presentRecordPreview(settings, answered(result));
  },
});

const settingsOf = ({
  url,
  tier,
  authType = 'none',
  format,
  delimiter,
  rowsPath,
  headerRow = null,
  quoting = 'double',
  keyFields,
  ignoreFields,
  rules = NO_RULES,
  pairing = null,
}: ReturnType<typeof readNewRecord>): PreviewedSettings => ({
  url,
  tier,
  authType,
  format,
  delimiter,
  rowsPath,
  headerRow,
  quoting,
  keyFields,
  ignoreFields,
  rules,
  pairing,
});

/** @throws ApiError */
function answered(
  result: RecordPreviewResult | undefined,
): Exclude<RecordPreviewResult, { kind: 'too-slow' }> {
  if (result === undefined) throw new ApiError('unavailable', 'No worker answered. Try again later.');
  if (result.kind !== 'too-slow') return result;
  throw new ApiError(
    'query_too_expensive',
    'The data could not be fetched and read within 20 seconds. Create the record without a preview: its checks have more time.',
  );
}
