// Migrates a database to this version's schema, and checks whether it has this schema.
import createKnex, { type Knex } from 'knex';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { type Database, isPostgresError, rawRows } from './driver/knex.ts';
import { giveWay, withShortLocks } from './driver/short-locks.ts';
import * as accounts from './migrations/0001-accounts.ts';
import * as records from './migrations/0002-records.ts';
import * as webhooks from './migrations/0003-webhooks.ts';
import * as access from './migrations/0004-access.ts';
import * as deliveries from './migrations/0005-deliveries.ts';
import * as generations from './migrations/0006-generations.ts';
import * as oauth from './migrations/0007-oauth.ts';
import * as users from './migrations/0008-users.ts';
import * as activity from './migrations/0009-activity.ts';
import * as bodies from './migrations/0012-bodies.ts';
import * as headerRow from './migrations/0013-header-row.ts';
import * as deletedAccounts from './migrations/0017-deleted-accounts.ts';
import * as confirmedLogins from './migrations/0018-confirmed-logins.ts';
import * as bodySweep from './migrations/0019-body-sweep.ts';
import * as unchangedChecks from './migrations/0020-unchanged-checks.ts';
import * as hotHeads from './migrations/0021-hot-heads.ts';
import * as failedSettings from './migrations/0022-failed-settings.ts';
import * as schemaCompatibility from './migrations/0030-schema-compatibility.ts';
import * as auditLog from './migrations/0031-audit-log.ts';
import * as rateCounts from './migrations/0036-rate-counts.ts';
import * as presentWorkers from './migrations/0037-present-workers.ts';
import * as labels from './migrations/0044-labels.ts';
import * as feeds from './migrations/0045-feeds.ts';
import * as columnRules from './migrations/0046-column-rules.ts';
import * as webhookRows from './migrations/0050-webhook-rows.ts';
import * as orderedWebhooks from './migrations/0051-ordered-webhooks.ts';
import * as cloudEvents from './migrations/0052-cloudevents.ts';
import * as changedColumns from './migrations/0053-changed-columns.ts';
import * as accountWebhooks from './migrations/0054-account-webhooks.ts';
import * as loneDeliveries from './migrations/0055-lone-deliveries.ts';
import * as feedKeys from './migrations/0056-feed-keys.ts';
import * as conditions from './migrations/0057-conditions.ts';
import * as quietRecords from './migrations/0058-quiet-records.ts';
import * as noticeFormats from './migrations/0060-notice-formats.ts';
import * as originAnswers from './migrations/0065-origin-answers.ts';
import * as recordPreviews from './migrations/0067-record-previews.ts';
import * as mcpTasks from './migrations/0070-mcp-tasks.ts';
import * as keyRequests from './migrations/0072-key-requests.ts';
import * as similarRows from './migrations/0073-similar-rows.ts';
import * as similarRowsIndex from './migrations/0074-similar-rows-index.ts';
import * as digests from './migrations/0076-digests.ts';
import * as failingAfter from './migrations/0077-failing-after.ts';
import * as digestIndexes from './migrations/0078-digest-indexes.ts';
import * as previousKeys from './migrations/0079-previous-keys.ts';
import * as snapshotRules from './migrations/0080-snapshot-rules.ts';
import * as unchangedSince from './migrations/0083-unchanged-since.ts';
import * as heldNews from './migrations/0084-held-news.ts';
import * as quietEvents from './migrations/0085-quiet-events.ts';
import * as toldOwners from './migrations/0086-told-owners.ts';
import * as quoting from './migrations/0087-quoting.ts';
import * as waitingSince from './migrations/0088-waiting-since.ts';
import * as laterBodies from './migrations/0089-later-bodies.ts';

interface Migration {
  up: (knex: Knex) => Promise<void>;
  down: (knex: Knex) => Promise<void>;
  /** Without it, the migration runs in a transaction. */
  config?: { transaction: boolean };
}

