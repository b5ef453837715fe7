// Shortens answers to the size that models can take: long texts, rows with many columns, lists. Cursors, keys and links stay
// whole, because half of one is useless.
import { isExactNumber, parseExactly } from './exact-json.ts';
import { ApiError } from '../../../core/errors.ts';
import { encodeJson } from '../../http/json.ts';

interface Cuts {
  maxTextCharacters: number;
  /** Of a row. */
  maxColumns: number;
  maxItems: number;
}

/** How much was cut. */
interface CutCounts {
  texts: number;
  columns: number;
  items: number;
}

/** Members that are only useful whole. */
const WHOLE: ReadonlySet<string> = new Set(['nextCursor', 'url', 'key']);
/** Members that contain a row, whose columns may have any name. */
const ROWS: ReadonlySet<string> = new Set(['data', 'before', 'after']);

/** @param answer from parseExactly */
function cutLong(answer: object, cuts: Cuts): { value: object; counts: CutCounts } {
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

export const MAX_ANSWER_CHARACTERS = 40_000;
/** Leaves room for the notice about what was cut. */
const AIM_CHARACTERS = 39_000;
/** A margin, because items differ in length. */
const CAREFUL = 0.9;

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
    const count = countOf(answer, items);
    if (count < 2) continue;
    // A page with fewer items is better than a shortened one, because its cursor continues after them.
    const limit = Math.max(1, Math.floor((count * AIM_CHARACTERS * CAREFUL) / cut.length));
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
  const { value, counts } = cutLong(answer, level);
  const [shown, asked] = [countOf(answer, items), countOf(whole, items)];
  const parts = [
    ...cutsInWords(counts, level),
    ...(shown < asked ? [`Only ${shown} of ${asked} ${items} fit; nextCursor continues after them.`] : []),
  ];
  return JSON.stringify({ ...value, notice: parts.join(' ') });
}

function countOf(answer: object, items: string | undefined): number {
  const [, list] = Object.entries(answer).find(([name]) => name === items) ?? [];
  return Array.isArray(list) ? list.length : 0;
}

function cutsInWords({ texts, columns, items }: CutCounts, level: Cuts): string[] {
  const cuts = [
    texts > 0 ? `${texts} texts after ${level.maxTextCharacters} characters` : '',
    columns > 0 ? `rows after ${level.maxColumns} columns` : '',
    items > 0 ? `lists after ${level.maxItems} items` : '',
  ].filter((cut) => cut !== '');
  return cuts.length === 0 ? [] : [`Cut: ${cuts.join(', ')}. get_download_link has everything.`];
}
