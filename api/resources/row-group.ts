// Groups of rows and what was found out about them, as answers show it.
import { type Static, Type } from 'typebox';
import type { RowGroup } from '../../db/rows/query-rows.ts';
import { nullable } from './shapes.ts';

export const rowGroupSchema = Type.Object(
  {
    group: Type.Unsafe<Readonly<Record<string, string | null>>>({
      type: 'object',
      additionalProperties: nullable(Type.String()),
      description: 'The group’s values by column, as text; null for missing and null.',
    }),
    values: Type.Unsafe<Readonly<Record<string, number | string | null>>>({
      type: 'object',
      additionalProperties: Type.Union([Type.Integer(), Type.String(), Type.Null()]),
      description:
        'Measures by name: counts are integers, the others text with every digit, or null where there is no value.',
    }),
  },
  { title: 'RowGroup' },
);

/** Object.fromEntries, because a column may be called __proto__. */
export function presentGroup(
  { group, measures }: RowGroup,
  columns: readonly string[],
  names: readonly string[],
): Static<typeof rowGroupSchema> {
  return {
    group: Object.fromEntries(columns.map((column, at) => [column, group[at] ?? null])),
    values: Object.fromEntries(names.map((name, at) => [name, measures[at] ?? null])),
  };
}