/** In order. The name of a released migration never changes, because databases store it. */
const MIGRATIONS: ReadonlyMap<string, Migration> = new Map([
  ['0001-accounts', accounts],
  ['0002-records', records],
  ['0003-webhooks', webhooks],
  ['0004-access', access],
  ['0005-deliveries', deliveries],
  ['0006-generations', generations],
  ['0007-oauth', oauth],
  ['0008-users', users],
  ['0009-activity', activity],
  ['0012-bodies', bodies],
  ['0013-header-row', headerRow],
  ['0017-deleted-accounts', deletedAccounts],
  ['0018-confirmed-logins', confirmedLogins],
  ['0019-body-sweep', bodySweep],
  ['0020-unchanged-checks', unchangedChecks],
  ['0021-hot-heads', hotHeads],
  ['0022-failed-settings', failedSettings],
  ['0030-schema-compatibility', schemaCompatibility],
  ['0031-audit-log', auditLog],
  ['0036-rate-counts', rateCounts],
  ['0037-present-workers', presentWorkers],
  ['0044-labels', labels],
  ['0045-feeds', feeds],
  ['0046-column-rules', columnRules],
  ['0050-webhook-rows', webhookRows],
  ['0051-ordered-webhooks', orderedWebhooks],
  ['0052-cloudevents', cloudEvents],
  ['0053-changed-columns', changedColumns],
  ['0054-account-webhooks', accountWebhooks],
  ['0055-lone-deliveries', loneDeliveries],
  ['0056-feed-keys', feedKeys],
  ['0057-conditions', conditions],
  ['0058-quiet-records', quietRecords],
  ['0060-notice-formats', noticeFormats],
  ['0065-origin-answers', originAnswers],
  ['0067-record-previews', recordPreviews],
  ['0070-mcp-tasks', mcpTasks],
  ['0072-key-requests', keyRequests],
  ['0073-similar-rows', similarRows],
  ['0074-similar-rows-index', similarRowsIndex],
  ['0076-digests', digests],
  ['0077-failing-after', failingAfter],
  ['0078-digest-indexes', digestIndexes],
  ['0079-previous-keys', previousKeys],
  ['0080-snapshot-rules', snapshotRules],
  ['0083-unchanged-since', unchangedSince],
  ['0084-held-news', heldNews],
  ['0085-quiet-events', quietEvents],
  ['0086-told-owners', toldOwners],
  ['0087-quoting', quoting],
  ['0088-waiting-since', waitingSince],
  ['0089-later-bodies', laterBodies],
]);

/**
 * Code that knows this migration works with the present schema. A migration that takes away or changes what earlier code reads
 * or writes raises it to the first migration whose code does not need that any more (CONTRIBUTING.md).
 */
const OLDEST_COMPATIBLE = '0030-schema-compatibility';

// Any fixed number that no other program uses for a lock in this database.
const MIGRATION_LOCK = 7_265_636_644;
const LOCK_RETRY_MS = 200;

const MIGRATOR: Knex.MigratorConfig = {
  migrationSource: {
    getMigrations: () => Promise.resolve([...MIGRATIONS.keys()]),
    getMigrationName: (name: string) => name,
    getMigration: (name: string) => Promise.resolve(withShortLocks(MIGRATIONS.get(name) ?? missing(name))),
  } satisfies Knex.MigrationSource<string>,
};

function missing(name: string): never {
  throw new Error(`Migration ${name} is not known to this version`);
}

/**
 * Applies missing migrations, each in a transaction of its own, while the version before keeps working. Several processes may
 * call it at once: an advisory lock lets one run. Does nothing when a newer version has migrated the database and this version
 * works with that schema, as before a rollback to this version.
 * @throws Error when the database was migrated by a newer version that this one cannot work beside
 */
