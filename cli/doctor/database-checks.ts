// What `doctor` checks in PostgreSQL: the schema, the clock, what is late, and the keys that seal secrets.
import type { KeyEncryptionKeys } from '../../core/crypto/envelope.ts';
import { countDataKeys, findClosedDataKeys } from '../../db/accounts/data-keys.ts';
import type { Database } from '../../db/driver/knex.ts';
import { assertMigrated } from '../../db/migrate.ts';
import {
  findLateDeliveries,
  findLateRecords,
  type Late,
  listAilingRecords,
  readClockMs,
} from '../../db/upkeep/symptoms.ts';
import type { OperatorSettings } from '../operator/settings.ts';
import { withPages } from './check-pages.ts';
import { compareClocks, fine, type Finding, problem, reasonOf, warning } from './finding.ts';

/** Reconciling runs once a minute, so it has missed a record that is later than this. */
const RECONCILED_MS = 120_000;

/** The largest number that is counted exactly. */
const MANY = 1_000;

export async function checkDatabase(
  db: Database,
  settings: OperatorSettings,
  now: () => number,
): Promise<Finding[]> {
  const schema = await checkDatabaseSchema(db);
  // The other statements may need columns that are missing.
  if (schema.level !== 'ok') return [schema];
  return [schema, ...(await withPages(db, () => checkState(db, settings, now)))];
}

async function checkState(db: Database, settings: OperatorSettings, now: () => number): Promise<Finding[]> {
  const graceMs = settings.reconcileGraceSeconds * 1_000 + RECONCILED_MS;
  return [
    await compareClocks('PostgreSQL', () => readClockMs(db), now),
    checkLate('overdue records', 'checks of records', await findLateRecords(db, graceMs)),
    checkLate('overdue deliveries', 'deliveries', await findLateDeliveries(db, graceMs)),
    await checkAiling(db),
    await checkKeys(db, settings.keyEncryptionKeys),
  ];
}

export async function checkDatabaseSchema(db: Database): Promise<Finding> {
  try {
    await assertMigrated(db);
    return fine('schema', 'The database has the schema of this version.');
  } catch (error) {
    return problem(
      'schema',
      `${reasonOf(error)}.`,
      'Run `recordwatch migrate` of the newest version in use.',
    );
  }
}

function checkLate(check: string, what: string, { count, id, dueAt }: Late): Finding {
  if (id === null || dueAt === null) return fine(check, `No ${what} are overdue.`);
  return problem(
    check,
    `${count} ${what} are overdue; ${id} is due since ${dueAt.toISOString()}.`,
    'Look at the findings about Temporal. If they are fine, see the logs of the workers, or start more workers.',
  );
}

async function checkAiling(db: Database): Promise<Finding> {
  const counts = await Promise.all(
    (['failing', 'held'] as const).map(
      async (symptom) => (await listAilingRecords(db, symptom, MANY)).length,
    ),
  );
  const [failing = 0, held = 0] = counts.map((count) => (count > MANY ? `more than ${MANY}` : count));
  // Faults of origins, of which their owners are notified.
  return fine(
    'records',
    `Failing records: ${failing}; held checks: ${held} (record list --failing, --held).`,
  );
}

/** Opens every data key. */
export async function checkKeys(db: Database, keks: KeyEncryptionKeys): Promise<Finding> {
  const [first] = keks.keys();
  if (first === undefined) {
    const words = 'KEY_ENCRYPTION_KEYS is not set, so nothing could be opened.';
    return warning('keys', words, 'Give this command the KEY_ENCRYPTION_KEYS of the API.');
  }
  const closed = await findClosedDataKeys(db, keks);
  if (closed !== undefined) {
    return problem('keys', closed, 'Add the missing keys to KEY_ENCRYPTION_KEYS of every API and worker.');
  }
  const counted = await countDataKeys(db);
  const older = counted.filter(({ keyId }) => keyId !== first).reduce((sum, { count }) => sum + count, 0);
  if (older === 0) return fine('keys', `All data keys open, and are sealed under ${first}.`);
  const words = `All data keys open; ${older} are sealed under an older key than ${first}.`;
  return warning('keys', words, 'Run `recordwatch keys rotate`. Then the older keys can be removed.');
}
