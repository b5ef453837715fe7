// What `doctor` says about damaged pages of the database.
import type { Database } from '../../db/driver/knex.ts';
import { countDamagedPages, type DamagedTable, findDamagedTables, isDamage } from '../../db/upkeep/damage.ts';
import { fine, type Finding, problem, reasonOf, warning } from './finding.ts';

const CHECK = 'pages';

export const namesOf = (damaged: readonly DamagedTable[]): string =>
  damaged.map(({ table, reason }) => `${table} (${reason})`).join(', ');

/**
 * Runs checks that read the database, and then looks for damage. Tables are read only if PostgreSQL has met a damaged page.
 * @returns the findings of the checks, unless a damaged page ends them, and one about pages
 */
export async function withPages(db: Database, checks: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    const findings = await checks();
    const count = await countDamagedPages(db);
    return [
      ...findings,
      count === 0 ? fine(CHECK, 'PostgreSQL has met no damaged page.') : await describe(db, count),
    ];
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [await describe(db, 1)];
  }
}

async function describe(db: Database, count: number | undefined): Promise<Finding> {
  if (count === undefined) {
    const words =
      'The pages of PostgreSQL have no checksums, so damage on the disk could show as other data.';
    return warning(CHECK, words, 'Stop PostgreSQL, run `pg_checksums --enable`, and start it again.');
  }
  try {
    const { damaged } = await findDamagedTables(db);
    if (damaged.length > 0) {
      const words = `Damaged tables: ${namesOf(damaged)}. Calls and checks that need these pages fail.`;
      return problem(
        CHECK,
        words,
        'Replace the disk and restore a backup: docs/operations.md, A damaged page.',
      );
    }
  } catch (error) {
    const words = `PostgreSQL has met damaged pages, and the tables could not be read: ${reasonOf(error)}.`;
    return problem(CHECK, words, 'Run `recordwatch backup check`, which takes the time that it needs.');
  }
  const words = `PostgreSQL has met damaged pages ${count} times. All tables can be read, so they were in an index, or are repaired.`;
  return warning(
    CHECK,
    words,
    'Find the index by the log of PostgreSQL and run `reindex`: docs/operations.md, A damaged page. Then run `select pg_stat_reset()`.',
  );
}
