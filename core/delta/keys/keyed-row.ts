// A row as it is stored: its data as JSON object text, its key, and the hash that tells whether two rows are equal.
import type { Batch, Cell, IsIgnored } from '../model.ts';
import { decodeString, scalarEnd, scanJson, tokenOf } from '../json/scan-json.ts';
import { type Canonical, canonicalBy } from '../rules/canonical-cell.ts';
import { type ColumnRules, rulesBeside } from '../rules/column-rules.ts';
import { hash } from 'node:crypto';
import { CheckError } from '../../errors.ts';
import { compareKeys } from '../compare-keys.ts';
import { createFingerprintTable } from './fingerprint-table.ts';
import { createSeenKeys } from './seen-keys.ts';
import { shorten, type Warnings } from '../warnings.ts';

/** A row of a body with its identity. */
export interface KeyedRow {
  key: string;
  /** 16 bytes of a hash over the canonical form, which does not depend on the order of columns. */
  hash: Buffer;
  /** JSON object text. Members are in column order, without ignored fields. */
  data: string;
  /** Whether an earlier row has the same key. Very rarely true by mistake, never false by mistake. */
  isRepeat: boolean;
}

/** A row to be stored. Its data is a text, or UTF-8 that is valid until the rows after it are read. */
export type StoredRow = Omit<KeyedRow, 'data'> & { data: string | Uint8Array };

export const keyedRow = (row: StoredRow): KeyedRow => ({
  ...row,
  data: typeof row.data === 'string' ? row.data : Buffer.from(row.data).toString('utf8'),
});

/** The name of a member in JSON text, with its colon. */
export function memberName(column: string): string {
  return `${JSON.stringify(column)}:`;
}

/**
 * JSON object text of some cells. Missing cells are left out.
 * @param names as memberName makes them, by column
 * @param order the columns to write, by number, in the order to write them
 */
