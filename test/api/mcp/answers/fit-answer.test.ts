// Shortening of answers, with pages of any items. test/api/mcp/answers/fit-answer.pages.pg.test.ts does the same through the tools.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fitAnswer, MAX_ANSWER_CHARACTERS } from '../../../../api/mcp/answers/fit-answer.ts';
import { propertyRuns } from '../../../support/runner/property-runs.ts';

interface Row {
  key: string;
  previousKey: string;
  data: Record<string, string>;
}

interface Answer {
  count: number;
  hasMore: boolean;
  nextCursor: string | null;
  rows: Row[];
  notice?: string;
}

const rowsOf = (lengths: readonly number[], keyLength = 5): Row[] =>
  lengths.map((length, at) => {
    const key = String(at).padStart(keyLength, '0');
    return { key, previousKey: key, data: { text: 'x'.repeat(length) } };
  });

function pageOf(rows: readonly Row[], after: number, limit: number): Answer {
  const page = rows.slice(after, after + limit);
  const hasMore = after + limit < rows.length;
  const nextCursor = hasMore ? String(after + limit) : null;
  return { count: page.length, hasMore, nextCursor, rows: page };
}

async function readPage(rows: readonly Row[], after: number, limit: number): Promise<Answer> {
  const text = await fitAnswer('rows', async (smaller = { limit }) => pageOf(rows, after, smaller.limit));
  expect(text.length).toBeLessThanOrEqual(MAX_ANSWER_CHARACTERS);
  return JSON.parse(text) as Answer;
}

it('regression: pages of rows of any size show each row once, and state their own count', async () => {
  const length = fc.oneof(fc.nat(10), fc.nat(1_200), fc.nat(20_000));
  const runs = fc.array(fc.tuple(length, fc.integer({ min: 1, max: 150 })), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      runs,
      fc.integer({ min: 1, max: 200 }),
      fc.constantFrom(5, 71, 900),
      async (given, limit, keyLength) => {
        const lengths = given.flatMap(([each, times]) => Array<number>(times).fill(each));
        const rows = rowsOf(lengths, keyLength);
        const seen: Row[] = [];
        for (let after: number | null = 0; after !== null;) {
          const { count, nextCursor, notice = '', rows: shown } = await readPage(rows, after, limit);
          expect(count).toBe(shown.length);
          const asked = Math.min(limit, rows.length - after);
          const fewer = `Only ${count} of ${asked} rows fit; nextCursor continues after them.`;
          const isFewer = count < asked;
          expect([notice.includes('Only'), notice.endsWith(fewer)]).toEqual([isFewer, isFewer]);
          expect(isFewer && nextCursor === null).toBe(false);
          seen.push(...shown);
          after = nextCursor === null ? null : Number(nextCursor);
        }
        const keysOf = (list: readonly Row[]): string[][] => list.map((row) => [row.key, row.previousKey]);
        expect(keysOf(seen)).toEqual(keysOf(rows));
      },
    ),
    propertyRuns(40),
  );
});
