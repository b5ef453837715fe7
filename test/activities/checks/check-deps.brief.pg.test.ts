// A check of one account beside hundreds of another in the same worker: it does not wait until they are through.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setNextCheck } from '../../../db/records/records.ts';
import { NOTHING_NEW, type PollInput } from '../../../workflows/contract.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { createAccount, createTestRecord } from '../../support/rows/factories.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';

const MANY = 200;
let bench: ActivityBench;
let origin: Origin;

beforeAll(async () => {
  bench = await openActivityBench();
  origin = await startOrigin();
});

afterAll(async () => {
  await origin.close();
  await bench.close();
});

/** A record that is due, as its poll knows it. */
async function makeDue(accountId: string): Promise<PollInput> {
  const path = `/${randomUUID()}.csv`;
  origin.set(path, { body: 'id,name\n1,one\n' });
  const recordId = await createTestRecord(bench.database.db, accountId, {
    url: origin.url + path,
    tier: 'max',
  });
  const { attributes } = await bench.check(recordId);
  await setNextCheck(bench.database.db, recordId, 0);
  return { recordId, attributes };
}

it('begins and ends a check of another account while hundreds wait for connections', async () => {
  const accounts = {
    many: await createAccount(bench.database.db),
    one: await createAccount(bench.database.db),
  };
  const ended: string[] = [];
  const check = async (account: string, input: PollInput): Promise<void> => {
    const attempt = bench.run(({ pollSource }) => pollSource(input), 2);
    await expect(attempt).rejects.toMatchObject({ type: NOTHING_NEW });
    ended.push(account);
  };
  const many: PollInput[] = [];
  for (let n = 0; n < MANY; n += 1) many.push(await makeDue(accounts.many));
  const one = await makeDue(accounts.one);
  await Promise.all([...many.map((input) => check('many', input)), check('one', one)]);
  expect(ended).toHaveLength(MANY + 1);
  expect(ended.indexOf('one')).toBeLessThan(MANY / 2);
});