export function writeMembers(
  names: readonly string[],
  order: readonly number[],
  cells: readonly Cell[],
): string {
  let text = '';
  for (const index of order) {
    const cell = cells[index];
    if (cell !== undefined) text += `${text === '' ? '{' : ','}${names[index] ?? ''}${cell}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

type Member = [column: string, token: string];

/** The columns and tokens of a row's data, in their order. */
export const splitRowJson = (data: string): Member[] => splitScalars(data) ?? splitAny(data);

function splitAny(data: string): Member[] {
  const { root } = scanJson(data, Infinity);
  if (typeof root === 'string') throw new Error('Row data must be a JSON object');
  return [...root].map(([column, node]) => [column, tokenOf(node)]);
}

/** Splits data as writeMembers writes it, in half the time. Undefined for other JSON texts, and for arrays. */
function splitScalars(data: string): Member[] | undefined {
  const members: Member[] = [];
  let at = 0;
  do {
    if (data[at] !== (at === 0 ? '{' : ',')) return undefined;
    const nameEnd = scalarEnd(data, at + 1);
    if (data[at + 1] !== '"' || nameEnd === -1 || data[nameEnd] !== ':') return undefined;
    const end = scalarEnd(data, nameEnd + 1);
    if (end === -1) return undefined;
    members.push([decodeString(data.slice(at + 1, nameEnd)), data.slice(nameEnd + 1, end)]);
    at = end;
  } while (at < data.length - 1);
  return data[at] === '}' ? members : undefined;
}

/** Columns whose values differ or that only one side has, in the order of `after`, then of `before`. */
export function changedFields(
  before: string,
  after: string,
  isSame = (_column: string, was: Cell, is: Cell): boolean => was === is,
): string[] {
  const was = splitRowJson(before);
  const is = splitRowJson(after);
  const hasSameColumns = was.length === is.length && is.every(([column], at) => was[at]?.[0] === column);
  const old = hasSameColumns ? undefined : new Map(was);
  const changed: string[] = [];
  for (const [at, [column, token]] of is.entries()) {
    if (!isSame(column, old === undefined ? was[at]?.[1] : old.get(column), token)) changed.push(column);
    old?.delete(column);
  }
  return [...changed, ...(old?.keys() ?? [])];
}

/** A cell as text, for keys and CSV: the characters of a string, or the token of any other value. */
export function cellText(cell: Cell): string {
  if (cell === undefined || cell === 'null') return '';
  return cell.startsWith('"') ? decodeString(cell) : cell;
}

const MAX_KEY_BYTES = 1024;
const HASH_HEX_LENGTH = 32;

/** @param canonical the row as JSON object text, with its columns in order and its cells in the form that is compared */
export const hashOfRow = (canonical: string): Buffer => shortened(hash('sha256', canonical));

/** @param digest SHA-256 of the canonical form, in hexadecimal */
export const shortened = (digest: string): Buffer => Buffer.from(digest.slice(0, HASH_HEX_LENGTH), 'hex');

interface IdentityRule {
  /** Empty: a row's content is its key. */
  keyFields: readonly string[];
  isIgnored: IsIgnored;
  /** Columns with a rule are hashed in the form that the rule compares. Key fields are not. */
  rules: ColumnRules;
}

export interface Identifier {
  /**
   * Whether the body's earlier rows must be read again, and given to `remember`, before this batch. Without that, no memory
   * is needed for keys that come in order.
   */
  needsEarlier(batch: Batch): boolean;
  remember(batch: Batch): void;
  identify(batch: Batch): KeyedRow[];
  /** Columns that rows are stored with: all except the ignored ones. */
  storedColumns(): string[];
  /** @throws CheckError missing_key_field: no row so far has one of the key fields */
  requireKeyFields(): void;
  rowCount(): number;
  /** Whether all key fields of the last row are missing, null or empty. */
  isLastKeyless(): boolean;
}

/**
 * The key of a row from the texts of its key fields: the text of a single field, or a JSON array of several. The SHA-256 of
 * that if it is longer than 1,024 bytes.
 */
export function rowKey(texts: readonly string[]): string {
  const [first = ''] = texts;
  const key = texts.length === 1 ? first : JSON.stringify(texts);
  // A UTF-16 code unit takes at most three bytes of UTF-8.
  const isShort = key.length * 3 <= MAX_KEY_BYTES || Buffer.byteLength(key) <= MAX_KEY_BYTES;
  return isShort ? key : `sha256:${hash('sha256', key)}`;
}

/** The key of a row without key fields. @param count of the rows with this content so far */
export const contentKey = (digest: string, count: number): string =>
  count === 1 ? `sha256:${digest}` : `sha256:${digest}#${count}`;

/** @param canReread whether earlier rows can be read again; otherwise every key is remembered */
export function createIdentifier(rule: IdentityRule, warnings: Warnings, canReread = false): Identifier {
  const contents = createFingerprintTable();
  const seen = createSeenKeys();
  if (!canReread) seen.remember([]);
  const isKeyless = rule.keyFields.length === 0;
  let layout = layOut([], rule);
  let rowCount = 0;
  let keylessRow = 0;

  const keyOf = (cells: readonly Cell[], digest: string): { key: string; isRepeat: boolean } => {
    if (isKeyless) {
      return { key: contentKey(digest, contents.add(digest)), isRepeat: false };
    }
    const texts = textsOf(layout, cells);
    if (texts.includes('')) {
      warnings.add('empty_key', `row ${rowCount}`);
      if (texts.every((text) => text === '')) keylessRow = rowCount;
    }
    const key = rowKey(texts);
    const isRepeat = seen.add(key);
    if (isRepeat) warnings.add('duplicate_key', key);
    return { key, isRepeat };
  };
  const keysOf = ({ columns, rows }: Batch): string[] => {
    const ofBatch = columns.length === layout.columns.length ? layout : layOut(columns, rule);
    return rows.map((cells) => rowKey(textsOf(ofBatch, cells)));
  };

  return {
    needsEarlier: (batch) => !isKeyless && seen.needsEarlier(() => keysOf(batch)),
    remember: (batch) => seen.remember(keysOf(batch)),
    identify({ columns, rows }) {
      if (columns.length !== layout.columns.length) layout = layOut(columns, rule);
      return rows.map((cells) => {
        rowCount++;
        const data = writeMembers(layout.names, layout.order, cells);
        const canonical =
          layout.isSorted && layout.ruled.length === 0
            ? data
            : writeMembers(layout.names, layout.sortedOrder, compared(layout, cells));
        const digest = hash('sha256', canonical);
        const { key, isRepeat } = keyOf(cells, digest);
        return { key, hash: shortened(digest), data, isRepeat };
      });
    },
    storedColumns: () => layout.order.map((index) => layout.columns[index] ?? ''),
    requireKeyFields() {
      const missing = rule.keyFields.filter((field) => !layout.columns.includes(field));
      if (missing.length === 0 || (layout.columns.length === 0 && rowCount === 0)) return;
      const names = missing.map((field) => `“${shorten(field)}”`).join(', ');
      throw new CheckError('missing_key_field', `Not there: ${names}.`);
    },
    rowCount: () => rowCount,
    isLastKeyless: () => keylessRow > 0 && keylessRow === rowCount,
  };
}

const textsOf = ({ keyIndexes }: Layout, cells: readonly Cell[]): string[] =>
  keyIndexes.map((index) => cellText(cells[index]));

/** The cells as they are compared. */
function compared({ ruled }: Layout, cells: readonly Cell[]): readonly Cell[] {
  if (ruled.length === 0) return cells;
  const forms = [...cells];
  for (const [index, canonical] of ruled) forms[index] = canonical(cells[index]);
  return forms;
}

interface Layout {
  columns: readonly string[];
  names: string[];
  order: number[];
  sortedOrder: number[];
  isSorted: boolean;
  keyIndexes: number[];
  /** Columns with a rule. */
  ruled: [index: number, canonical: Canonical][];
}

function layOut(columns: readonly string[], rule: IdentityRule): Layout {
  const order = [...columns.keys()].filter((index) => !rule.isIgnored(columns[index] ?? ''));
  const ruled = [...rulesBeside(rule.rules, rule.keyFields)].flatMap(([column, each]): Layout['ruled'] => {
    const index = columns.indexOf(column);
    return index === -1 ? [] : [[index, canonicalBy(each)]];
  });
  const sortedOrder = order.toSorted((left, right) => compareKeys(columns[left] ?? '', columns[right] ?? ''));
  return {
    columns: [...columns],
    names: columns.map(memberName),
    order,
    sortedOrder,
    isSorted: order.every((index, at) => sortedOrder[at] === index),
    keyIndexes: rule.keyFields.map((field) => columns.indexOf(field)),
    ruled,
  };
}