export async function migrate(databaseUrl: string): Promise<void> {
  await withMigrationLock(databaseUrl, async (knex, isNewer) => {
    if (isNewer) return;
    // First, so that older processes stop relying on what the migrations take away.
    await raiseOldest(knex);
    while (await runNext(knex));
    await raiseOldest(knex);
  });
}

/** One at a time: `latest` of knex would hold the locks of all of them to the end. @returns false when none is left */
async function runNext(knex: Knex): Promise<boolean> {
  const [, ran]: [number, string[]] = await giveWay(() => knex.migrate.up(MIGRATOR));
  return ran.length > 0;
}

/** Does nothing before the migration that adds the table. */
async function raiseOldest(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasTable('schema_compatibility'))) return;
  await knex('schema_compatibility').insert({ oldest_migration: OLDEST_COMPATIBLE }).onConflict('id').merge();
}

/** Rolls back every migration, with all data: for development, and for the test that each one can be rolled back. */
export async function rollBackAll(databaseUrl: string): Promise<void> {
  await withMigrationLock(databaseUrl, async (knex) => {
    await knex.migrate.rollback(MIGRATOR, true);
  });
}

/**
 * Checks the schema at the start of a process and for readiness. A schema with later migrations will do if it says that this
 * version works with it.
 * @param read by default on a connection of the pool, which waits for a database that is away
 * @throws Error that says how the schema differs from this version's
 */
export async function assertMigrated(db: Database, read: Read = (sql) => rawRows(db, sql)): Promise<void> {
  const applied = await appliedMigrations(read);
  await refuseIncompatible(read, applied);
  const pending = [...MIGRATIONS.keys()].filter((name) => !applied.includes(name));
  if (pending.length > 0) throw new Error(`The database lacks migrations: ${pending.join(', ')}`);
}

/** Reads names. */
type Read = (sql: string) => Promise<{ name: string }[]>;

/** @returns whether a newer version has migrated the database */
async function refuseIncompatible(read: Read, applied: readonly string[]): Promise<boolean> {
  const unknown = applied.filter((name) => !MIGRATIONS.has(name));
  if (unknown.length === 0) return false;
  const [oldest] = applied.includes('0030-schema-compatibility')
    ? await read('select oldest_migration as name from schema_compatibility')
    : [];
  if (oldest !== undefined && MIGRATIONS.has(oldest.name)) return true;
  throw new Error(`The database is newer than this version: ${unknown.join(', ')}`);
}

async function appliedMigrations(read: Read): Promise<string[]> {
  try {
    const applied = await read('select name from knex_migrations order by id');
    return applied.map(({ name }) => name);
  } catch (error) {
    if (isPostgresError(error, 'undefinedTable')) return [];
    throw error;
  }
}

/**
 * Asks again and again. A statement that waited for the lock would hold a snapshot, and `create index concurrently` of the
 * process that has the lock waits for all snapshots.
 */
async function takeMigrationLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [MIGRATION_LOCK]);
    if (rows[0].taken === true) return;
    await setTimeout(LOCK_RETRY_MS);
  }
}

async function withMigrationLock(
  databaseUrl: string,
  work: (knex: Knex, isNewer: boolean) => Promise<void>,
): Promise<void> {
  const lock = new pg.Client({ connectionString: databaseUrl });
  // knex warns of each attempt, and the error of the last one says what is wrong.
  const log = { warn: () => undefined };
  const knex = createKnex({ client: 'pg', connection: databaseUrl, pool: { min: 0, max: 2 }, log });
  await lock.connect();
  try {
    await takeMigrationLock(lock);
    // knex's own lock is a row that a killed process leaves behind. Under our lock no other process can hold it.
    await knex.migrate.forceFreeMigrationsLock(MIGRATOR);
    const read: Read = (sql) => rawRows(knex, sql);
    await work(knex, await refuseIncompatible(read, await appliedMigrations(read)));
  } finally {
    await knex.destroy();
    await lock.end();
  }
}
