// A check as answers show it, also one that is only asked for.
import { type Static, Type } from 'typebox';
import { CHECK_TRIGGERS } from '../../core/checks.ts';
import type { CheckRow } from '../../db/checks.ts';
import { checkErrorSchema, nullable, presentCheckError, time } from './shapes.ts';

export const checkSchema = Type.Object({
  id: Type.String(),
  sourceId: Type.String(),
  number: nullable(Type.Integer()),
  trigger: Type.Enum([...CHECK_TRIGGERS]),
  startedAt: nullable(time),
  finishedAt: nullable(time),
  outcome: nullable(
    Type.Enum(['changed', 'unchanged', 'held', 'failed'], { description: 'null: not done yet' }),
  ),
  httpStatus: nullable(Type.Integer()),
  bytes: nullable(Type.Integer()),
  rows: nullable(Type.Integer()),
  snapshotId: nullable(Type.String()),
  deltaEventId: nullable(Type.String()),
  error: checkErrorSchema,
  warnings: Type.Array(
    Type.Object({ code: Type.String(), count: Type.Integer(), samples: Type.Array(Type.String()) }),
  ),
});

export function presentCheck(check: CheckRow): Static<typeof checkSchema> {
  return {
    id: check.id,
    sourceId: check.recordId,
    number: check.number,
    trigger: check.trigger,
    startedAt: check.startedAt.toISOString(),
    finishedAt: check.finishedAt.toISOString(),
    outcome: check.outcome,
    httpStatus: check.httpStatus,
    bytes: check.bytes,
    rows: check.rows,
    snapshotId: check.snapshotId,
    deltaEventId: check.deltaEventId,
    error: presentCheckError(check.errorCode, check.errorDetail),
    warnings: check.warnings,
  };
}

/** A check that a worker has promised and not finished. */
export function presentPendingCheck(id: string, sourceId: string): Static<typeof checkSchema> {
  return {
    id,
    sourceId,
    number: null,
    trigger: 'manual',
    startedAt: null,
    finishedAt: null,
    outcome: null,
    httpStatus: null,
    bytes: null,
    rows: null,
    snapshotId: null,
    deltaEventId: null,
    error: null,
    warnings: [],
  };
}
