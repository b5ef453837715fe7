// Shortens answers to the size that models can take: long texts, rows with many columns, lists. Cursors, keys and links stay
// whole, because half of one is useless. A page is never cut: a smaller one is read, whose cursor continues after its last item.
import { isExactNumber, parseExactly } from '../../../core/text/exact-json.ts';
import { ApiError } from '../../../core/errors.ts';
import { encodeJson } from '../../http/json.ts';

interface Cuts {
  maxTextCharacters: number;
  /** Of a row. */
  maxColumns: number;
  /** Of a list within an answer that is not its page. */
  maxItems: number;
}

/** How much was cut. */
interface CutCounts {
  texts: number;
  columns: number;
  items: number;
}

/** Members that are only useful whole. */
const WHOLE: ReadonlySet<string> = new Set(['nextCursor', 'url', 'key', 'previousKey']);
/** Members that contain a row, whose columns may have any name. */
const ROWS: ReadonlySet<string> = new Set(['data', 'before', 'after']);

/**
 * @param answer from parseExactly
 * @param items the member whose length stays
 */
function cutLong(
  answer: object,
  cuts: Cuts,
  items: string | undefined,
): { value: object; counts: CutCounts } {
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
  const page = listOf(answer, items).map((item) => cut(item, false));
  const value = cutMembers(items === undefined ? answer : { ...answer, [items]: [] }, false);
  return { value: items === undefined ? value : { ...value, [items]: page }, counts };
}

export const MAX_ANSWER_CHARACTERS = 40_000;
/** Leaves room for the notice about what was cut, and for the cursor that a smaller page has. */
const AIM_CHARACTERS = 37_000;

/** From light to heavy. */
const LEVELS: readonly Cuts[] = [
  { maxTextCharacters: 1_000, maxColumns: 1_000, maxItems: 1_000 },
  { maxTextCharacters: 200, maxColumns: 200, maxItems: 100 },
  { maxTextCharacters: 60, maxColumns: 50, maxItems: 20 },
];

/**
 * Runs a tool and shortens its answer if necessary.
 * @param items the member whose length `limit` bounds, if there is one
 * @param run reads the answer, with the caller's limit or a smaller one
 * @returns JSON
 * @throws ApiError query_too_expensive when the answer is still too large after all cuts
 */
export async function fitAnswer(
  items: string | undefined,
  run: (smaller?: { limit: number }) => Promise<unknown>,
): Promise<string> {
  const text = encodeJson(await run());
  if (text.length <= MAX_ANSWER_CHARACTERS) return text;
  const whole = parse(text);
  let answer = whole;
  for (const level of LEVELS) {
    const cut = cutTo(level, answer, items, whole);
    if (cut.length <= MAX_ANSWER_CHARACTERS) return cut;
    const limit = fittingCount(cut, items);
    if (limit === undefined) continue;
    answer = parse(encodeJson(await run({ limit })));
    const smaller = cutTo(level, answer, items, whole);
    if (smaller.length <= MAX_ANSWER_CHARACTERS) return smaller;
  }
  throw new ApiError(
    'query_too_expensive',
    'The answer is too long, even shortened. Ask for fewer columns, or use get_download_link.',
  );
}

// Every tool's output is an object.
const parse = (text: string): object => parseExactly(text) as object;

/** @returns JSON */
function cutTo(level: Cuts, answer: object, items: string | undefined, whole: object): string {
  const { value, counts } = cutLong(answer, level, items);
  const parts = [...cutsInWords(counts, level), ...fewerInWords(answer, items, whole)];
  return JSON.stringify({ ...value, notice: parts.join(' ') });
}

/** Samples and groups have no cursor. */
function fewerInWords(answer: object, items: string | undefined, whole: object): string[] {
  const [shown, asked] = [listOf(answer, items).length, listOf(whole, items).length];
  if (shown >= asked) return [];
  const isPage = 'nextCursor' in answer && typeof answer.nextCursor === 'string';
  const rest = isPage ? '; nextCursor continues after them' : '';
  return [`Only ${shown} of ${asked} ${items} fit${rest}.`];
}

/**
 * How many of the first items fit, by their own sizes, because items differ in length: at least one.
 * @param cut an answer that is too long, as JSON
 * @returns undefined where no fewer items are possible
 */
function fittingCount(cut: string, items: string | undefined): number | undefined {
  const sizes = listOf(parse(cut), items).map((item) => JSON.stringify(item).length + 1);
  if (sizes.length < 2) return undefined;
  let left = AIM_CHARACTERS - (cut.length - sizes.reduce((sum, size) => sum + size, 0));
  const end = sizes.findIndex((size) => {
    left -= size;
    return left < 0;
  });
  return Math.min(sizes.length - 1, Math.max(1, end));
}

function listOf(answer: object, items: string | undefined): readonly unknown[] {
  const [, list] = Object.entries(answer).find(([name]) => name === items) ?? [];
  return Array.isArray(list) ? list : [];
}

function cutsInWords({ texts, columns, items }: CutCounts, level: Cuts): string[] {
  const cuts = [
    texts > 0 ? `${texts} texts after ${level.maxTextCharacters} characters` : '',
    columns > 0 ? `rows after ${level.maxColumns} columns` : '',
    items > 0 ? `lists after ${level.maxItems} items` : '',
  ].filter((cut) => cut !== '');
  return cuts.length === 0 ? [] : [`Cut: ${cuts.join(', ')}. get_download_link has everything.`];
}
