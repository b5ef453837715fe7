// `keys rotate` while accounts are created, used and deleted, and killed halfway. Afterwards the old key is not needed.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseConfig } from '../../../core/config.ts';
import {
  createDataKey,
  type KeyEncryptionKeys,
  openField,
  sealField,
  unwrapDataKey,
  webhookSecretContext,
} from '../../../core/crypto/envelope.ts';
import { findAccount, insertAccount, markAccountDeleted } from '../../../db/accounts/accounts.ts';
import { countDataKeys } from '../../../db/accounts/data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { newTestId } from '../../support/rows/factories.ts';
import { PROGRAMS } from '../../support/servers/programs.ts';
import { until } from '../../support/until.ts';

const OLD = `old:${randomBytes(32).toString('base64')}`;
const NEW = `new:${randomBytes(32).toString('base64')}`;
const keysOf = (text: string): KeyEncryptionKeys =>
  parseConfig({ KEY_ENCRYPTION_KEYS: text }).keyEncryptionKeys;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A secret of each account, sealed under its data key. */
const sealed = new Map<string, Buffer>();
const contextOf = (accountId: string) => webhookSecretContext(accountId, 'wh_test');

async function addAccount(keys: string): Promise<string> {
  const id = newTestId('account');
  const { wrapped, dataKey } = createDataKey(keysOf(keys), id);
  await insertAccount(database.db, { id, name: 'Test', wrappedDataKey: wrapped });
  sealed.set(id, sealField(dataKey, `the secret of ${id}`, contextOf(id)));
  return id;
}

interface Run {
  pid: number;
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

function rotate(keys: string, ...args: string[]): Run {
  let pid = 0;
  const ended = new Promise<Awaited<Run['ended']>>((resolve) => {
    const env = {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      DATABASE_URL: database.url,
      KEY_ENCRYPTION_KEYS: keys,
    };
    const program = [PROGRAMS.cli.path, 'keys', 'rotate', '--json', ...args];
    const child = execFile(process.execPath, program, { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
    pid = child.pid ?? 0;
  });
  return { pid, ended };
}

async function answer(keys: string, ...args: string[]) {
  const { code, stdout, stderr } = await rotate(keys, ...args).ended;
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as { resealed: number; left: number; keys: object[] };
}

const countUnder = async (keyId: string): Promise<number> =>
  (await countDataKeys(database.db)).find((each) => each.keyId === keyId)?.count ?? 0;

const isWaiting = async (): Promise<boolean> =>
  (
    await database
      .db('pg_stat_activity')
      .where({ applicationName: 'recordwatch operator', waitEventType: 'Lock' })
  ).length > 0;

it('seals all data keys again, through a kill and concurrent writes, and the old key can go', async () => {
  const ids: string[] = [];
  for (let number = 0; number < 350; number += 1) ids.push(await addAccount(OLD));
  const gone = ids[10] ?? '';
  await markAccountDeleted(database.db, gone, 0);
  expect(await answer(`${NEW},${OLD}`, '--dry-run')).toMatchObject({ resealed: 0, left: 349 });
  expect(await countUnder('old')).toBe(349);

  // Holds the third batch up, kills the command there, and lets go.
  const held = ids.toSorted()[250] ?? '';
  await database.db.transaction(async (trx) => {
    await trx('accounts').where({ id: held }).forUpdate().first();
    const first = rotate(`${NEW},${OLD}`);
    await until('it waits for the lock', isWaiting);
    process.kill(first.pid, 'SIGKILL');
    expect((await first.ended).code).not.toBe(0);
  });
  await until('its statement is over', async () => !(await isWaiting()));
  const [done, left] = [await countUnder('new'), await countUnder('old')];
  expect(done).toBeGreaterThanOrEqual(200);
  expect(left).toBeGreaterThan(0);
  expect(done + left).toBe(349);

  // Another process still seals with the old key first, and one account is deleted while the command runs.
  const deleted = ids.toSorted().at(-1) ?? '';
  const added: string[] = [];
  const second = rotate(`${NEW},${OLD}`);
  const over = new AbortController();
  void second.ended.finally(() => over.abort());
  await markAccountDeleted(database.db, deleted, 0);
  while (!over.signal.aborted) {
    added.push(await addAccount(added.length % 2 === 0 ? OLD : NEW));
    const some = ids[added.length % ids.length] ?? '';
    if (![gone, deleted].includes(some)) await expectOpens(some, `${NEW},${OLD}`);
  }
  expect((await second.ended).code).toBe(0);
  // Those that the other process has added since.
  expect(await answer(`${NEW},${OLD}`)).toMatchObject({ left: 0 });
  expect(await answer(NEW, '--dry-run')).toMatchObject({ left: 0 });
  expect(await countUnder('old')).toBe(0);
  const entries: string[] = await database
    .db('audit_entries')
    .where({ action: 'account.rotate_key', door: 'operator' })
    .pluck('target_id');
  // One entry for each account that was sealed under the old key and still exists.
  expect(new Set(entries).size).toBe(entries.length);
  for (const id of ids.filter((each) => each !== gone && each !== deleted)) expect(entries).toContain(id);
  for (const id of [...ids, ...added].filter((each) => each !== gone && each !== deleted))
    await expectOpens(id, NEW);
});

async function expectOpens(id: string, keys: string): Promise<void> {
  const account = await findAccount(database.db, id);
  const dataKey = unwrapDataKey(keysOf(keys), id, account?.wrappedDataKey ?? Buffer.alloc(0));
  expect(openField(dataKey, sealed.get(id) ?? Buffer.alloc(0), contextOf(id))).toBe(`the secret of ${id}`);
}

it('leaves what it cannot open, names it, and seals the others', async () => {
  const other = `other:${randomBytes(32).toString('base64')}`;
  const [lost, kept] = [await addAccount(other), await addAccount(OLD)];
  const { code, stderr } = await rotate(`${NEW},${OLD}`).ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining(`1 data keys cannot be opened`)]);
  expect(stderr).toContain(lost);
  await expectOpens(kept, NEW);
  await expectOpens(lost, other);
});

it('regression: does not say that old keys can go while a data key is closed under the first id', async () => {
  await addAccount(`new:${randomBytes(32).toString('base64')}`);
  const { code, stderr } = await rotate(`${NEW},${OLD}`).ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining('data keys')]);
});
