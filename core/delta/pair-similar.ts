// Pairs deleted rows with new ones that are the same rows, edited: for rows whose content is their key. The most alike rows
// pair first. Two rows pair only if each is more alike to the other than all others that are left: of several equally alike
// rows, nobody can tell which one it is.
import type { RowVersion } from './compare.ts';
import { memberName, splitRowJson } from './keys/keyed-row.ts';
import { type Canonical, canonicalBy } from './rules/canonical-cell.ts';
import type { ColumnRules } from './rules/column-rules.ts';
import { finish, type Steps } from './steps.ts';

/** How a record recognises edited rows that have no key. */
export const PAIRINGS = ['similarity'] as const;
export type Pairing = (typeof PAIRINGS)[number];

/** The keys of a deleted and a new row. */
export interface RowPair {
  before: string;
  after: string;
}

/** Rows of more than these are not compared, and none of them pairs. */
export const PAIRING_LIMITS = {
  /** Deleted rows, and new rows. */
  rows: 10_000,
  /** The data of all of them, in bytes. */
  bytes: 16 * 1024 * 1024,
  /** The filled cells of all of them. */
  cells: 300_000,
  /** Equal cells of a deleted and a new row. */
  equalCells: 25_000_000,
  /** Deleted and new rows that are alike. */
  alike: 2_000_000,
} as const;

/** At least this part of the filled cells of either row is equal in the other. */
const ALIKE = 0.5;

/**
 * Each key is in at most one pair. The result does not depend on the order of the rows. The time grows with the number of
 * equal cells, and is bounded by PAIRING_LIMITS.
 * @param rules for columns: when two cells are equal. A tolerance has no effect
 * @returns the pairs; undefined when a limit is exceeded
 */
export const pairSimilar = (...compared: Parameters<typeof pairSteps>): RowPair[] | undefined =>
  finish(pairSteps(...compared));

/** The same in steps of a few milliseconds. */
export function* pairSteps(
  deleted: readonly RowVersion[],
  added: readonly RowVersion[],
  rules: ColumnRules,
): Steps<RowPair[] | undefined> {
  if (Math.max(deleted.length, added.length) > PAIRING_LIMITS.rows) return undefined;
  const numbers = createCellNumbers(rules);
  const gone = yield* contentsOf(deleted, numbers);
  const come = yield* contentsOf(added, numbers);
  if (gone === undefined || come === undefined) return undefined;
  const levels = yield* alikeByShare(gone, come, numbers.count());
  if (levels === undefined) return undefined;
  const shares = [...levels.keys()].sort((left, right) => right - left);
  const pairs: RowPair[] = [];
  for (const share of shares) pairs.push(...(yield* pairLevel(gone, come, levels.get(share) ?? [])));
  return pairs;
}

/** Rows of one content. */
interface Content {
  /** Of the rows that have no partner yet; repeats in their order. */
  keys: string[];
  /** The filled cells, by number. */
  cells: number[];
  /** No single row is the most alike: these rows stay alone. */
  isUnclear: boolean;
}

interface CellNumbers {
  /** Equal cells of one column have the same number. Cells that are null or empty have none. */
  of(data: string): number[];
  count(): number;
  /** The cells so far, equal ones too. */
  seen(): number;
}

function createCellNumbers(rules: ColumnRules): CellNumbers {
  const canonicals = new Map<string, Canonical>(
    Object.entries(rules).map(([column, rule]) => [column, canonicalBy(rule)]),
  );
  const numbers = new Map<string, number>();
  let seen = 0;
  const numberOf = (cell: string): number => {
    const number = numbers.get(cell) ?? numbers.size;
    numbers.set(cell, number);
    seen += 1;
    return number;
  };
  return {
    of: (data) =>
      splitRowJson(data).flatMap(([column, token]) => {
        const form = canonicals.get(column)?.(token) ?? token;
        return form === 'null' || form === '""' ? [] : [numberOf(memberName(column) + form)];
      }),
    count: () => numbers.size,
    seen: () => seen,
  };
}

/** The keys of equal rows are equal up to a number (keys/keyed-row.ts). */
const contentOf = (key: string): string => key.split('#', 1)[0] ?? key;

