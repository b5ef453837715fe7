// Filters of rows on the command line, such as `price>=10`, as parameters of the API.
import { EXIT } from '../../operator/fail.ts';
import { OPERATORS } from '../calls/filter-operators.ts';
import { ServiceFault } from '../calls/service-fault.ts';

type Filters = Record<string, Record<string, string>>;

/** @returns undefined for none @throws ServiceFault one has no operator, or repeats the column and the operator of another */
export function filterQuery(texts: readonly string[]): Filters | undefined {
  const columns = new Map<string, Map<string, string>>();
  for (const text of texts) {
    const [column, operator, value] = readFilter(text);
    const asked = columns.get(column) ?? new Map<string, string>();
    // A request has one value for each.
    if (asked.has(operator)) {
      throw new ServiceFault(`${text} repeats the column and the operator of another filter.`, {
        advice: 'Give each column and operator once.',
        exitCode: EXIT.misuse,
      });
    }
    columns.set(column, asked.set(operator, value));
  }
  // Unlike an assignment, this makes a member of a column named __proto__.
  const filters = Object.fromEntries(
    [...columns].map(([column, asked]) => [column, Object.fromEntries(asked)]),
  );
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
