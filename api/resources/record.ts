// A record in responses.
import { type Static, Type } from 'typebox';
import type { EndedWebhook } from '../../db/webhooks/ended-webhooks.ts';
import { labelsSchema, presentLabels } from './labels.ts';
import { shownRules } from '../input/column-rules.ts';
import { originAnswerSchema } from './check.ts';
import { checkErrorSchema, nullable, presentCheckError, time } from './shapes.ts';
import { DATA_FORMATS, type Dialect, headerRowOf, QUOTINGS } from '../../core/delta/model.ts';
import { PAIRINGS } from '../../core/delta/pair-similar.ts';
import { isRekeyDue, startsOver } from '../../core/generation.ts';
import { AUTH_TYPES } from '../../core/source-credentials.ts';
import type { TrackedRecord } from '../../db/records/records.ts';

export const noticeSchema = Type.Object(
  {
    code: Type.Enum(['webhook_disabled']),
    detail: Type.String(),
    webhookId: Type.String(),
    at: nullable(time),
  },
  {
    title: 'Notice',
    description: 'A webhook was disabled: its endpoint asked for it, or only failed.',
  },
);

export function presentNotice({ id, disabledReason, disabledAt }: EndedWebhook): Static<typeof noticeSchema> {
  return {
    code: 'webhook_disabled',
    detail: disabledReason,
    webhookId: id,
    at: disabledAt?.toISOString() ?? null,
  };
}

export const recordSchema = Type.Object(
  {
    id: Type.String(),
    slug: Type.String(),
    name: Type.String(),
    url: Type.String(),
    tier: Type.Enum(['anonymous', 'free', 'watch', 'max']),
    status: Type.Enum(['active', 'paused']),
    format: nullable(Type.Enum([...DATA_FORMATS])),
    delimiter: nullable(Type.String()),
    rowsPath: nullable(Type.String()),
    headerRow: nullable(Type.Integer({ description: 'From 1; 0: none.' })),
    quoting: Type.Enum([...QUOTINGS]),
    keyFields: nullable(Type.Array(Type.String())),
    keySource: nullable(Type.Enum(['given', 'detected'])),
    keyEvidence: Type.Unknown({
      description: 'Why these were detected; null if given.',
    }),
    ignoreFields: Type.Array(Type.String()),
    rules: shownRules,
    pairing: nullable(Type.Enum([...PAIRINGS])),
    quietHours: nullable(Type.Integer()),
    isRekeyPending: Type.Boolean({ description: 'Still stored under the old rule.' }),
    checkIntervalMinutes: Type.Number(),
    labels: labelsSchema,
    auth: Type.Object(
      { type: Type.Enum([...AUTH_TYPES]), configured: Type.Boolean() },
      { description: 'How it authenticates to its origin. Values are never shown.' },
    ),
    lastCheckedAt: nullable(time),
    nextCheckAt: nullable(time),
    lastOutcome: nullable(Type.Enum(['changed', 'unchanged', 'held', 'failed'])),
    isBaseline: Type.Boolean(),
    lastError: checkErrorSchema,
    heldCheckId: nullable(Type.String({ description: 'The check that waits for a decision.' })),
    consecutiveFailures: Type.Integer(),
    failingSince: nullable({ ...time, description: 'The first failed check since the last good one.' }),
    latestSnapshotId: nullable(Type.String()),
    totalRows: nullable(Type.Integer()),
    createdAt: time,
    lastChangeAt: Type.Optional(
      Type.Union([time, Type.Null()], {
        description: 'When rows last changed, if a stored event has changes. In lists and for one record.',
      }),
    ),
    originAnswer: Type.Optional({
      ...originAnswerSchema,
      description: 'Of the last failed check, while the record is failing. Only for one record.',
    }),
    notices: Type.Optional(Type.Array(noticeSchema, { description: 'Newest first. Only for one record.' })),
  },
  { title: 'Record' },
);

export function presentRecord(record: TrackedRecord): Static<typeof recordSchema> {
  // Checks store a Dialect here; null before the first successful check. It says nothing about other settings.
  const found =
    record.dialectVersion === record.headDialectVersion ? (record.dialect as Dialect | null) : null;
  return {
    id: record.id,
    slug: record.slug,
    name: record.name,
    url: record.url,
    tier: record.tier,
    status: record.status,
    format: found?.format ?? record.format,
    delimiter: found?.delimiter ?? record.delimiter,
    rowsPath: found?.rowsPath ?? record.rowsPath,
    headerRow: found === null || isRekeyPending(record) ? record.headerRow : headerRowOf(found),
    quoting: record.quoting,
    ...presentKey(record),
    ignoreFields: record.ignoreFields,
    rules: record.rules,
    pairing: record.pairing,
    quietHours: record.quietHours,
    isRekeyPending: isRekeyPending(record),
    checkIntervalMinutes: record.checkIntervalSeconds / 60,
    labels: presentLabels(record.labels),
    auth: { type: record.authType, configured: record.authType !== 'none' },
    lastCheckedAt: record.lastCheckedAt?.toISOString() ?? null,
    nextCheckAt: record.status === 'paused' ? null : (record.nextCheckAt?.toISOString() ?? null),
    lastOutcome: record.lastOutcome,
    isBaseline: record.isBaseline,
    lastError: presentCheckError(record.lastErrorCode, record.lastErrorDetail),
    // An accepted check only waits for a worker, not for a decision.
    heldCheckId: record.isHeldAccepted ? null : record.heldCheckId,
    consecutiveFailures: record.consecutiveFailures,
    // A held check ends the failures, but is not a good one.
    failingSince: record.consecutiveFailures === 0 ? null : (record.failingSince?.toISOString() ?? null),
    latestSnapshotId: record.snapshotId,
    totalRows: record.snapshotId === null ? null : record.totalRows,
    createdAt: record.createdAt.toISOString(),
  };
}

export const isRekeyPending = (record: TrackedRecord): boolean => isRekeyDue(record) || startsOver(record);

/** The given or detected key fields; null until they are detected. */
function presentKey(record: TrackedRecord) {
  const { keyFields, keySource, headKeyFields, keyEvidence } = record;
  if (keyFields !== null) return { keyFields, keySource: 'given' as const, keyEvidence: null };
  if (keySource !== 'detected' || isRekeyPending(record)) {
    return { keyFields: null, keySource: null, keyEvidence: null };
  }
  return { keyFields: headKeyFields, keySource, keyEvidence };
}
