// Cuts what is long in an answer: texts, rows with many columns, lists. Cursors, keys and links stay whole, for half of
// one is of no use.
import { isExactNumber } from './exact-json.ts';

export interface Cuts {
  maxTextCharacters: number;
  /** Of a row. */
  maxColumns: number;
  maxItems: number;
}

/** How much was cut. */
export interface CutCounts {
  texts: number;
  columns: number;
  items: number;
}

/** Members of answers that work only whole. */
const WHOLE: ReadonlySet<string> = new Set(['nextCursor', 'url', 'key']);
/** Members that hold a row, whose columns may have any name. */
const ROWS: ReadonlySet<string> = new Set(['data', 'before', 'after']);

/** @param answer as parseExactly gave it */
export function cutLong(answer: object, cuts: Cuts): { value: object; counts: CutCounts } {
  const counts: CutCounts = { texts: 0, columns: 0, items: 0 };
  const cutText = (text: string): string => {
    if (text.length <= cuts.maxTextCharacters) return text;
    counts.texts += 1;
    return `${text.slice(0, cuts.maxTextCharacters).toWellFormed()}… (${text.length} characters)`;
  };
  const cut = (value: unknown, isRow: boolean): unknown => {
    if (typeof value === 'string') return cutText(value);
    if (typeof value !== 'object' || value === null || isExactNumber(value)) return value;
    if (Array.isArray(value)) {
      counts.items += Math.max(0, value.length - cuts.maxItems);
      return value.slice(0, cuts.maxItems).map((item: unknown) => cut(item, isRow));
    }
    return cutMembers(value, isRow);
  };
  const cutMembers = (value: object, isRow: boolean): object => {
    const members: [string, unknown][] = Object.entries(value);
    const kept = isRow ? members.slice(0, cuts.maxColumns) : members;
    counts.columns += members.length - kept.length;
    // Object.fromEntries, because a column may be called __proto__.
    return Object.fromEntries(
      kept.map(([name, member]) => [
        name,
        !isRow && WHOLE.has(name) ? member : cut(member, isRow || ROWS.has(name)),
      ]),
    );
  };
  return { value: cutMembers(answer, false), counts };
}
