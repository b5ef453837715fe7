// Names options of the command line in place of the API's fields and parameters, where the user gave the option.
import type { ApiError } from '../../../clients/typescript/src/errors.ts';
import { symbolOf } from './filter-operators.ts';

const OPTIONS: Readonly<Record<string, string>> = {
  checkIntervalMinutes: '--every',
  condition: '--condition',
  delimiter: '--delimiter',
  description: '--description',
  eventTypes: '--type',
  expiresAt: '--expires',
  filter: '--filter',
  format: '--input',
  headerRow: '--header-row',
  ignoreFields: '--ignore',
  keyFields: '--key',
  label: '--label',
  labels: '--label',
  name: '--name',
  pairing: '--pair',
  quoting: '--quoting',
  rowsPath: '--rows-path',
  scope: '--scope',
  search: '--search',
  since: '--since',
  slug: '--slug',
  type: '--type',
};

export const isGiven = (option: string, args: readonly string[]): boolean =>
  args.some((arg) => arg === option || arg.startsWith(`${option}=`));

/** The message and the faults of an error, in terms of what the user has typed. */
export function inOptions(
  { message, errors }: Pick<ApiError, 'message' | 'errors'>,
  args: readonly string[],
): { message: string; faults: string[] } {
  const [first] = errors;
  const isLed = first !== undefined && message.startsWith(`${first.pointer} `);
  return {
    message: isLed ? `${nameOf(first.pointer, args)}${message.slice(first.pointer.length)}` : message,
    faults: errors.map(({ pointer, detail }) => `${nameOf(pointer, args)} ${detail}`),
  };
}

/** @param pointer a JSON pointer into the body, or the name of a parameter such as `filter[price][gt]` */
function nameOf(pointer: string, args: readonly string[]): string {
  const [, name = '', rest = ''] = /^\/?([^/[]+)(|[/[].*)$/s.exec(pointer) ?? [];
  const option = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
  if (option === undefined || !isGiven(option, args)) return pointer;
  // It takes other units, too.
  if (option === '--every') return `${option}, in minutes,`;
  if (option === '--condition' && rest !== '') return `${option} at ${rest}`;
  const [, column, operator = ''] = /^\[(.*)\]\[(\w+)\]$/s.exec(rest) ?? [];
  return column === undefined ? option : `${option} ${column}${symbolOf(operator)}`;
}
