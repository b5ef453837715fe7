// A query over a snapshot's rows in a request body: validates it and converts it for the database.
import { type Static, Type } from 'typebox';
import { ApiError, type FieldError } from '../../core/errors.ts';
import type { Measure, RowQuery, Sorting } from '../../db/rows/query-rows.ts';
import { columnsOf, filterField, type NamedColumn, readSelection, searchField } from './row-selection.ts';

const LIMITS = { fallback: 100, max: 1_000 } as const;

const measureSchema = Type.Object(
  {
    measure: Type.Enum(['count', 'distinct', 'min', 'max', 'avg', 'sum']),
    column: Type.Optional(Type.String({ description: 'Required, except for `count`, which counts rows.' })),
    as: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Its name in the response; by default `sum(price)` and so on.',
      }),
    ),
  },
  { additionalProperties: false },
);

const sortingSchema = Type.Object(
  {
    by: Type.String({ description: 'The name of a measure, or a column of `groupBy`.' }),
    direction: Type.Optional(Type.Enum(['asc', 'desc'], { description: '`asc` by default.' })),
  },
  { additionalProperties: false },
);

export const rowQueryBody = {
  filter: Type.Optional(filterField),
  search: Type.Optional(searchField),
  groupBy: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 5,
      uniqueItems: true,
      description:
        'Columns. Rows with the same values in them form a group. By default all rows are one group.',
      examples: [['brand']],
    }),
  ),
  measures: Type.Optional(
    Type.Array(measureSchema, {
      minItems: 1,
      maxItems: 20,
      description: 'What to compute for each group; by default its number of rows.',
      examples: [[{ measure: 'count' }, { measure: 'avg', column: 'price' }]],
    }),
  ),
  orderBy: Type.Optional(
    Type.Array(sortingSchema, { maxItems: 5, description: 'By the columns of `groupBy` by default.' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Number of groups: 100 by default, 1,000 at most (more counts as 1,000).',
    }),
  ),
};

const bodySchema = Type.Object(rowQueryBody);
type Body = Static<typeof bodySchema>;

export interface AskedRows extends RowQuery {
  /** The names of the measures in the response. */
  names: string[];
  /** Every column that the query names, and where. */
  columns: NamedColumn[];
}

/** @throws ApiError validation_failed, with every error */
export function readRowQuery({ measures: asked = [{ measure: 'count' }], ...body }: Body): AskedRows {
  const { groupBy = [], orderBy = [], limit = LIMITS.fallback, ...selected } = body;
  const selection = readSelection(selected);
  const names = asked.map(nameOf);
  const faults = [
    ...asked.flatMap(({ measure, column }, at) =>
      column === undefined && measure !== 'count'
        ? [fault(`/measures/${at}/column`, 'required', 'is required for every measure but count')]
        : [],
    ),
    ...names.flatMap((name, at) =>
      names.indexOf(name) === at
        ? []
        : [fault(`/measures/${at}/as`, 'invalid_value', `is also the name of an earlier measure: ${name}`)],
    ),
  ];
  const order = orderBy.flatMap(({ by, direction = 'asc' }, at) => {
    const sorting = sortingOf(by, direction, names, groupBy);
    if (sorting === undefined) faults.push(fault(`/orderBy/${at}/by`, 'invalid_value', UNKNOWN_ORDER));
    return sorting ?? [];
  });
  refuse(faults);
  // Each measure but count has a column; the others were refused.
  const measures = asked.map(({ measure, column = null }) => ({ measure, column }) as Measure);
  const columns = [
    ...columnsOf(selection, 'body'),
    ...groupBy.map((column, at) => ({ pointer: `/groupBy/${at}`, column })),
    ...measures.flatMap(({ column }, at) =>
      column === null ? [] : [{ pointer: `/measures/${at}/column`, column }],
    ),
  ];
  return { selection, groupBy, measures, order, limit: Math.min(limit, LIMITS.max), names, columns };
}

const UNKNOWN_ORDER = 'must be the name of a measure or a column of groupBy';

const nameOf = ({ measure, column, as }: Static<typeof measureSchema>): string =>
  as ?? (column === undefined ? measure : `${measure}(${column})`);

function sortingOf(
  by: string,
  direction: Sorting['direction'],
  names: readonly string[],
  groupBy: readonly string[],
): Sorting | undefined {
  if (names.includes(by)) return { by: 'measure', index: names.indexOf(by), direction };
  return groupBy.includes(by) ? { by: 'group', index: groupBy.indexOf(by), direction } : undefined;
}

const fault = (pointer: string, code: string, detail: string): FieldError => ({ pointer, code, detail });

function refuse(errors: FieldError[]): void {
  const [first] = errors;
  if (first === undefined) return;
  throw new ApiError('validation_failed', `${first.pointer} ${first.detail}.`, { errors });
}
