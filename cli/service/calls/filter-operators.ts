// The operators of filters on the command line, and their names in the API.

export const OPERATORS: Readonly<Record<string, string>> = {
  '=': 'eq',
  '!=': 'ne',
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte',
  '~': 'contains',
};

/** How the command line writes an operator of the API. */
export const symbolOf = (operator: string): string =>
  Object.entries(OPERATORS).find(([, name]) => name === operator)?.[0] ?? '';
