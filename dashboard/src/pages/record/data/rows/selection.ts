// Which rows of a snapshot are selected: a search and filters, in the address as in the API's query.
import type { components } from '../../../../client/schema.ts';

type Link = components['schemas']['CreateDownloadLinkRequest'];
export type Operator = keyof NonNullable<Link['filter']>[string];

export interface RowFilter {
  column: string;
  operator: Operator;
  /** One value, several for `in`; `true` or `false` for `exists` and `empty`. */
  values: readonly string[];
}

export interface RowSelection {
  search: string;
  /** The columns to search; empty: all. */
  fields: readonly string[];
  filters: readonly RowFilter[];
}

/** The operators to choose from. */
export interface FilterChoice {
  id: string;
  operator: Operator;
  words: string;
  takes: 'text' | 'list' | 'nothing';
  /** The value of an operator without one. */
  fixed?: 'true' | 'false';
}

export const FILTER_CHOICES: readonly FilterChoice[] = [
  { id: 'eq', operator: 'eq', words: 'is', takes: 'text' },
  { id: 'ne', operator: 'ne', words: 'is not', takes: 'text' },
  { id: 'contains', operator: 'contains', words: 'contains', takes: 'text' },
  { id: 'startsWith', operator: 'startsWith', words: 'starts with', takes: 'text' },
  { id: 'in', operator: 'in', words: 'is one of', takes: 'list' },
  { id: 'gt', operator: 'gt', words: 'is more than', takes: 'text' },
  { id: 'gte', operator: 'gte', words: 'is at least', takes: 'text' },
  { id: 'lt', operator: 'lt', words: 'is less than', takes: 'text' },
  { id: 'lte', operator: 'lte', words: 'is at most', takes: 'text' },
  { id: 'empty', operator: 'empty', words: 'is empty', takes: 'nothing', fixed: 'true' },
  { id: 'filled', operator: 'empty', words: 'is not empty', takes: 'nothing', fixed: 'false' },
  { id: 'exists', operator: 'exists', words: 'exists, even if empty', takes: 'nothing', fixed: 'true' },
  { id: 'lacks', operator: 'exists', words: 'does not exist', takes: 'nothing', fixed: 'false' },
];

export const choiceOf = ({ operator, values }: RowFilter): FilterChoice | undefined =>
  FILTER_CHOICES.find(
    (choice) => choice.operator === operator && (choice.fixed === undefined || choice.fixed === values[0]),
  );

/** A column's name may contain brackets: the name is the text between the first and the last pair. */
const FILTER_NAME = /^filter\[([\s\S]*)\]\[(\w*)\]$/;

export const filterName = (column: string, operator: Operator): string => `filter[${column}][${operator}]`;

export function readSelection(params: URLSearchParams): RowSelection {
  const filters = [...new Set(params.keys())].flatMap((name): RowFilter[] => {
    const [, column = '', given] = FILTER_NAME.exec(name) ?? [];
    const operator = FILTER_CHOICES.find((choice) => choice.operator === given)?.operator;
    return operator === undefined ? [] : [{ column, operator, values: params.getAll(name) }];
  });
  return { search: params.get('search') ?? '', fields: params.getAll('field'), filters };
}

export const isEverything = ({ search, filters }: RowSelection): boolean =>
  search === '' && filters.length === 0;

/** As the query string of a list of rows, beside its other parameters. */
export function selectionQuery(
  { search, fields, filters }: RowSelection,
  others: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams(others);
  if (search !== '') query.set('search', search);
  for (const field of search === '' ? [] : fields) query.append('field', field);
  for (const { column, operator, values } of filters) {
    for (const value of values) query.append(filterName(column, operator), value);
  }
  return query.toString();
}

type Body = Pick<Link, 'search' | 'field' | 'filter'>;

/** As members of a body. */
export function selectionBody({ search, fields, filters }: RowSelection): Body {
  const byColumn = Object.groupBy(filters, ({ column }) => column);
  const filter = Object.fromEntries(
    Object.entries(byColumn).map(([column, its = []]) => [
      column,
      Object.fromEntries(its.map(({ operator, values }) => [operator, bodyValue(operator, values)])),
    ]),
  );
  return {
    ...(search === '' ? {} : { search, ...(fields.length === 0 ? {} : { field: [...fields] }) }),
    ...(filters.length === 0 ? {} : { filter }),
  };
}

function bodyValue(operator: Operator, values: readonly string[]): unknown {
  if (operator === 'in') return values;
  const [value = ''] = values;
  return operator === 'exists' || operator === 'empty' ? value === 'true' : value;
}
