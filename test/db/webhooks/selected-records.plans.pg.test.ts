// What a commit reads to find the webhooks of an account: an index leads to the account's own, also among many of others.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commitProblemCheck, commitUnchangedCheck } from '../../../db/commit/checks.ts';
import { type Database, rawRows } from '../../../db/driver/knex.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { type Explainer, openExplainer, scansWhole, vacuum } from '../../support/rows/explain.ts';
import { checkFacts, commitTable, makeAccount, makeRecord, makeWebhook, table } from '../factories.ts';

const ACCOUNTS = 200;

let database: TestDatabase;
let db: Database;
let explainer: Explainer;
let recordId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  await db.raw(
    `insert into accounts (id, name, wrapped_data_key) select 'acc_' || n, 'x', '' from generate_series(1, :ACCOUNTS) n`,
    { ACCOUNTS },
  );
  await db.raw(
    `insert into records (id, account_id, slug, name, url, tier, check_interval_seconds)
     select 'src_' || n, 'acc_' || n % :ACCOUNTS + 1, 's' || n, 'x', 'https://example.com/', 'max', 60
     from generate_series(1, 20 * :ACCOUNTS) n`,
    { ACCOUNTS },
  );
  await db.raw(
    `insert into webhooks (id, account_id, selects, url, sealed_secret)
     select 'wh_' || n, 'acc_' || n % :ACCOUNTS + 1, case when n % 2 = 0 then 'list' else 'all' end, 'https://example.com', ''
     from generate_series(1, 20 * :ACCOUNTS) n`,
    { ACCOUNTS },
  );
  await db.raw(
    `insert into webhook_records select webhooks.id, records.id
     from webhooks join records on records.account_id = webhooks.account_id where selects = 'list'`,
  );
  const accountId = await makeAccount(db);
  recordId = await makeRecord(db, { accountId });
  await makeWebhook(db, recordId);
  await db.raw(
    `insert into webhooks (id, account_id, selects, url, sealed_secret)
     select 'wh_own' || n, :accountId, 'list', 'https://example.com', '' from generate_series(1, 20) n`,
    { accountId },
  );
  await commitTable(db, recordId, table({ a: '1' }));
  for (const name of ['records', 'webhooks', 'webhook_records']) await vacuum(db, name);
  explainer = await openExplainer(db, database.url);
});
afterAll(async () => {
  await explainer.end();
  await database.drop();
});

const VALIDATORS = { urlHash: 'hash', etag: null, lastModified: null };
const PROBLEM = { code: 'http_error', detail: 'In words.' } as const;
let version = 1;

it.each([
  ['changed', () => commitTable(db, recordId, table({ a: String((version += 1)) }), { fitsInMemory: true })],
  ['failed', () => commitProblemCheck(db, 'failed', checkFacts(recordId), PROBLEM)],
  ['unchanged', () => commitUnchangedCheck(db, checkFacts(recordId), VALIDATORS)],
])('a %s check finds them by the account, and a list by its record', async (_, commit) => {
  const nodes = await explainer.plansOf(commit);
  expect(nodes.join('\n')).toMatch(/Scan webhooks_by_account/);
  expect(nodes.join('\n')).toMatch(/Scan webhook_records_pkey/);
  expect(scansWhole(nodes).filter((node) => /webhooks|webhook_records|records$/.test(node))).toEqual([]);
});

it('an unchanged check that ends no failure has a plan without webhooks', async () => {
  const planOf = () => explainer.plansOf(() => commitUnchangedCheck(db, checkFacts(recordId), VALIDATORS));
  await planOf();
  const nodes = await planOf();
  expect(nodes).toContain('ModifyTable unchanged_checks');
  expect(nodes.filter((node) => /webhook/.test(node))).toEqual([]);
  await rawRows(db, 'update record_heads set failing_since = now() where record_id = ?', [recordId]);
  expect((await planOf()).filter((node) => /webhook/.test(node))).not.toEqual([]);
});
