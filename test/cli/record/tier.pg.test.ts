// `record tier` twice at once.
import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';
import { rawRows } from '../../../db/driver/knex.ts';
import { createAccount, createTestRecord } from '../../support/rows/factories.ts';
import { createTestDatabase } from '../../support/servers/database.ts';
import { PROGRAMS } from '../../support/servers/programs.ts';
import { until } from '../../support/until.ts';

it('regression: the second one sees the tier that the first one has set', async () => {
  const database = await createTestDatabase();
  const { db } = database;
  try {
    const id = await createTestRecord(db, await createAccount(db), { tier: 'free' });
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, DATABASE_URL: database.url };
    const setTier = (to: string): Promise<string> =>
      new Promise((resolve) => {
        const args = [PROGRAMS.cli.path, 'record', 'tier', id, to, '--json'];
        execFile(process.execPath, args, { env }, (_error, stdout) => resolve(stdout));
      });
    const waiting = (count: number): Promise<unknown> =>
      until(`${count} wait`, async () => {
        const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return (await rawRows(db, sql)).length === count;
      });
    const trx = await db.transaction();
    await trx('records').where({ id }).forUpdate();
    const first = setTier('watch');
    await waiting(1);
    const second = setTier('free');
    await waiting(2);
    await trx.commit();
    expect(JSON.parse(await first)).toMatchObject({ tier: 'watch', previousTier: 'free' });
    expect(JSON.parse(await second)).toMatchObject({ tier: 'free', previousTier: 'watch' });
    expect(await db('audit_entries').where({ targetId: id }).orderBy('id').pluck('changes')).toEqual([
      [{ field: 'tier', before: 'free', after: 'watch' }],
      [{ field: 'tier', before: 'watch', after: 'free' }],
    ]);
  } finally {
    await database.drop();
  }
});
