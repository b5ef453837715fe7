// Rules for columns in requests and answers.
import { type Static, Type } from 'typebox';
import {
  type ColumnRule,
  type ColumnRules,
  NORMAL_FORMS,
  VALUE_KINDS,
} from '../../core/delta/rules/column-rules.ts';
import { TOLERANCE } from '../../core/delta/rules/tolerance.ts';
import type { FieldError } from '../../core/errors.ts';
import { escapePointer } from '../http/field-errors.ts';

const ruleSchema = Type.Object(
  {
    as: Type.Optional(
      Type.Enum([...VALUE_KINDS], {
        description: '`number`: 1.10 is 1.1. `date`: two ways to write one day or one instant are the same.',
      }),
    ),
    tolerance: Type.Optional(
      Type.String({
        pattern: TOLERANCE,
        description:
          'a decimal number such as `0.01`, or a percentage such as `1%`: with `as: number`, a number that is as close as ' +
          'this to the one reported last is the same',
        examples: ['0.01', '1%'],
      }),
    ),
    trim: Type.Optional(Type.Boolean({ description: 'White space at both ends does not count.' })),
    ignoreCase: Type.Optional(Type.Boolean()),
    normalize: Type.Optional(
      Type.Enum([...NORMAL_FORMS], { description: 'The Unicode form in which texts are compared.' }),
    ),
  },
  { title: 'ColumnRule', additionalProperties: false, minProperties: 1 },
);

const MAX_RULES = 200;

/** By column. */
export const rulesField = Type.Unsafe<Readonly<Record<string, Static<typeof ruleSchema>>>>(
  Type.Object(
    {},
    {
      additionalProperties: ruleSchema,
      maxProperties: MAX_RULES,
      description: 'By column: when two values of it are the same. All rules at once; `{}` removes them.',
      examples: [{ price: { as: 'number' }, name: { trim: true, ignoreCase: true } }],
    },
  ),
);

export const shownRules = Type.Unsafe<Readonly<Record<string, Static<typeof ruleSchema>>>>(
  Type.Object(
    {},
    { additionalProperties: ruleSchema, description: 'By column: when two values of it are the same.' },
  ),
);

/** As for fields of requests that name a column. */
const COLUMN = /^[^\0\p{Cs}]{1,1000}$/u;

/** Faults that a schema cannot express. @param keyFields that are given, or will be */
export const ruleFaults = (rules: ColumnRules, keyFields: readonly string[]): FieldError[] =>
  Object.entries(rules).flatMap(([column, rule]) => {
    const fault = faultOf(column, rule, keyFields);
    if (fault === undefined) return [];
    const [member, detail] = fault;
    return [{ pointer: `/rules/${escapePointer(column)}${member}`, code: 'invalid_value', detail }];
  });

function faultOf(
  column: string,
  { as: kind, tolerance }: ColumnRule,
  keyFields: readonly string[],
): [member: string, detail: string] | undefined {
  if (!COLUMN.test(column)) return ['', 'must be the name of a column, of at most 1,000 characters'];
  if (keyFields.includes(column)) return ['', 'is a key field, whose values are always compared exactly'];
  const isOfNumber = tolerance === undefined || kind === 'number';
  return isOfNumber ? undefined : ['/tolerance', 'needs `as: number` beside it'];
}
