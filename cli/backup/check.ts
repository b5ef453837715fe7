// `backup check`: says of a restored database whether it is whole, up to when it reaches, and what follows when the service starts.
import { openDatabase } from '../../db/driver/knex.ts';
import type { Database } from '../../db/driver/knex.ts';
import {
  countHeadsWithoutEvent,
  countHeadsWithoutRows,
  countWorkingCredentials,
  findRecoveryPoint,
} from '../../db/upkeep/backup.ts';
import { findDamagedTables } from '../../db/upkeep/damage.ts';
import { checkKeys, checkDatabaseSchema } from '../doctor/database-checks.ts';
import { namesOf } from '../doctor/check-pages.ts';
import {
  AFTER_QUERY,
  fine,
  type Finding,
  orProblem,
  printFindings,
  problem,
  reasonOf,
} from '../doctor/finding.ts';
import type { Printing } from '../operator/print.ts';
import { type OperatorSettings, operatorSettings } from '../operator/settings.ts';
import { assertAnswers } from '../operator/with-database.ts';

/** Sets the exit code as `doctor` does. */
export async function checkBackup(printing: Printing): Promise<void> {
  const settings = operatorSettings(process.env);
  await assertAnswers(settings.databaseUrl);
  // No statement timeout: it reads the whole database.
  const db = openDatabase(settings.databaseUrl, { poolSize: 1, applicationName: 'recordwatch backup' });
  try {
    printFindings(printing, await examineBackup(db, settings));
  } finally {
    await db.destroy();
  }
}

export async function examineBackup(db: Database, settings: OperatorSettings): Promise<Finding[]> {
  return [
    await checkTables(db),
    ...(await orProblem('database', () => examineState(db, settings), AFTER_QUERY)),
  ];
}

async function examineState(db: Database, settings: OperatorSettings): Promise<Finding[]> {
  const schema = await checkDatabaseSchema(db);
  // The other statements may need columns that are missing.
  if (schema.level !== 'ok') return [schema];
  return [
    schema,
    await checkHeads(db),
    await checkKeys(db, settings.keyEncryptionKeys),
    ...(await describePoint(db)),
    await describeCredentials(db),
  ];
}

async function checkTables(db: Database): Promise<Finding> {
  try {
    const { tables, damaged } = await findDamagedTables(db);
    if (damaged.length === 0) return fine('tables', `All ${tables} tables can be read.`);
    return problem('tables', `Damaged tables: ${namesOf(damaged)}.`, 'Restore an earlier backup.');
  } catch (error) {
    return problem('tables', `A table cannot be read: ${reasonOf(error)}.`, 'Restore an earlier backup.');
  }
}

async function checkHeads(db: Database): Promise<Finding> {
  const [withoutEvent, withoutRows] = [await countHeadsWithoutEvent(db), await countHeadsWithoutRows(db)];
  if (withoutEvent + withoutRows === 0)
    return fine('records', 'Every record has its latest event, its latest snapshot and the rows of it.');
  return problem(
    'records',
    `${withoutEvent} records lack their latest event, and ${withoutRows} have other rows than their latest snapshot or lack it: ` +
      'this is not the state of one moment.',
    'Restore a whole backup of pg_basebackup or pg_dump, with all of its WAL, and let no error of pg_restore pass.',
  );
}

async function describePoint(db: Database): Promise<Finding[]> {
  const { lastCheckAt, records, dueRecords, pendingDeliveries } = await findRecoveryPoint(db);
  const reach =
    lastCheckAt === null
      ? 'No record was checked.'
      : `The latest check ended at ${lastCheckAt.toISOString()}.`;
  return [
    fine('recovery point', `${reach} Events after that are gone: their pollers get 410 and start over.`),
    fine('next', `${dueRecords} of ${records} records are due and are checked once a worker runs.`),
    fine(
      'deliveries',
      `${pendingDeliveries} deliveries are pending. Those that were made after the backup are made again, with the same ids.`,
    ),
  ];
}

/** Nobody can tell from the backup which ones ended after it. */
async function describeCredentials(db: Database): Promise<Finding> {
  const { keys, logins, clients, sessions } = await countWorkingCredentials(db);
  return fine(
    'credentials',
    `${keys} API keys, ${logins} logins, ${clients} connected clients and ${sessions} anonymous sessions work, also those that ` +
      'were ended after the backup. Accounts and records that were deleted after it are back.',
  );
}
