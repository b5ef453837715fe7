// Computes past events as they would have been under other column rules and other ignored columns.
import { carryOverBy } from './carry-over.ts';
import { cellText, changedFields, memberName, rowKey, splitRowJson } from './keys/keyed-row.ts';
import type { RowVersion } from './compare.ts';
import type { IsIgnored } from './model.ts';
import { type Pairing, pairSteps } from './pair-similar.ts';
import { canonicalBy } from './rules/canonical-cell.ts';
import { type ColumnRules, rulesBeside } from './rules/column-rules.ts';
import type { Steps } from './steps.ts';

export interface ReplayRule {
  rules: ColumnRules;
  isIgnored: IsIgnored;
  /** Empty: a row's content is its key. */
  keyFields: readonly string[];
  /** How edited rows without a key are recognised. */
  pairing: Pairing | null;
}

/** A row of an event, as JSON object texts; null where there is none. */
export interface PastRow {
  key: string;
  before: string | null;
  after: string | null;
}

/** How many rows the event would have had. */
interface ReplayedCounts {
  newCount: number;
  changedCount: number;
  deletedCount: number;
}

/**
 * Takes the rows of one event after the other, oldest first, each event's by key. Finish the steps of one before the next.
 * @param unreadAfter the last key that was read of an event with more rows, empty if none was; null when all were read
 * @returns also how many of the rows were decided. Under a tolerance the others depend on rows that were not read.
 */
export type Replay = (
  rows: readonly PastRow[],
  unreadAfter?: string | null,
) => Steps<{ counts: ReplayedCounts; decided: number }>;

/** Whether a row's key comes from these fields, of which there is at least one: an earlier generation may have had others. */
export function isKeyedBy(keyFields: readonly string[], { key, before, after }: PastRow): boolean {
  const cells = new Map(splitRowJson(after ?? before ?? '{}'));
  return rowKey(keyFields.map((field) => cellText(cells.get(field)))) === key;
}

export const createReplay = (rule: ReplayRule): Replay =>
  rule.keyFields.length === 0 ? createContentReplay(rule) : createKeyedReplay(rule);

function createKeyedReplay({ rules, isIgnored, keyFields }: ReplayRule): Replay {
  const carryOver = carryOverBy(rules, keyFields) ?? ((_before: string, after: string) => after);
  const without = withoutIgnored(isIgnored);
  /** Rows that would be stored otherwise than they are: a tolerance counts from the value that was reported last. */
  const reported = new Map<string, string>();
  const unknown = unknownRows(rules, keyFields);

  /** What would be stored after one change of a row, and whether that change would be reported. */
  function step(was: string, wanted: string): { kept: string; isChanged: boolean } {
    const is = carryOver(was, wanted);
    const isChanged = changedFields(was, is).length > 0;
    return { kept: isChanged ? is : was, isChanged };
  }

  function isReported({ key, before, after }: PastRow): boolean {
    const last = reported.get(key);
    reported.delete(key);
    if (before === null || after === null) return true;
    const stored = without(before);
    // First applies the changes of events in between, of which this row was not read.
    const was = last === undefined ? stored : step(last, stored).kept;
    const wanted = without(after);
    const { kept, isChanged } = step(was, wanted);
    if (kept !== wanted) reported.set(key, kept);
    return isChanged;
  }

  return function* (rows, unreadAfter = null) {
    const counts = { newCount: 0, changedCount: 0, deletedCount: 0 };
    let decided = 0;
    for (const row of rows) {
      yield;
      if (unknown.has(row)) continue;
      decided += 1;
      if (!isReported(row)) continue;
      if (row.before === null) counts.newCount += 1;
      else if (row.after === null) counts.deletedCount += 1;
      else counts.changedCount += 1;
    }
    if (unreadAfter !== null) unknown.addAfter(unreadAfter);
    return { counts, decided };
  };
}

/**
 * The rows whose last reported values are unknown under a tolerance, because they may be among those of an earlier event that
 * were not read. A row that is new again is known again.
 */
function unknownRows(rules: ColumnRules, keyFields: readonly string[]) {
  const counts = [...rulesBeside(rules, keyFields).values()].some(({ tolerance }) => tolerance !== undefined);
  const known = new Set<string>();
  let after: string | undefined;
  return {
    has({ key, before, after: is }: PastRow): boolean {
      if (after === undefined || !isKeyAfter(key, after)) return false;
      if (before === null) known.add(key);
      return is !== null && !known.has(key);
    },
    addAfter(key: string): void {
      if (!counts) return;
      for (const each of known) if (isKeyAfter(each, key)) known.delete(each);
      if (after === undefined || isKeyAfter(after, key)) after = key;
    },
  };
}

/** In the order of the database: by the bytes of UTF-8. */
const isKeyAfter = (key: string, other: string): boolean =>
  Buffer.compare(Buffer.from(key), Buffer.from(other)) > 0;

/** A row that differs only in what does not count is a new one and a deleted one with the same content. */
function createContentReplay({ rules, isIgnored, pairing }: ReplayRule): Replay {
  const canonicals = new Map(Object.entries(rules).map(([column, rule]) => [column, canonicalBy(rule)]));
  const contentOf = (data: string): string =>
    splitRowJson(data)
      .filter(([column]) => !isIgnored(column))
      .map(([column, token]) => memberName(column) + (canonicals.get(column)?.(token) ?? token))
      .sort()
      .join(',');
  const without = withoutIgnored(isIgnored);
  return function* (rows) {
    const surplus = new Map<string, { count: number; data: string }>();
    const add = (data: string | null, count: number): void => {
      if (data === null) return;
      const content = contentOf(data);
      surplus.set(content, { data, count: (surplus.get(content)?.count ?? 0) + count });
    };
    for (const { before, after } of rows) {
      yield;
      add(after, 1);
      add(before, -1);
    }
    const rowsOf = function* (sign: 1 | -1): Steps<RowVersion[]> {
      const versions: RowVersion[] = [];
      for (const [index, { count, data }] of [...surplus.values()].entries()) {
        yield;
        const kept = sign * count > 0 ? without(data) : '';
        for (let repeat = 0; repeat < sign * count; repeat++)
          versions.push({ key: `${index}#${repeat}`, data: kept });
      }
      return versions;
    };
    const [added, deleted] = [yield* rowsOf(1), yield* rowsOf(-1)];
    const pairs = pairing === null ? [] : ((yield* pairSteps(deleted, added, rules)) ?? []);
    const changedCount = pairs.length;
    const counts = {
      newCount: added.length - changedCount,
      changedCount,
      deletedCount: deleted.length - changedCount,
    };
    return { counts, decided: rows.length };
  };
}

/** The data of a row without ignored columns, as `carryOver` writes it. */
const withoutIgnored =
  (isIgnored: IsIgnored) =>
  (data: string): string =>
    `{${splitRowJson(data)
      .filter(([column]) => !isIgnored(column))
      .map(([column, token]) => memberName(column) + token)
      .join(',')}}`;
