// A check in responses, including one that was only requested.
import { type Static, Type } from 'typebox';
import { CHECK_DECISIONS, CHECK_TRIGGERS } from '../../core/checks.ts';
import type { LastAnswer } from '../../db/records/last-answer.ts';
import type { CheckDetailRow, CheckRow } from '../../db/check-log.ts';
import { checkErrorSchema, nullable, presentCheckError, time } from './shapes.ts';

export const warningSchema = Type.Object(
  {
    code: Type.String(),
    count: Type.Integer({ description: 'How often it occurred.' }),
    samples: Type.Array(Type.String(), { description: 'Some of the places.' }),
  },
  { title: 'Warning', description: 'A problem with the data that did not stop the check.' },
);

export const checkSchema = Type.Object(
  {
    id: Type.String(),
    sourceId: Type.String(),
    number: nullable(
      Type.Integer({ description: 'Counts the recorded checks; null while the check is not done.' }),
    ),
    trigger: Type.Enum([...CHECK_TRIGGERS]),
    startedAt: nullable(time),
    finishedAt: nullable(time),
    outcome: nullable(
      Type.Enum(['changed', 'unchanged', 'held', 'failed'], { description: 'null: not done yet' }),
    ),
    isBaseline: Type.Boolean({ description: 'There was nothing to compare the rows with.' }),
    httpStatus: nullable(Type.Integer()),
    bytes: nullable(Type.Integer()),
    rows: nullable(Type.Integer()),
    snapshotId: nullable(Type.String()),
    deltaEventId: nullable(Type.String()),
    error: checkErrorSchema,
    warnings: Type.Array(warningSchema),
    decision: nullable(Type.Enum([...CHECK_DECISIONS], { description: 'The decision about a held check.' })),
    decidedAt: nullable(time),
  },
  { title: 'Check' },
);

export const originAnswerSchema = nullable(
  Type.Object(
    {
      httpStatus: nullable(Type.Integer()),
      contentType: nullable(Type.String({ description: 'The media type, such as `text/html`.' })),
      url: nullable(
        Type.String({ description: 'After redirects, without a query that the record’s URL does not have.' }),
      ),
      beginning: nullable(
        Type.String({
          description: 'At most 200 characters of the body, in one line; null when it is empty or no text.',
        }),
      ),
    },
    {
      title: 'OriginAnswer',
      description:
        'What the origin sent to a failed check. A part that may contain a credential is null. Null without an answer.',
    },
  ),
);

export const presentAnswer = ({ httpStatus, answer }: LastAnswer): Static<typeof originAnswerSchema> =>
  answer === null ? null : { httpStatus, ...answer };

const firstKeys = (which: string) =>
  Type.Array(Type.String(), { description: `The first 20 row keys of ${which} rows.` });

export const checkDetailSchema = Type.Object(
  {
    ...checkSchema.properties,
    originAnswer: originAnswerSchema,
    heldChanges: nullable(
      Type.Object(
        {
          newCount: Type.Integer(),
          changedCount: Type.Integer(),
          deletedCount: Type.Integer(),
          totalCount: Type.Integer({ description: 'Rows in the held body.' }),
          newKeys: firstKeys('new'),
          changedKeys: firstKeys('changed'),
          deletedKeys: firstKeys('deleted'),
        },
        {
          title: 'HeldChanges',
          description: 'What a held check would have recorded, compared with the snapshot at that time.',
        },
      ),
    ),
  },
  { title: 'CheckDetail' },
);

export const presentCheckDetail = (check: CheckDetailRow): Static<typeof checkDetailSchema> => ({
  ...presentCheck(check),
  originAnswer: presentAnswer(check),
  heldChanges: check.heldChanges,
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
    isBaseline: check.isBaseline,
    httpStatus: check.httpStatus,
    bytes: check.bytes,
    rows: check.rows,
    snapshotId: check.snapshotId,
    deltaEventId: check.deltaEventId,
    error: presentCheckError(check.errorCode, check.errorDetail),
    warnings: check.warnings,
    decision: check.decision,
    decidedAt: check.decidedAt?.toISOString() ?? null,
  };
}

/** A requested check that is not finished. */
export function presentPendingCheck(id: string, sourceId: string): Static<typeof checkSchema> {
  return {
    id,
    sourceId,
    number: null,
    trigger: 'manual',
    startedAt: null,
    finishedAt: null,
    outcome: null,
    isBaseline: false,
    httpStatus: null,
    bytes: null,
    rows: null,
    snapshotId: null,
    deltaEventId: null,
    error: null,
    warnings: [],
    decision: null,
    decidedAt: null,
  };
}
