// Chooses the fields that name a row, and says why: unique and filled in every row, a telling name before a
// place on the left, one field before two.
import { createFingerprintTable, type FingerprintTable } from './fingerprint-table.ts';
import type { IsIgnored } from './ignored-fields.ts';
import type { Batch, Cell } from './model.ts';
import { cellText } from './row-json.ts';

export interface KeyEvidence {
  /** `no_rows`: nothing can be said yet. `none`: no field or pair serves, so a row's content is its key. */
  rule: 'name' | 'leftmost' | 'pair' | 'none' | 'no_rows';
  rows: number;
  /** The other fields or pairs that would have served, as “a” or “a + b”; not complete for very large bodies. */
  alternatives: string[];
  /** The choice in a sentence for the record's owner. */
  words: string;
}

export interface DetectedKey {
  fields: string[];
  evidence: KeyEvidence;
}

const KEY_WORDS = new Set(
  'id uuid guid sku key code gtin ean upc isbn asin slug symbol ticker url uri link permalink'.split(' '),
);
/** What is meant to change, or counts rows, never names one, however unique it is today. */
const CHANGING_WORDS = new Set(
  'updated modified changed lastmod fetched retrieved checked price amount cost quantity qty stock score rank count views index row line position'.split(
    ' ',
  ),
);
/** A column without a name is mostly the row numbers of whoever exported the table. */
const UNNAMED = /^column_\d+$/;
const MAX_KEY_LENGTH = 200;
const MAX_PAIRED_FIELDS = 6;
/** For the texts seen, in all; past it the less likely candidates are given up. */
const MAX_TABLE_BYTES = 128 * 1024 * 1024;
const MAX_ALTERNATIVES = 5;

/**
 * Reads the body once, or twice if no single field serves.
 * @param open begins to read the body's rows from the start
 */
export async function detectKey(
  open: () => AsyncIterable<Batch>,
  isIgnored: IsIgnored,
  maxTableBytes = MAX_TABLE_BYTES,
): Promise<DetectedKey> {
  const single = await survey(open(), (columns, row) => candidatesOf(columns, row, isIgnored), maxTableBytes);
  if (single.rows === 0) return { fields: [], evidence: evidence('no_rows', 0, []) };
  if (single.unique.length > 0) return choose(single);
  const pairs = pairsOf(single.filled.flat());
  return choose(pairs.length === 0 ? single : await survey(open(), () => pairs, maxTableBytes));
}

interface Survey {
  rows: number;
  /** Candidates, best first, that differ in every row. */
  unique: string[][];
  /** Candidates, best first, whose fields hold something short in every row. */
  filled: string[][];
}

interface Candidate {
  fields: string[];
  indexes: number[];
  isFilled: boolean;
  /** Undefined once a text has come twice, or memory has run short. */
  seen: FingerprintTable | undefined;
}

/** Tests candidates on every row. A column that the first row lacks cannot be one. */
async function survey(
  batches: AsyncIterable<Batch>,
  propose: (columns: readonly string[], firstRow: readonly Cell[]) => string[][],
  maxTableBytes: number,
): Promise<Survey> {
  let candidates: Candidate[] | undefined;
  let rowCount = 0;
  for await (const { columns, rows } of batches) {
    const [firstRow] = rows;
    if (firstRow === undefined) continue;
    candidates ??= propose(columns, firstRow).map((fields) => toCandidate(fields, columns));
    rowCount += rows.length;
    for (const candidate of candidates) test(candidate, rows);
    dropLeastPreferred(candidates, maxTableBytes);
  }
  const filled = (candidates ?? []).filter(({ isFilled }) => isFilled);
  const unique = filled.filter(({ seen }) => seen !== undefined);
  return {
    rows: rowCount,
    unique: unique.map(({ fields }) => fields),
    filled: filled.map(({ fields }) => fields),
  };
}

