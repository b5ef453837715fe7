// The feed that comparisons are measured with: products, ten columns, two of them quoted with quotes inside, some 240
// bytes a row; and a second version with 1 % of the rows changed, 0.5 % new and 0.5 % deleted.
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

export const COLUMNS = [
  'id', 'sku', 'title', 'description', 'brand', 'price', 'currency', 'stock', 'url', 'updated_at',
] as const; // prettier-ignore

export interface FeedOptions {
  rows: number;
  format: 'csv' | 'jsonl';
  version: 1 | 2;
  /** Gives every row another `updated_at`, so that no row has the bytes it had. */
  touchesAll?: boolean;
  /** Writes every `updated_at` in another way, so that no row has the bytes it had. */
  respellsAll?: boolean;
  /** Adds 1 to every `stock`. */
  movesAll?: boolean;
  /** So many percent of the rows have another price than in version 1, and with each percent other ones. */
  changedPercent?: number;
}

/** Of 200 rows one is deleted and one is new in version 2, and two have another price. */
const PERIOD = 200;
const DELETED = 50;
const CHANGED: readonly number[] = [20, 120];
const ROWS_PER_CHUNK = 2_000;

export function writeFeed(file: string, options: FeedOptions): Promise<void> {
  return pipeline(chunks(options), createWriteStream(file));
}

/** How version 2 differs from version 1. */
export const expectedCounts = (rows: number): { new: number; changed: number; deleted: number } => ({
  new: rows / PERIOD,
  changed: (rows / PERIOD) * CHANGED.length,
  deleted: rows / PERIOD,
});

function* chunks({
  rows,
  format,
  version,
  touchesAll = false,
  respellsAll = false,
  movesAll = false,
  changedPercent = 0,
}: FeedOptions): Generator<string> {
  const line = format === 'csv' ? csvLine : jsonLine;
  if (format === 'csv') yield `${COLUMNS.join(',')}\n`;
  let text = '';
  for (let row = 0; row < rows; row++) {
    const index = row % PERIOD;
    const isSecond = version === 2;
    const salt = (isSecond && CHANGED.includes(index)) || row % 100 < changedPercent ? 1 : 0;
    if (!(isSecond && index === DELETED)) text += line(product(row, salt, touchesAll, respellsAll, movesAll));
    if (isSecond && index === DELETED) text += line(product(rows + row, 0, touchesAll));
    if (row % ROWS_PER_CHUNK !== 0) continue;
    yield text;
    text = '';
  }
  yield text;
}

const WORDS = 'steel oak linen matte folding compact garden office travel winter rechargeable washable'.split(
  ' ',
);
const BRANDS = ['Northwind', 'Acme', 'Fjord & Sons', 'Kaiyō', 'Hélène'];

function product(
  row: number,
  salt: number,
  isTouched: boolean,
  isRespelled = false,
  isMoved = false,
): string[] {
  // Multiplying by an odd number scatters without repeating.
  const noise = Math.imul(row + 1, 0x9e3779b1) >>> 0;
  const word = (at: number): string => WORDS[(noise >>> (at * 3)) % WORDS.length] ?? '';
  const size = (noise % 900) / 10;
  return [
    `P${String(row).padStart(9, '0')}`,
    `SKU-${noise.toString(36).toUpperCase()}`,
    `${word(0)} ${word(1)} table, ${size}"`,
    `A ${word(2)} and ${word(3)} piece, "${word(4)}", for the ${word(5)} season; ${noise} made so far.`,
    BRANDS[noise % BRANDS.length] ?? '',
    `${(noise % 100_000) / 100 + salt}`,
    'EUR',
    String((noise % 500) + (isMoved ? 1 : 0)),
    `https://shop.example.com/products/${word(6)}/${noise.toString(16)}`,
    `2026-0${1 + (noise % 9)}-1${noise % 10}T0${noise % 10}:00:0${isTouched ? 1 : 0}${isRespelled ? '.0+00:00' : 'Z'}`,
  ];
}

const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell, at) => (at === 2 || at === 3 ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;

const jsonLine = (cells: readonly string[]): string =>
  `${JSON.stringify(Object.fromEntries(cells.map((cell, at) => [COLUMNS[at] ?? '', cell])))}\n`;
