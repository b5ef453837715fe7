// Filters of rows on the command line, such as `price>=10`, as parameters of the API.
import { EXIT } from '../../operator/fail.ts';
import { ServiceFault } from '../calls/service-fault.ts';

const OPERATORS: Readonly<Record<string, string>> = {
  '=': 'eq',
  '!=': 'ne',
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte',
  '~': 'contains',
};

type Filters = Record<string, Record<string, string>>;

/** @returns undefined for none @throws ServiceFault one has no operator */
export function filterQuery(texts: readonly string[]): Filters | undefined {
  const filters: Filters = {};
  for (const [column, operator, value] of texts.map(readFilter)) {
    filters[column] = { ...filters[column], [operator]: value };
  }
  return texts.length === 0 ? undefined : filters;
}

function readFilter(text: string): [column: string, operator: string, value: string] {
  const [, column = '', operator = '', value = ''] = /^([^=!<>~]+)(!=|>=|<=|=|>|<|~)(.*)$/s.exec(text) ?? [];
  const name = OPERATORS[operator];
  if (name !== undefined) return [column.trim(), name, value];
  throw new ServiceFault(`${text} is no filter.`, {
    advice: `Write a column, one of ${Object.keys(OPERATORS).join(' ')} and a value, in quotes: 'price>=10'.`,
    exitCode: EXIT.misuse,
  });
}
