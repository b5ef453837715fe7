// Which rows of a snapshot a caller selects: parameters of a query string, or members of a body.
import { type Static, Type } from 'typebox';
import { ApiError, type FieldError } from '../../core/errors.ts';
import type { RowFilter, RowSelection } from '../../db/rows/row-filters.ts';
import { escapePointer } from '../http/field-errors.ts';
import { invalidParameter } from '../contract/errors.ts';

const MAX_COLUMNS_TOLD = 50;

/** Text that a row can contain. */
const cellText = Type.String({
  maxLength: 1_000,
  pattern: '^[^\\u0000\\p{Cs}]*$',
  description: 'text without NUL, of at most 1,000 characters',
});

const operatorsSchema = Type.Object(
  {
    eq: Type.Optional(cellText),
    ne: Type.Optional(cellText),
    gt: Type.Optional(cellText),
    gte: Type.Optional(cellText),
    lt: Type.Optional(cellText),
    lte: Type.Optional(cellText),
    contains: Type.Optional(cellText),
    startsWith: Type.Optional(cellText),
    in: Type.Optional(Type.Array(cellText, { minItems: 1, maxItems: 100 })),
    exists: Type.Optional(Type.Boolean()),
    empty: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

/** Operators by column. All must hold. */
export const filterField = Type.Unsafe<Readonly<Record<string, Static<typeof operatorsSchema>>>>(
  Type.Object(
    {},
    {
      additionalProperties: operatorsSchema,
      maxProperties: 10,
      description:
        'Operators by column, all of which must hold: `filter[price][gt]=10`. `eq`, `ne`, `in` (repeated for each ' +
        'value), `contains` and `startsWith` compare text exactly. `gt`, `gte`, `lt` and `lte` compare plain numbers ' +
        'exactly as numbers, and everything else as text, byte by byte; they never match an empty cell. `exists`: ' +
        'the row has the column. `empty`: its value is missing, null or empty.',
      examples: [{ price: { gt: '10' } }],
    },
  ),
);

export const searchField = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000\\p{Cs}]*$',
  description:
    'text without NUL, of 1 to 200 characters: rows with it in a value or in the key, ignoring case',
});

/** In a query string. */
export const selectionQuery = {
  search: Type.Optional(searchField),
  field: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 20,
      description: 'With `search`: search only in this column. Up to 20 times.',
    }),
  ),
  filter: Type.Optional(filterField),
};

interface Asked {
  search?: string;
  field?: readonly string[];
  filter?: Static<typeof filterField>;
}

/** @throws ApiError invalid_parameter for `field` without `search` */
export function readSelection({ search, field = [], filter = {} }: Asked): RowSelection {
  if (search === undefined && field.length > 0) {
    throw invalidParameter('field', 'needs `search`, because it says where to search');
  }
  const filters = Object.entries(filter).flatMap(([column, operators]) =>
    // The schema has checked the type of each operator's value.
    Object.entries(operators).map(([operator, value]) => ({ column, operator, value }) as RowFilter),
  );
  return { search: search ?? null, searchColumns: field, filters: filters.toSorted(bySortKey) };
}

/** The order of filters has no meaning, so a cursor works with any order. */
const bySortKey = (left: RowFilter, right: RowFilter): number =>
  sortKeyOf(left) < sortKeyOf(right) ? -1 : 1;

const sortKeyOf = ({ column, operator }: RowFilter): string => JSON.stringify([column, operator]);

export const isEverything = ({ search, filters }: RowSelection): boolean =>
  search === null && filters.length === 0;

/** Where a request names a column: the name of a parameter, or a JSON pointer. */
export interface NamedColumn {
  pointer: string;
  column: string;
}

/** The columns that a selection in a query string or a body names. */
export function columnsOf(
  { searchColumns, filters }: RowSelection,
  location: 'query' | 'body' = 'query',
): NamedColumn[] {
  return [
    ...searchColumns.map((column) => ({ pointer: 'field', column })),
    ...filters.map(({ column, operator }) => ({
      pointer:
        location === 'query'
          ? `filter[${column}][${operator}]`
          : `/filter/${escapePointer(column)}/${operator}`,
      column,
    })),
  ];
}

/**
 * @param of the columns that exist, and the messages given so far
 * @throws ApiError validation_failed, with every column that does not exist
 */
export function requireColumns(
  named: readonly NamedColumn[],
  columns: readonly string[],
  of: 'this snapshot; it has' | 'these two snapshots; they have' = 'this snapshot; it has',
): void {
  const known = new Set(columns);
  const told = columns.slice(0, MAX_COLUMNS_TOLD).join(', ');
  const more = columns.length > MAX_COLUMNS_TOLD ? ` and ${columns.length - MAX_COLUMNS_TOLD} more` : '';
  const errors = named
    .filter(({ column }) => !known.has(column))
    .map(({ pointer }): FieldError => ({
      pointer,
      code: 'unknown_column',
      detail: `is not a column of ${of} ${told}${more}`,
    }));
  const [first] = errors;
  if (first === undefined) return;
  throw new ApiError('validation_failed', `${first.pointer} ${first.detail}.`, { errors });
}
