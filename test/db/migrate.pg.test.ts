// Migrations: up, down and up again, many processes at once, after a crash; and the schema that they produce.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, expect, inject, it } from 'vitest';
import { describeSchema } from '../support/servers/describe-schema.ts';
import { type Database, openDatabase } from '../../db/driver/knex.ts';
import { assertMigrated, migrate, rollBackAll } from '../../db/migrate.ts';
import * as orderedWebhooks from '../../db/migrations/0051-ordered-webhooks.ts';
import * as loneDeliveries from '../../db/migrations/0055-lone-deliveries.ts';
import * as originAnswers from '../../db/migrations/0065-origin-answers.ts';
import * as similarRowsIndex from '../../db/migrations/0074-similar-rows-index.ts';
import * as digestIndexes from '../../db/migrations/0078-digest-indexes.ts';
import * as snapshotRules from '../../db/migrations/0080-snapshot-rules.ts';
import * as waitingSince from '../../db/migrations/0088-waiting-since.ts';
import { makeRecord } from './factories.ts';
import { until } from '../support/until.ts';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** A database without tables. */
async function makeEmptyDatabase(): Promise<{ db: Database; url: string }> {
  const name = `empty_${randomBytes(8).toString('hex')}`;
  const server = new pg.Client(inject('postgresUrl'));
  await server.connect();
  await server.query(`create database ${name}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = name;
  const db = openDatabase(url.href, { poolSize: 2 });
  cleanUps.push(async () => {
    await db.destroy();
    await server.query(`drop database ${name}`);
    await server.end();
  });
  return { db, url: url.href };
}

it('produce the schema in db/schema.txt (after a change: npx vitest run test/db/migrate.pg.test.ts --update)', async () => {
  const { db, url } = await makeEmptyDatabase();
  await migrate(url);
  await expect(await describeSchema(db)).toMatchFileSnapshot('../../db/schema.txt');
});

it('produce the same schema again after a rollback', async () => {
  const { db, url } = await makeEmptyDatabase();
  await migrate(url);
  const schema = await describeSchema(db);
  await rollBackAll(url);
  expect(await describeSchema(db)).toBe('');
  await migrate(url);
  expect(await describeSchema(db)).toBe(schema);
});

it('run once when twenty processes start at once', async () => {
  const { db, url } = await makeEmptyDatabase();
  await Promise.all(Array.from({ length: 20 }, () => migrate(url)));
  await assertMigrated(db);
  const names = (await db('knex_migrations').pluck('name')) as string[];
  expect(names).toEqual([...new Set(names)]);
  expect(names.length).toBeGreaterThanOrEqual(3);
});

it('regression: make an index again that was left invalid when its creation was interrupted', async () => {
  const { db, url } = await makeEmptyDatabase();
  await migrate(url);
  const indexes = [
    'deliveries_in_line',
    'deliveries_lone',
    'row_versions_paired',
    'deliveries_collecting',
    'deliveries_digests',
    'deliveries_waiting',
  ];
  const invalid = async (): Promise<string[]> => {
    const rows = await db('pg_index')
      .where('indisvalid', false)
      .select(db.raw('indexrelid::regclass::text as name'));
    return rows.map(({ name }: { name: string }) => name);
  };
  await db('pg_index').whereRaw('indexrelid = any(?::regclass[])', [indexes]).update({ indisvalid: false });
  expect((await invalid()).toSorted()).toEqual(indexes.toSorted());
  for (const { up } of [orderedWebhooks, loneDeliveries, similarRowsIndex, digestIndexes, waitingSince])
    await up(db);
  expect(await invalid()).toEqual([]);
});

it('run after a migrator that was killed while it held the lock', async () => {
  const { db, url } = await makeEmptyDatabase();
  await migrate(url);
  await db('knex_migrations').where({ name: '0003-webhooks' }).delete();
  await db.raw('drop table attempts, deliveries, webhooks cascade');
  await db('knex_migrations_lock').update({ is_locked: 1 });
  await migrate(url);
  await assertMigrated(db);
  expect(await db.schema.hasTable('attempts')).toBe(true);
  expect(await db('knex_migrations_lock').first()).toMatchObject({ isLocked: 0 });
});

it('regression: give way to a transaction that is under way, and run after it', async () => {
  const { db, url } = await makeEmptyDatabase();
  await migrate(url);
  await originAnswers.down(db);
  await db('knex_migrations').where({ name: '0065-origin-answers' }).delete();
  const commit = new pg.Client(url);
  await commit.connect();
  cleanUps.push(() => commit.end());
  await commit.query('begin; lock table loose_bodies in row exclusive mode');
  const outcome = migrate(url).then(
    () => 'migrated',
    (error: Error) => error.message,
  );
  await until('the migration waits for the second of its tables', async () => {
    const { rows } = await db.raw<{ rows: object[] }>(
      `select from pg_locks where relation = 'loose_bodies'::regclass and not granted`,
    );
    return rows.length > 0;
  });
  // The migration has locked this one first: both would wait for each other.
  await commit.query('lock table checks in row exclusive mode; commit');
  expect(await outcome).toBe('migrated');
  await assertMigrated(db);
  expect(await db.schema.hasColumn('loose_bodies', 'answer')).toBe(true);
});

/** Migrates again from the time before a migration, while another transaction holds a lock. */
async function migrateBeside(
  { db, url }: { db: Database; url: string },
  [name, { down }]: [string, Pick<typeof originAnswers, 'down'>],
  lock: string,
): Promise<() => Promise<void>> {
  await down(db);
  await db('knex_migrations').where({ name }).delete();
  const other = new pg.Client(url);
  await other.connect();
  cleanUps.push(() => other.end());
  await other.query(`begin; ${lock}`);
  const migrated = migrate(url);
  migrated.catch(() => undefined);
  return async () => {
    await other.query('commit');
    await migrated;
    await assertMigrated(db);
  };
}

it('regression: add columns for ordered webhooks without holding up reads while a dump holds the table', async () => {
  const made = await makeEmptyDatabase();
  const { db, url } = made;
  await migrate(url);
  const dump = 'lock table webhooks in access share mode';
  const end = await migrateBeside(made, ['0051-ordered-webhooks', orderedWebhooks], dump);
  await until('the migration waits for the table', async () => {
    const { rows } = await db.raw<{ rows: object[] }>(
      `select from pg_locks where relation = 'webhooks'::regclass and not granted`,
    );
    return rows.length > 0;
  });
  const reader = new pg.Client({ connectionString: url, statement_timeout: 60_000 });
  await reader.connect();
  cleanUps.push(() => reader.end());
  expect((await reader.query('select count(*)::integer as count from webhooks')).rows).toEqual([
    { count: 0 },
  ]);
  await end();
  expect(await db.schema.hasTable('delivery_turns')).toBe(true);
});

it('regression: note the rules of snapshots without the lock that their column needs', async () => {
  const made = await makeEmptyDatabase();
  const { db, url } = made;
  await migrate(url);
  const recordId = await makeRecord(db);
  const rules = { price: { as: 'number' }, id: { trim: true } };
  await db('record_heads')
    .where({ recordId })
    .update({ rules: JSON.stringify(rules), keyFields: ['id'] });
  await db('snapshots').insert({ id: 'snap_1', recordId, sequence: 1, generation: 1, totalRows: 0, columns: [], bytes: 1, contentHash: '', createdAt: new Date() }); // prettier-ignore
  const use = 'lock table record_heads in access exclusive mode';
  const end = await migrateBeside(made, ['0080-snapshot-rules', snapshotRules], use);
  const held = await until('the update waits for the heads', async () => {
    const { rows } = await db.raw<{ rows: { modes: string[] }[] }>(
      `select (select coalesce(array_agg(mode), '{}') from pg_locks held
        where relation = 'snapshots'::regclass and granted and held.pid = waiting.pid) as modes
      from pg_locks waiting where relation = 'record_heads'::regclass and not granted`,
    );
    return rows[0]?.modes;
  });
  expect(held).not.toContain('AccessExclusiveLock');
  await end();
  expect(await db('snapshots').pluck('rules')).toEqual([{ price: { as: 'number' } }]);
});

/** The traces of a later version: its migration, and the oldest one whose code works with it. */
async function migrateAsLater(db: Database, oldestMigration: string): Promise<void> {
  await db('knex_migrations').insert({ name: '9999-later', batch: 9, migrationTime: new Date() });
  await db('schema_compatibility').update({ oldestMigration });
}

it('of a later version are accepted by a process that works with that schema, which leaves them as they are', async () => {
  const { db, url } = await makeEmptyDatabase();
  await migrate(url);
  await migrateAsLater(db, '0030-schema-compatibility');
  await assertMigrated(db);
  await migrate(url);
  expect(await db('knex_migrations').pluck('name')).toContain('9999-later');
  expect(await db('schema_compatibility').first()).toMatchObject({
    oldestMigration: '0030-schema-compatibility',
  });
});

it('are refused by a process of an older version that does not work with them; it names the unknown migration', async () => {
  const { db, url } = await makeEmptyDatabase();
  await migrate(url);
  await migrateAsLater(db, '9999-later');
  const newer = 'The database is newer than this version: 9999-later';
  await expect(assertMigrated(db)).rejects.toThrow(newer);
  await expect(migrate(url)).rejects.toThrow(newer);
  await db('schema_compatibility').delete();
  await expect(assertMigrated(db)).rejects.toThrow(newer);
  await db('knex_migrations').where({ name: '9999-later' }).delete();
  await assertMigrated(db);
});

it('are named when they have not been applied', async () => {
  const { db, url } = await makeEmptyDatabase();
  await expect(assertMigrated(db)).rejects.toThrow(
    'lacks migrations: 0001-accounts, 0002-records, 0003-webhooks',
  );
  await migrate(url);
  await db('knex_migrations').where({ name: '0003-webhooks' }).delete();
  await expect(assertMigrated(db)).rejects.toThrow('lacks migrations: 0003-webhooks');
});

it('are not reported as missing when the database does not answer', async () => {
  const db = openDatabase('postgres://nobody@127.0.0.1:1/none', { poolSize: 1 });
  cleanUps.push(() => db.destroy());
  await expect(assertMigrated(db)).rejects.toThrow('ECONNREFUSED');
});
