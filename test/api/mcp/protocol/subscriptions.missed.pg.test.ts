// Subscriptions when a change may have been missed: it is told, or the stream ends.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSubscriptions, type Subscriber } from '../../../../api/mcp/protocol/subscriptions.ts';
import { announceChange } from '../../../../db/driver/notifications.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database.ts';
import { until } from '../../../support/until.ts';

const RECORD = 'src_1';
const URI = `delta://sources/${RECORD}/delta/latest`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function subscribe(settings: Partial<Subscriber>) {
  const told: unknown[] = [];
  const logged: unknown[] = [];
  const { bus, close } = createSubscriptions(
    { db: database.db, log: { error: ({ err }: { err: unknown }) => logged.push(err) } as never },
    () => ({
      uris: new Map([[RECORD, [URI]]]),
      stillWorks: () => Promise.resolve(true),
      end: () => undefined,
      ...settings,
    }),
  );
  bus.subscribe((event) => told.push(event));
  return { told, logged, close };
}

it('regression: changes before the process listens are told once it does', async () => {
  const { told, close } = subscribe({});
  await until('it is told', () => told.length > 0);
  expect(told).toEqual([{ kind: 'resource_updated', uri: URI }]);
  await close();
});

it('regression: a stream ends when it cannot be found out whether its credential works', async () => {
  let ended = 0;
  let asked = 0;
  const failure = new Error('No connection was free');
  const { told, logged, close } = subscribe({
    stillWorks: () => {
      asked += 1;
      return asked === 1 ? Promise.resolve(true) : Promise.reject(failure);
    },
    end: () => void (ended += 1),
  });
  await until('it listens', () => told.length > 0);
  await database.db.transaction((trx) => announceChange(trx, RECORD));
  await until('it has ended', () => ended > 0);
  expect(told).toHaveLength(1);
  expect(logged).toEqual([failure]);
  await close();
});
