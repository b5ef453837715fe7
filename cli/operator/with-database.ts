// Opens the database for one command of the operator.
import { connectOnce } from '../../db/driver/connect-once.ts';
import { type Database, openDatabase } from '../../db/driver/knex.ts';
import { assertMigrated } from '../../db/migrate.ts';
import { type OperatorSettings, operatorSettings } from './settings.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;

/** @throws Error that says where the database is when it does not answer, or that it lacks migrations */
export async function withDatabase<T>(
  work: (db: Database, settings: OperatorSettings) => Promise<T>,
): Promise<T> {
  const settings = operatorSettings(process.env);
  const { databaseUrl } = settings;
  await assertAnswers(databaseUrl);
  const db = openDatabase(databaseUrl, {
    poolSize: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'recordwatch operator',
  });
  try {
    await assertMigrated(db);
    return await work(db, settings);
  } finally {
    await db.destroy();
  }
}

/**
 * Uses a connection of its own, because the pool would print errors to the command's standard output.
 * @throws Error that says where the database is
 */
export async function assertAnswers(connectionString: string): Promise<void> {
  try {
    await connectOnce(connectionString, (client) => client.query('select'), CONNECT_TIMEOUT_MS);
  } catch (cause) {
    throw new Error(`The database at ${addressOf(connectionString)} cannot be used: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

/** Without user and password. */
function addressOf(databaseUrl: string): string {
  const { hostname, port, pathname } = new URL(databaseUrl);
  return `${hostname}:${port || '5432'}${pathname}`;
}

/** A host with several addresses fails with several errors and a message that is empty. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return error.message === '' ? code : error.message;
}
