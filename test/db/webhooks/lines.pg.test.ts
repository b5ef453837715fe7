// The positions of waiting deliveries in their lines, after changes of the setting `ordered`.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../db/driver/knex.ts';
import { BURST } from '../../../db/webhooks/collecting.ts';
import { mergeDigest } from '../../../db/webhooks/digests.ts';
import { updateWebhook } from '../../../db/webhooks/webhooks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { commitTable, makeRecord, makeWebhook, table } from '../factories.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());

it.each([true, false])(
  'regression: a digest that waits takes its place when `ordered` is set (set when it was made: %s)',
  async (wasOrdered) => {
    const recordId = await makeRecord(db);
    const webhookId = await makeWebhook(db, recordId);
    const set = (settings: { ordered: boolean; format?: 'mail' }) =>
      updateWebhook(db, { recordId }, webhookId, settings);
    const positions = (): Promise<(number | null)[]> =>
      db('deliveries').where({ webhookId, status: 'pending' }).orderBy('id').pluck('line_position');

    await set({ format: 'mail', ordered: wasOrdered });
    for (let at = 0; at <= BURST.messages + 2; at += 1)
      await commitTable(db, recordId, table({ a: String(at) }));
    await mergeDigest({ db, baseUrl: 'https://watch.example' }, webhookId);
    expect(await positions()).toEqual(wasOrdered ? [2, 3, 4, 6] : [null, null, null, null]);
    await set({ ordered: false });
    expect(await positions()).toEqual([null, null, null, null]);
    await set({ ordered: true });
    expect(await positions()).toEqual([2, 3, 4, 6]);
  },
);
