// Renewing the claims of attempts, in a timer that all attempts of a process share.
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAttemptsUnderWay } from '../../../activities/deliveries/attempts-under-way.ts';
import { type Pulse, withPulse } from '../../../db/driver/pulse.ts';
import { createGate } from '../../support/gate.ts';
import { newTestId } from '../../support/rows/factories.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { until } from '../../support/until.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('regression: renewals are no progress of the attempt that began them', async () => {
  let renewals = 0;
  database.db.on('query-response', (_rows: unknown, { sql }: { sql: string }) => {
    if (sql.includes('next_attempt_at')) renewals += 1;
  });
  const pulse: Pulse = { hasMoved: false, waits: 0, pausedMs: () => 0, stuck: new Promise(() => undefined) };
  const underWay = createAttemptsUnderWay({ db: database.db, log: pino({ level: 'silent' }) });
  const attempt = createGate();
  withPulse(pulse, () => underWay.add(newTestId('delivery'), attempt.wait()));
  await until('the claim is renewed', () => renewals > 0);
  expect(pulse).toMatchObject({ hasMoved: false, waits: 0 });
  attempt.open();
  await underWay.ended();
});
