// Output of the operator's commands: one JSON document with --json, otherwise columns for people.
import type { Command } from 'commander';
import { safeLines, safeText } from '../../core/text/safe-text.ts';

export interface Printing {
  json?: true;
}

/** Adds the option that every command of the operator has. */
export const withJson = (command: Command): Command =>
  command.option('--json', 'print one JSON document and nothing else');

/** Names, URLs and errors come from tenants and origins: none of it sends commands to the terminal, or turns its direction. */
export function print({ json }: Printing, value: unknown, words: () => string): void {
  console.log(safeLines(json ? JSON.stringify(value, null, 2) : words()));
}

export type TableCell = string | number | boolean | null;

/** Rows under headings, or `none` when there are no rows. */
export function columns(
  headings: readonly string[],
  rows: readonly (readonly TableCell[])[],
  none: string,
): string {
  if (rows.length === 0) return none;
  const table = [headings, ...rows.map((row) => row.map(text))];
  const widths = headings.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  return table.map((row) => line(row, widths)).join('\n');
}

/** One thing: its fields below each other. */
export function fields(entries: Readonly<Record<string, TableCell>>): string {
  const width = Math.max(...Object.keys(entries).map(({ length }) => length));
  return Object.entries(entries)
    .map(([name, value]) => line([name, text(value)], [width]))
    .join('\n');
}

const line = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, at) => cell.padEnd(widths[at] ?? 0))
    .join('  ')
    .trimEnd();

const text = (value: TableCell): string => (value === null ? '-' : safeText(String(value)));

/** A check interval in words: `5 s`, `60 min`. */
export const intervalInWords = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Number((seconds / 60).toPrecision(6))} min`;
