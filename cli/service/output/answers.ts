// Answers of the service: one JSON document with --json, otherwise words for people. Programs that read a pipe get plain columns.
import type { Command } from 'commander';
import { safeLines, safeText } from '../../../core/text/safe-text.ts';
import { writeOut } from '../../diff/write-out.ts';

export interface AnswerOptions {
  json?: true | undefined;
}

export const withJson = (command: Command): Command =>
  command.option('--json', 'print one JSON document and nothing else');

export const withJsonLines = (command: Command): Command =>
  command.option('--json', 'print a line of JSON for each');

export async function answer({ json }: AnswerOptions, value: unknown, words: () => string): Promise<void> {
  await say(json === true ? safeLines(JSON.stringify(value, null, 2)) : words());
}

/** @param text without the line end; an empty one has no line */
export const say = (text: string): Promise<void> => writeOut(text === '' ? [] : [`${text}\n`], 'text');

export const jsonLine = (value: unknown): string => safeText(JSON.stringify(value));

export type Cell = string | number | null;

const isTerminal = (): boolean => process.stdout.isTTY;

/** On a terminal a table that fits its width. In a pipe tab-separated values without headings, and nothing is cut. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[], none: string): string {
  if (!isTerminal()) return rows.map((row) => row.map(cellText).join('\t')).join('\n');
  if (rows.length === 0) return none;
  const lines = [headings, ...rows].map((row) => row.map(cellText));
  const widths = headings.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines.map((line) => fitted(line, widths)).join('\n');
}

function fitted(line: readonly string[], widths: readonly number[]): string {
  const text = line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ').trimEnd(); // prettier-ignore
  const { columns } = process.stdout;
  return text.length <= columns ? text : `${text.slice(0, columns - 1).toWellFormed()}…`;
}

/** One thing: its facts below each other. Null and empty ones are left out. */
export function facts(entries: Readonly<Record<string, Cell>>): string {
  const shown = Object.entries(entries).filter(([, value]) => value !== null && value !== '');
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${cellText(value)}`).join('\n');
}

const cellText = (cell: Cell): string => (cell === null ? '-' : safeText(String(cell)));

/** The time of the user's zone on a terminal; as the API says it for programs. */
export function shownTime(time: string | null | undefined): string | null {
  if (time === null || time === undefined) return null;
  return isTerminal() ? new Date(time).toLocaleString('sv-SE') : time;
}
