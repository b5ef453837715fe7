// The profile of a snapshot's columns, in responses.
import { type Static, Type } from 'typebox';
import type { ColumnProfile } from '../../db/rows/profile-rows.ts';
import { nullable } from './shapes.ts';

const TYPES = ['empty', 'integer', 'number', 'boolean', 'date', 'text', 'mixed'] as const;
type ColumnType = (typeof TYPES)[number];

const SHORT = 'truncated after 200 characters';

export const columnProfileSchema = Type.Object(
  {
    column: Type.String(),
    type: Type.Enum([...TYPES], {
      description:
        'What all values are: `integer` and `number` are plain numbers, `boolean` is true or false, `date` an ISO ' +
        '8601 date or time; `text` is anything else, `mixed` several kinds, `empty` no value at all.',
    }),
    filled: Type.Integer({ description: 'Rows in which it is not missing, null or empty.' }),
    distinct: Type.Integer({ description: 'Distinct values; 1.0 and 1.00 are two.' }),
    minimum: nullable(
      Type.String({
        description: `The minimum of numbers, as text with all digits, otherwise the first text, ${SHORT}.`,
      }),
    ),
    maximum: nullable(
      Type.String({ description: `The maximum of numbers, as text, otherwise the last text, ${SHORT}.` }),
    ),
    samples: Type.Array(Type.String(), { description: `Up to five, the most frequent first, ${SHORT}.` }),
  },
  { title: 'ColumnProfile' },
);

const UNFILLED = {
  type: 'empty',
  filled: 0,
  distinct: 0,
  minimum: null,
  maximum: null,
  samples: [],
} as const;

export function presentColumnProfile(
  column: string,
  profile: ColumnProfile | undefined,
): Static<typeof columnProfileSchema> {
  if (profile === undefined) return { column, ...UNFILLED, samples: [] };
  const { filled, distinct, samples } = profile;
  const type = typeOf(profile);
  const isNumeric = type === 'integer' || type === 'number';
  const [minimum, maximum] = isNumeric
    ? [profile.minimumNumber, profile.maximumNumber]
    : [profile.minimumText, profile.maximumText];
  return { column, type, filled, distinct, minimum, maximum, samples };
}

function typeOf({ distinct, integers, numbers, booleans, dates, texts }: ColumnProfile): ColumnType {
  if (integers === distinct) return 'integer';
  if (integers + numbers === distinct) return 'number';
  if (booleans === distinct) return 'boolean';
  if (dates === distinct) return 'date';
  return texts === distinct ? 'text' : 'mixed';
}
