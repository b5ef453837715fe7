// The demonstration's history in a database: eight real versions of the SPDX licence list, a week apart.
import { demoVersions } from '../../../demo/versions.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { commitRows, createTestRecord } from '../../support/rows/factories.ts';
import { naiveTable, type NaiveTable } from '../../support/checks/naive-compare.ts';

export interface DemoHistory {
  id: string;
  slug: string;
  /** Oldest first. */
  tables: NaiveTable[];
  /** The time just before the nth version (from 0) was found. */
  before: (version: number) => string;
}

const WEEK_MS = 7 * 86_400_000;

export async function makeDemoHistory(
  db: Database,
  accountId: string,
  slug = 'licences',
): Promise<DemoHistory> {
  const id = await createTestRecord(db, accountId, { slug, name: 'SPDX licences', keyFields: ['id'] });
  const tables = demoVersions().map(({ csv }) => naiveTable(csv, 'id'));
  const start = Date.now() - tables.length * WEEK_MS;
  const at = (version: number): Date => new Date(start + version * WEEK_MS);
  for (const table of tables) {
    const rows = Object.fromEntries(Array.from(table, ([key, row]) => [key, JSON.stringify(row)]));
    await commitRows(db, id, rows, ['id', 'name', 'url', 'osiApproved']);
  }
  for (const version of tables.keys()) {
    const ofVersion = { recordId: id, sequence: version + 1 };
    await db('delta_events')
      .where(ofVersion)
      .update({ detectedAt: at(version) });
    await db('snapshots')
      .where(ofVersion)
      .update({ createdAt: at(version) });
  }
  return { id, slug, tables, before: (version) => new Date(at(version).getTime() - 60_000).toISOString() };
}
