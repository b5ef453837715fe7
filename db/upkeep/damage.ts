// Looks for pages of the database whose bytes have changed on the disk. PostgreSQL refuses to read them.
import { type Database, rawRows } from '../driver/knex.ts';

/** Damaged data, a damaged index, a disk that does not read, and a missing file. */
const DAMAGE: ReadonlySet<unknown> = new Set(['XX001', 'XX002', '58030', '58P01']);

export const isDamage = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && DAMAGE.has(error.code);

/** A table that cannot be read, and PostgreSQL's reason, which names the file and the block. */
export interface DamagedTable {
  table: string;
  reason: string;
}

/**
 * Reads every row of every table once, with values that are stored apart, so that PostgreSQL verifies the checksums of their
 * pages. Indexes are not read.
 */
export async function findDamagedTables(db: Database): Promise<{ tables: number; damaged: DamagedTable[] }> {
  const tables = await rawRows<{ name: string; hasLongValues: boolean }>(
    db,
    `select format('%I', relname) as name, coalesce(pg_relation_size(nullif(reltoastrelid, 0)), 0) > 0 as "hasLongValues"
     from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`,
  );
  const damaged: DamagedTable[] = [];
  for (const { name, hasLongValues } of tables) {
    try {
      await db.transaction(async (trx) => {
        // It would count without reading the rows.
        await trx.raw('set local enable_indexonlyscan = off');
        await trx.raw(`select count(${hasLongValues ? 'rows_of::text' : '*'}) from ${name} rows_of`);
      });
    } catch (error) {
      if (!isDamage(error)) throw error;
      damaged.push({ table: name, reason: error.message });
    }
  }
  return { tables: tables.length, damaged };
}

/** How many damaged pages PostgreSQL has met since its statistics began; undefined when its pages have no checksums. */
export async function countDamagedPages(db: Database): Promise<number | undefined> {
  const [row] = await rawRows<{ failures: number | null }>(
    db,
    'select checksum_failures as failures from pg_stat_database where datname = current_database()',
  );
  return row?.failures ?? undefined;
}
