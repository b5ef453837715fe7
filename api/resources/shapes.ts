// Parts of response schemas.
import { type TSchema, Type } from 'typebox';
import { CHECK_ERRORS } from '../../core/errors.ts';

/** UTC with milliseconds. */
export const time = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
  format: 'date-time',
  examples: ['2026-03-02T09:00:04.512Z'],
});

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** Why a check failed or was held. docs/errors.md lists the codes. */
export const checkErrorSchema = nullable(
  Type.Object(
    { code: Type.Enum(Object.keys(CHECK_ERRORS)), detail: Type.String() },
    { title: 'CheckError', description: 'Why a check failed or was held.' },
  ),
);

export function presentCheckError(code: string | null, detail: string | null) {
  return code === null ? null : { code, detail: detail ?? '' };
}