/** @returns undefined when the rows so far have too many cells */
function* contentsOf(rows: readonly RowVersion[], numbers: CellNumbers): Steps<Content[] | undefined> {
  const byContent = Map.groupBy(rows, ({ key }) => contentOf(key));
  const contents: Content[] = [];
  for (const equal of byContent.values()) {
    yield;
    const cells = numbers.of(equal[0]?.data ?? '{}');
    if (numbers.seen() > PAIRING_LIMITS.cells) return undefined;
    contents.push({ keys: equal.map(({ key }) => key).sort(byRepeat), cells, isUnclear: false });
  }
  return contents;
}

/** A further digit makes a larger number. */
const byRepeat = (left: string, right: string): number =>
  left.length - right.length || (left < right ? -1 : 1);

/** Indexes of a deleted and of a new content, one after the other. */
type IndexPairs = number[];

/** The alike contents, by the share of their cells that is equal. Undefined when there are too many to find them. */
function* alikeByShare(
  gone: readonly Content[],
  come: readonly Content[],
  cellCount: number,
): Steps<Map<number, IndexPairs> | undefined> {
  const having = indexesByCell(come, cellCount);
  const equalCells = gone.reduce(
    (sum, { cells }) => sum + sumOf(cells, (cell) => having[cell]?.length ?? 0),
    0,
  );
  if (equalCells > PAIRING_LIMITS.equalCells) return undefined;
  const levels = new Map<number, IndexPairs>();
  const equal = new Uint16Array(come.length);
  let count = 0;
  for (const [index, { cells }] of gone.entries()) {
    yield;
    const met: number[] = [];
    for (const cell of cells) {
      for (const other of having[cell] ?? []) {
        const count = equal[other] ?? 0;
        if (count === 0) met.push(other);
        equal[other] = count + 1;
      }
    }
    for (const other of met) {
      const share = (equal[other] ?? 0) / Math.max(cells.length, come[other]?.cells.length ?? 0);
      equal[other] = 0;
      if (share < ALIKE) continue;
      if (++count > PAIRING_LIMITS.alike) return undefined;
      const level = levels.get(share);
      if (level === undefined) levels.set(share, [index, other]);
      else level.push(index, other);
    }
  }
  return levels;
}

const sumOf = (cells: readonly number[], weight: (cell: number) => number): number =>
  cells.reduce((sum, cell) => sum + weight(cell), 0);

function indexesByCell(contents: readonly Content[], cellCount: number): number[][] {
  const indexes = Array.from({ length: cellCount }, (): number[] => []);
  for (const [index, { cells }] of contents.entries()) for (const cell of cells) indexes[cell]?.push(index);
  return indexes;
}

/**
 * Pairs two contents if each is the other's single best match. A content with several rows pairs until the rows of one side run
 * out.
 */
function* pairLevel(
  gone: readonly Content[],
  come: readonly Content[],
  indexes: IndexPairs,
): Steps<RowPair[]> {
  const left: [before: Content, after: Content][] = [];
  const partners = new Map<Content, number>();
  for (let at = 0; at < indexes.length; at += 2) {
    if (at % STEP === 0) yield;
    const [before, after] = [gone[indexes[at] ?? -1], come[indexes[at + 1] ?? -1]];
    if (before === undefined || after === undefined) continue;
    if (before.keys.length === 0 || after.keys.length === 0) continue;
    left.push([before, after]);
    for (const each of [before, after]) partners.set(each, (partners.get(each) ?? 0) + 1);
  }
  const isClear = (content: Content): boolean => partners.get(content) === 1 && !content.isUnclear;
  const pairs: RowPair[] = [];
  for (const [at, [before, after]] of left.entries()) {
    if (at % STEP === 0) yield;
    if (isClear(before) && isClear(after)) {
      pairs.push(...pairRows(before, after));
    } else {
      before.isUnclear = true;
      after.isUnclear = true;
    }
  }
  return pairs;
}

/** How many contents are looked at in a step: an even number, because they come in pairs. */
const STEP = 4_096;

function pairRows(before: Content, after: Content): RowPair[] {
  const count = Math.min(before.keys.length, after.keys.length);
  const [olds, news] = [before.keys.splice(0, count), after.keys.splice(0, count)];
  return olds.map((key, index) => ({ before: key, after: news[index] ?? '' }));
}
