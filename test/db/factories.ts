// Accounts, records, webhooks and commits for tests of the database: each test makes its own.
import { randomBytes } from 'node:crypto';
import { createIdentifier, type KeyedRow } from '../../core/delta/keys/keyed-row.ts';
import type { Cell } from '../../core/delta/model.ts';
import { type ColumnRules, NO_RULES } from '../../core/delta/rules/column-rules.ts';
import { createWarnings } from '../../core/delta/warnings.ts';
import { type IdKind, makeId } from '../../core/ids.ts';
import { insertAccount } from '../../db/accounts/accounts.ts';
import { commitDelta, type DeltaOutcome } from '../../db/commit/commit-delta.ts';
import { commitGeneration, type GenerationOutcome } from '../../db/commit/commit-generation.ts';
import type { CheckFacts, DeltaCommit, ReadBody } from '../../db/commit/commit-facts.ts';
import { type Database, rawRows } from '../../db/driver/knex.ts';
import { findRecord, insertRecord, type NewRecord, type TrackedRecord } from '../../db/records/records.ts';
import { insertWebhook, updateWebhook } from '../../db/webhooks/webhooks.ts';
import { ruleInForce } from '../support/rows/factories.ts';

export const newId = (kind: IdKind): string => makeId(kind, Date.now(), randomBytes(16).toString('hex'));

export async function makeAccount(db: Database): Promise<string> {
  const id = newId('account');
  await insertAccount(db, { id, name: 'An account', wrappedDataKey: randomBytes(60) });
  return id;
}

export async function makeRecord(db: Database, overrides: Partial<NewRecord> = {}): Promise<string> {
  const id = overrides.id ?? newId('record');
  await insertRecord(db, {
    id,
    accountId: overrides.accountId ?? (await makeAccount(db)),
    slug: id.replace('_', '-'),
    name: 'Prices',
    url: 'https://example.com/prices.csv',
    tier: 'max',
    format: null,
    delimiter: null,
    rowsPath: null,
    keyFields: null,
    ignoreFields: [],
    checkIntervalSeconds: 60,
    ...overrides,
  });
  return id;
}

export async function getRecord(db: Database, id: string): Promise<TrackedRecord> {
  const record = await findRecord(db, id);
  if (record === undefined) throw new Error(`No record ${id}`);
  return record;
}

export async function makeWebhook(db: Database, recordId: string, enabled = true): Promise<string> {
  const id = newId('webhook');
  await insertWebhook(
    db,
    { id, recordId, url: 'https://example.com/hook', sealedSecret: randomBytes(40) },
    20,
  );
  if (!enabled) await updateWebhook(db, { recordId }, id, { enabled: false });
  return id;
}

export function checkFacts(recordId: string, overrides: Partial<CheckFacts> = {}): CheckFacts {
  return {
    id: newId('check'),
    recordId,
    trigger: 'schedule',
    startedAt: new Date(),
    httpStatus: 200,
    bytes: 10,
    rows: null,
    nextCheckInMs: 60_000,
    ...overrides,
  };
}

export interface Table {
  columns: string[];
  /** The first cell is the row's key. */
  rows: Cell[][];
}

/** Rows with their identity, as the readers of bodies make them. */
export function keyedRows(
  { columns, rows }: Table,
  rules = NO_RULES,
  keyFields = columns.slice(0, 1),
): KeyedRow[] {
  const rule = { keyFields, isIgnored: () => false, rules };
  return createIdentifier(rule, createWarnings()).identify({ columns, rows });
}

/** A table of two columns from pairs of key and value. */
export const table = (pairs: Readonly<Record<string, string>>): Table => ({
  columns: ['id', 'value'],
  rows: Object.entries(pairs).map(([key, value]) => [JSON.stringify(key), JSON.stringify(value)]),
});

export interface CommitOptions {
  checkId?: string;
  isSharpDrop?: DeltaCommit['isSharpDrop'];
  /** Awaited between the table's rows and the end of the body: a check that takes its time, or breaks off. */
  beforeEnd?: () => Promise<void>;
  /** Half of them unless given. */
  rowsPerBatch?: number;
  /** Compare the rows in memory. Not for the first snapshot. */
  fitsInMemory?: boolean;
  /** For columns, from the first commit on; those in force unless given. */
  rules?: ColumnRules;
  /** Rows without a key, and how they are paired. */
  keyless?: Pick<DeltaCommit, 'pairing'>;
  body?: Partial<ReadBody>;
  /** An open transaction, which commits the check when it ends. */
  inside?: Database;
}

