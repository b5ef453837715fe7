// Creates accounts, keys, records and data for tests, with the product's database functions.
import { randomBytes, randomUUID } from 'node:crypto';
import { mintApiKey } from '../../../core/crypto/api-key.ts';
import { createDataKey, type KeyEncryptionKeys } from '../../../core/crypto/envelope.ts';
import { type IdKind, makeId } from '../../../core/ids.ts';
import type { Scope } from '../../../core/principal.ts';
import { insertAccount } from '../../../db/accounts/accounts.ts';
import { insertApiKey } from '../../../db/access/api-keys.ts';
import { commitDelta, type DeltaOutcome } from '../../../db/commit/commit-delta.ts';
import type { KeptRule } from '../../../db/commit/commit-facts.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { findRecord, insertRecord, type NewRecord } from '../../../db/records/records.ts';

export const testKeys: KeyEncryptionKeys = new Map([['test', randomBytes(32)]]);

export const newTestId = (kind: IdKind, timeMs = Date.now()): string => makeId(kind, timeMs, randomUUID());

export async function createAccount(db: Database): Promise<string> {
  const id = newTestId('account');
  const { wrapped } = createDataKey(testKeys, id);
  await insertAccount(db, { id, name: 'Test', wrappedDataKey: wrapped });
  return id;
}

/** @returns the key's id and its value */
export async function createKey(
  db: Database,
  accountId: string,
  scope: Scope,
  recordId: string | null = null,
): Promise<{ id: string; value: string }> {
  const kind = recordId === null ? 'account' : 'record';
  const { value, ...minted } = mintApiKey(kind);
  const id = newTestId('apiKey');
  await insertApiKey(db, { id, accountId, recordId, kind, scope, name: 'test', ...minted });
  return { id, value };
}

export async function createTestRecord(
  db: Database,
  accountId: string,
  settings: Partial<NewRecord> = {},
): Promise<string> {
  const id = newTestId('record');
  await insertRecord(db, {
    id,
    accountId,
    slug: `record-${id.slice(-12)}`,
    name: 'Prices',
    url: 'https://example.com/prices.csv',
    tier: 'watch',
    format: null,
    delimiter: null,
    rowsPath: null,
    keyFields: null,
    ignoreFields: [],
    checkIntervalSeconds: 3_600,
    ...settings,
  });
  return id;
}

/** Commits a check that read these rows, given as JSON object texts by key. */
export async function commitRows(
  db: Database,
  recordId: string,
  rows: Readonly<Record<string, string>>,
  columns: string[] = ['id', 'price'],
): Promise<DeltaOutcome> {
  const batch = Object.entries(rows).map(([key, data]) => ({
    key,
    data,
    hash: hashOf(data),
    isRepeat: false,
  }));
  return commitDelta(db, {
    check: {
      id: newTestId('check'),
      recordId,
      trigger: 'schedule',
      startedAt: new Date(),
      httpStatus: 200,
      nextCheckInMs: 3_600_000,
    },
    validators: { urlHash: 'hash', etag: null, lastModified: null },
    batches: oneBatch(batch),
    body: () => ({
      sha256: randomBytes(32).toString('hex'),
      bytes: 100,
      rows: batch.length,
      columns,
      key: { fields: ['id'], source: 'detected', evidence: { candidate: 'id' } },
      dialect: { format: 'csv', delimiter: ',', charset: 'utf-8', rowsPath: '' },
      warnings: [],
    }),
    isSharpDrop: () => false,
    rule: await ruleInForce(db, recordId),
  });
}

/** The rule of the record's stored rows; any rule when the record is deleted. */
export async function ruleInForce(db: Database, recordId: string): Promise<KeptRule> {
  const record = await findRecord(db, recordId);
  return {
    generation: record?.generation ?? 1,
    ignoreFields: record?.headIgnoreFields ?? [],
    rules: record?.headRules ?? {},
    headerRow: record?.headHeaderRow ?? null,
    quoting: record?.headQuoting ?? 'double',
    dialectVersion: record?.headDialectVersion ?? 1,
  };
}

async function* oneBatch<T>(batch: T[]): AsyncGenerator<T[]> {
  yield batch;
}

/** Equal for equal texts, which is all that a comparison needs. */
function hashOf(text: string): Buffer {
  const hash = Buffer.alloc(16);
  for (const [index, byte] of Buffer.from(text).entries()) {
    const at = index % 16;
    hash[at] = ((hash[at] ?? 0) * 31 + byte) % 256;
  }
  return hash;
}
