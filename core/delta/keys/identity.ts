// What a row is known by: its key, and the hash that says whether two rows with that key are equal.
import { hash } from 'node:crypto';
import { CheckError } from '../../errors.ts';
import { compareKeys } from '../compare-keys.ts';
import { createFingerprintTable } from './fingerprint-table.ts';
import type { IsIgnored } from '../ignored-fields.ts';
import type { Batch, Cell, KeyedRow } from '../model.ts';
import { cellText, memberName, writeMembers } from '../json/row-json.ts';
import { shorten, type Warnings } from '../warnings.ts';

const MAX_KEY_BYTES = 1024;
const HASH_HEX_LENGTH = 32;

export interface IdentityRule {
  /** Empty: a row's content is its key. */
  keyFields: readonly string[];
  isIgnored: IsIgnored;
}

export interface Identifier {
  identify(batch: Batch): KeyedRow[];
  /** Columns that rows are stored with: all but the ignored ones. */
  storedColumns(): string[];
  /** @throws CheckError missing_key_field, if there are data but none of the rows so far has a key field */
  requireKeyFields(): void;
  rowCount(): number;
}

/**
 * The key of a row from the texts of its key fields: the text itself if there is one, else their JSON array; its
 * SHA-256 where it would be longer than 1,024 bytes.
 */
export function rowKey(texts: readonly string[]): string {
  const [first = ''] = texts;
  const key = texts.length === 1 ? first : JSON.stringify(texts);
  // No UTF-16 code unit takes more than three bytes.
  const isShort = key.length * 3 <= MAX_KEY_BYTES || Buffer.byteLength(key) <= MAX_KEY_BYTES;
  return isShort ? key : `sha256:${hash('sha256', key)}`;
}

export function createIdentifier(rule: IdentityRule, warnings: Warnings): Identifier {
  const seen = createFingerprintTable();
  let layout = layOut([], rule);
  let rowCount = 0;

  const keyOf = (cells: readonly Cell[], digest: string): { key: string; isRepeat: boolean } => {
    if (rule.keyFields.length === 0) {
      const count = seen.add(digest);
      return { key: count === 1 ? `sha256:${digest}` : `sha256:${digest}#${count}`, isRepeat: false };
    }
    const texts = layout.keyIndexes.map((index) => cellText(cells[index]));
    if (texts.includes('')) warnings.add('empty_key', `row ${rowCount}`);
    const key = rowKey(texts);
    const isRepeat = seen.add(key) > 1;
    if (isRepeat) warnings.add('duplicate_key', key);
    return { key, isRepeat };
  };

  return {
    identify({ columns, rows }) {
      if (columns.length !== layout.columns.length) layout = layOut(columns, rule);
      return rows.map((cells) => {
        rowCount++;
        const data = writeMembers(layout.names, layout.order, cells);
        const canonical = layout.isSorted ? data : writeMembers(layout.names, layout.sortedOrder, cells);
        const digest = hash('sha256', canonical);
        const { key, isRepeat } = keyOf(cells, digest);
        const hash16 = Buffer.from(digest.slice(0, HASH_HEX_LENGTH), 'hex');
        return { key, hash: hash16, data, ordinal: rowCount, isRepeat };
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
  };
}

interface Layout {
  columns: readonly string[];
  names: string[];
  order: number[];
  sortedOrder: number[];
  isSorted: boolean;
  keyIndexes: number[];
}

function layOut(columns: readonly string[], rule: IdentityRule): Layout {
  const order = [...columns.keys()].filter((index) => !rule.isIgnored(columns[index] ?? ''));
  const sortedOrder = order.toSorted((left, right) => compareKeys(columns[left] ?? '', columns[right] ?? ''));
  return {
    columns: [...columns],
    names: columns.map(memberName),
    order,
    sortedOrder,
    isSorted: order.every((index, place) => sortedOrder[place] === index),
    keyIndexes: rule.keyFields.map((field) => columns.indexOf(field)),
  };
}