/** Commits a table as one check. */
export async function commitTable(
  db: Database,
  recordId: string,
  version: Table,
  options: CommitOptions = {},
): Promise<DeltaOutcome> {
  const { id, trigger, startedAt, httpStatus, nextCheckInMs } = checkFacts(recordId);
  const rule = { ...(await ruleInForce(db, recordId)), ...(options.rules && { rules: options.rules }) };
  const { keyless } = options;
  const rows = keyedRows(version, rule.rules, keyless && []);
  const key = { fields: [], source: 'given' as const, evidence: null };
  return commitDelta(options.inside ?? db, {
    check: { id: options.checkId ?? id, recordId, trigger, startedAt, httpStatus, nextCheckInMs },
    validators: { urlHash: 'hash', etag: null, lastModified: null },
    batches: inBatches(rows, options),
    body: () => ({ ...bodyOf(version), ...(keyless && { key }), ...options.body }),
    isSharpDrop: options.isSharpDrop ?? (() => false),
    rule,
    fitsInMemory: options.fitsInMemory ?? false,
    ...keyless,
  });
}

/** Begins a generation: with the stored body under other settings, or with a new one after a request to start over. */
export async function rekeyTable(
  db: Database,
  recordId: string,
  version: Table,
  {
    keyFields = version.columns.slice(0, 1),
    rules = NO_RULES,
    startsOver = false,
  }: { keyFields?: string[]; rules?: ColumnRules; startsOver?: boolean } = {},
): Promise<GenerationOutcome> {
  const { generation, bodySha256 } = await getRecord(db, recordId);
  if (startsOver) await db('records').where({ id: recordId }).update({ startsOverGeneration: generation });
  const { id, startedAt, nextCheckInMs } = checkFacts(recordId);
  const origin = startsOver
    ? { trigger: 'schedule', httpStatus: 200 }
    : { trigger: 'settings', httpStatus: null };
  const key = { fields: keyFields, source: 'given' as const, evidence: null };
  const outcome = await commitGeneration(db, {
    check: { id, recordId, startedAt, nextCheckInMs, ...origin } as DeltaCommit['check'],
    validators: { urlHash: 'hash', etag: null, lastModified: null },
    batches: inBatches(keyedRows(version, rules, keyFields), { rowsPerBatch: 100 }),
    body: () => ({ ...bodyOf(version), key, ...(!startsOver && { sha256: bodySha256 ?? '' }) }),
    rule: { ...(await ruleInForce(db, recordId)), rules },
    storedSha256: startsOver ? null : bodySha256,
  });
  await db('records').where({ id: recordId }).update({ startsOverGeneration: null });
  return outcome;
}

function bodyOf({ columns, rows }: Table): ReadBody {
  return {
    sha256: randomBytes(32).toString('hex'),
    bytes: 100,
    rows: rows.length,
    columns,
    key: { fields: columns.slice(0, 1), source: 'given', evidence: null },
    dialect: { format: 'csv', delimiter: ',', charset: 'utf-8', rowsPath: '' },
    warnings: [],
  };
}

async function* inBatches(
  rows: readonly KeyedRow[],
  { beforeEnd, rowsPerBatch = Math.ceil(rows.length / 2) }: CommitOptions,
): AsyncGenerator<readonly KeyedRow[]> {
  for (let at = 0; at < rows.length; at += rowsPerBatch) yield rows.slice(at, at + rowsPerBatch);
  await beforeEnd?.();
}

/** How many lines each table holds. */
export async function countLines(db: Database): Promise<Record<string, number>> {
  const tables = await db('pg_tables')
    .where({ schemaname: 'public' })
    .orderBy('tablename')
    .pluck('tablename');
  const counts: Record<string, number> = {};
  for (const name of tables as string[]) {
    const [row] = await rawRows<{ count: number }>(db, 'select count(*) as count from ??', [name]);
    counts[name] = row?.count ?? 0;
  }
  return counts;
}
