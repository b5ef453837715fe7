// Texts that PostgreSQL folds to the same case are the same here, and no others: search and rules agree.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { foldCase } from '../../../../core/delta/rules/fold-case.ts';
import { rawRows } from '../../../../db/driver/knex.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const LAST = 0x10_ff_ff;
const isHalf = (code: number): boolean => code >= 0xd8_00 && code <= 0xdf_ff;

/** The characters of each form, for forms of more than one. */
function groupsOf(pairs: Iterable<readonly [character: string, form: string]>): string[] {
  const groups = new Map<string, string[]>();
  for (const [character, form] of pairs) groups.set(form, [...(groups.get(form) ?? []), character]);
  return [...groups.values()].filter((group) => group.length > 1).map((group) => group.join(' '));
}

it('every character is the same as in full case folding', async () => {
  const characters = Array.from({ length: LAST }, (_, at) => at + 1)
    .filter((code) => !isHalf(code))
    .map((code) => String.fromCodePoint(code));
  // Node and PostgreSQL may know different versions of Unicode.
  const rows = await rawRows<{ character: string; form: string }>(
    database.db,
    `select character, casefold(character collate "pg_unicode_fast") as form from unnest(?::text[]) as each (character)
     where unicode_assigned(character)`,
    [characters],
  );
  const folded = new Map(rows.map(({ character, form }) => [character, form]));
  // Texts of several letters are in the groups too: ß with ss.
  const several = [...new Set(folded.values())].filter((form) => !folded.has(form));
  const all = [...folded.keys(), ...several];
  expect(groupsOf(all.map((each) => [each, foldCase(each)]))).toEqual(
    groupsOf(all.map((each) => [each, folded.get(each) ?? each])),
  );
  expect(folded.size).toBeGreaterThan(200_000);
});