function toCandidate(fields: string[], columns: readonly string[]): Candidate {
  const indexes = fields.map((field) => columns.indexOf(field));
  return { fields, indexes, isFilled: true, seen: createFingerprintTable() };
}

function test(candidate: Candidate, rows: readonly Cell[][]): void {
  for (const cells of rows) {
    if (!candidate.isFilled) return;
    const texts = candidate.indexes.map((index) => keyText(cells[index]));
    candidate.isFilled = !texts.includes('');
    // NUL stands in no text, so that it can divide two.
    if (!candidate.isFilled || (candidate.seen?.add(texts.join('\0')) ?? 0) > 1) candidate.seen = undefined;
  }
}

/** Empty for what cannot be in a key: nothing, a list or an object, a long text. */
function keyText(cell: Cell): string {
  if (cell === undefined || cell.length > MAX_KEY_LENGTH || cell.startsWith('[') || cell.startsWith('{'))
    return '';
  return cellText(cell);
}

function dropLeastPreferred(candidates: Candidate[], maxTableBytes: number): void {
  const tables = candidates.filter(({ seen }) => seen !== undefined);
  let sizeBytes = tables.reduce((sum, { seen }) => sum + (seen?.sizeBytes() ?? 0), 0);
  for (let last = tables.length - 1; last > 0 && sizeBytes > maxTableBytes; last--) {
    const candidate = tables[last];
    if (candidate === undefined) return;
    sizeBytes -= candidate.seen?.sizeBytes() ?? 0;
    candidate.seen = undefined;
  }
}

/** Single fields, best first: by name, then from the left. */
function candidatesOf(columns: readonly string[], row: readonly Cell[], isIgnored: IsIgnored): string[][] {
  const fields = columns.filter(
    (column, index) => keyText(row[index]) !== '' && !isIgnored(column) && nameRank(column) < 3,
  );
  return fields.toSorted((left, right) => nameRank(left) - nameRank(right)).map((field) => [field]);
}

/** 0: named like a key; 1: ends like one (product_id, licenseId); 2: says nothing; 3: says that it changes. */
function nameRank(column: string): number {
  const words = column
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  if (UNNAMED.test(column) || words.some((word) => CHANGING_WORDS.has(word))) return 3;
  if (!KEY_WORDS.has(words.at(-1) ?? '')) return 2;
  return words.length === 1 ? 0 : 1;
}

function pairsOf(fields: readonly string[]): string[][] {
  const few = fields.slice(0, MAX_PAIRED_FIELDS);
  return few.flatMap((left, index) => few.slice(index + 1).map((right) => [left, right]));
}

function choose({ rows, unique }: Survey): DetectedKey {
  const [fields = [], ...others] = unique;
  const alternatives = others.slice(0, MAX_ALTERNATIVES).map((names) => names.join(' + '));
  const [first = ''] = fields;
  if (fields.length === 0) return { fields, evidence: evidence('none', rows, alternatives) };
  if (fields.length > 1) return { fields, evidence: evidence('pair', rows, alternatives, fields) };
  return {
    fields,
    evidence: evidence(nameRank(first) < 2 ? 'name' : 'leftmost', rows, alternatives, fields),
  };
}

function evidence(
  rule: KeyEvidence['rule'],
  rows: number,
  alternatives: string[],
  fields: readonly string[] = [],
): KeyEvidence {
  const names = fields.map((field) => `“${field}”`).join(' and ');
  const words = {
    name: `${names} is filled and different in all ${rows} rows, and named like a key.`,
    leftmost: `${names} is the leftmost field that is filled and different in all ${rows} rows.`,
    pair: `No single field is different in all ${rows} rows, but ${names} together are.`,
    none: `No field and no pair of fields is filled and different in all ${rows} rows, so a row’s content is its key.`,
    no_rows: 'There are no rows to choose a key by.',
  }[rule];
  return { rule, rows, alternatives, words };
}
