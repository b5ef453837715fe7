// `doctor`: says what is wrong now, and what to do about it.
import { openDatabase } from '../../db/driver/knex.ts';
import type { Printing } from '../operator/print.ts';
import { type OperatorSettings, operatorSettings } from '../operator/settings.ts';
import { askTemporal } from '../operator/tell-workflows.ts';
import { assertAnswers } from '../operator/with-database.ts';
import { checkBlobs } from './check-blobs.ts';
import { checkDatabase } from './database-checks.ts';
import { AFTER_QUERY, type Finding, orProblem, printFindings, problem, reasonOf } from './finding.ts';
import { checkTemporal } from './temporal-checks.ts';

const STATEMENT_TIMEOUT_MS = 60_000;

/** Sets the exit code: 0 all is well, 1 there are warnings, 2 there are problems. */
export async function doctor(printing: Printing): Promise<void> {
  printFindings(printing, await diagnose(operatorSettings(process.env)));
}

/** @param now this machine's clock, in milliseconds since the epoch */
export async function diagnose(settings: OperatorSettings, now: () => number = Date.now): Promise<Finding[]> {
  const [ofDatabase, ofTemporal, ofBlobs] = await Promise.all([
    diagnoseDatabase(settings, now),
    diagnoseTemporal(settings, now),
    checkBlobs(settings),
  ]);
  return [...ofDatabase, ...ofTemporal, ofBlobs];
}

async function diagnoseDatabase(settings: OperatorSettings, now: () => number): Promise<Finding[]> {
  const { databaseUrl } = settings;
  try {
    await assertAnswers(databaseUrl);
  } catch (error) {
    return [problem('database', `${reasonOf(error)}.`, 'Start PostgreSQL, or correct DATABASE_URL.')];
  }
  const db = openDatabase(databaseUrl, {
    poolSize: 2,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'recordwatch doctor',
  });
  try {
    return await orProblem('database', () => checkDatabase(db, settings, now), AFTER_QUERY);
  } finally {
    await db.destroy();
  }
}

async function diagnoseTemporal(settings: OperatorSettings, now: () => number): Promise<Finding[]> {
  const namespace = settings.temporalNamespace;
  const { answer, error } = await askTemporal(settings, (client) => checkTemporal(client, namespace, now));
  return (
    answer ?? [
      problem('temporal', `${error}.`, 'Start Temporal, or correct TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE.'),
    ]
  );
}
