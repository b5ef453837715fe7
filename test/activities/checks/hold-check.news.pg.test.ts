// A check that is held is news once: not again at each check that is held for the same reason, and not after a rejection.
import { describe, expect, it, onTestFinished } from 'vitest';
import { updateWebhook } from '../../../db/webhooks/webhooks.ts';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { ageHeld, bench, decide, get, lastCheck, latest, makeRecord, patch, settle } = useWatchedRecords();

const people = (...names: string[]): string =>
  `name,town\n${names.map((name, at) => `${name},t${at}\n`).join('')}`;
const REPEATED = people('ann', 'bob', 'bob');

const many = (count: number, note = ''): string =>
  `id,name\n${Array.from({ length: count }, (_, at) => `${at},row ${at}${note}\n`).join('')}`;

async function watched(body: string, contentType = 'text/csv') {
  const { id, serve } = await makeRecord(body, {}, contentType);
  const webhookId = await bench().makeWebhook(id, 'https://example.com/hook');
  await updateWebhook(bench().database.db, { recordId: id }, webhookId, { eventTypes: ['check.held'] });
  const { db } = bench().database;
  return {
    id,
    /** Checks each of the bodies, all of which are held. */
    hold: async (code: string, ...bodies: string[]) => {
      for (const next of bodies) {
        serve(next);
        await bench().check(id);
        expect(await lastCheck(id)).toMatchObject({ outcome: 'held', code });
      }
    },
    recover: async () => {
      serve(body);
      await bench().check(id);
      expect(await get(id)).toMatchObject({ heldCheckId: null, lastOutcome: 'unchanged' });
    },
    /** How often webhooks and readers of the feed are told. */
    news: async () => {
      const deliveries = await db('deliveries').where({ webhookId }).pluck('event_type');
      const events = await db('feed_events').where({ recordId: id }).pluck('type');
      expect([deliveries, events]).toEqual([deliveries.map(() => 'check.held'), deliveries]);
      return deliveries.length;
    },
  };
}

describe('regression: a key that repeats', () => {
  it('is news once, until it tells the rows apart again', async () => {
    const { hold, recover, news, id } = await watched(people('ann', 'bob', 'cy'));
    await hold('key_repeated', REPEATED);
    const { heldCheckId } = await get(id);
    await hold('key_repeated', REPEATED, people('ann', 'ann', 'cy'));
    expect((await get(id)).heldCheckId).not.toBe(heldCheckId);
    expect(await news()).toBe(1);
    await recover();
    await hold('key_repeated', REPEATED, REPEATED);
    expect(await news()).toBe(2);
  });

  it('is none after its rejection', async () => {
    const { hold, recover, news, id } = await watched(people('ann', 'bob', 'cy'));
    await hold('key_repeated', REPEATED);
    expect(await decide(id, 'rejected')).toBe(true);
    await hold('key_repeated', REPEATED, people('ann', 'ann', 'cy'));
    expect(await decide(id, 'rejected')).toBe(true);
    await hold('key_repeated', REPEATED);
    expect(await news()).toBe(1);
    await recover();
    await hold('key_repeated', REPEATED);
    expect(await news()).toBe(2);
  });

  it('is news beside a drop, and after another key', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `n${at}`);
    const { hold, news, id } = await watched(people(...names));
    await hold('key_repeated', people(...names.slice(1), 'n1'));
    await hold('sharp_drop', people(...names.slice(0, 10)));
    await hold('key_repeated', people(...names.slice(1), 'n1'));
    expect(await news()).toBe(3);
    await patch(id, { ignoreFields: ['nothing'] });
    await settle(id);
    await hold('key_repeated', people(...names.slice(1), 'n1'));
    expect(await news()).toBe(4);
  });
});

it('regression: a drop like the one that was rejected is no news', async () => {
  const { hold, recover, news, id } = await watched(many(40));
  await hold('sharp_drop', many(10));
  expect(await decide(id, 'rejected')).toBe(true);
  await hold('sharp_drop', many(10, '!'), many(11), many(10));
  expect(await news()).toBe(1);
  await hold('sharp_drop', many(4));
  expect(await news()).toBe(2);
  await recover();
  await hold('sharp_drop', many(10));
  expect(await news()).toBe(3);
});

it('regression: a drop that drifts away from the rejected one is news, and waits for a second body of its own', async () => {
  const { config } = bench().deps;
  const { heldRecheckSeconds } = config;
  Object.assign(config, { heldRecheckSeconds: 600 });
  onTestFinished(() => void Object.assign(config, { heldRecheckSeconds }));
  const { hold, news, id } = await watched(many(400));
  const age = () => ageHeld(id, 601);
  await hold('sharp_drop', many(100));
  expect(await decide(id, 'rejected')).toBe(true);
  await hold('sharp_drop', many(109));
  expect(await news()).toBe(1);
  await age();
  await hold('sharp_drop', many(115), many(115));
  expect(await news()).toBe(2);
  await age();
  await bench().check(id);
  expect(await latest(id)).toMatchObject({ deletedCount: 285, totalCount: 115 });
});

it('regression: a table that has lost its last line end is news once, however many rows each body has', async () => {
  const { hold, recover, news } = await watched(many(40));
  const open = (count: number) => many(count, '!').trimEnd();
  await hold('sharp_drop', open(38), open(36), open(39), open(37));
  expect(await news()).toBe(1);
  await hold('sharp_drop', open(5));
  expect(await news()).toBe(2);
  await hold('sharp_drop', open(36));
  expect(await news()).toBe(3);
  await recover();
  await hold('sharp_drop', open(36), open(35));
  expect(await news()).toBe(4);
});

it('regression: a table that has lost most rows and its last line end is news once, in words that say both', async () => {
  const { hold, news, id } = await watched(many(1_000));
  const open = (count: number) => many(count, '!').trimEnd();
  await hold('sharp_drop', open(400), open(401), open(402), open(400));
  expect(await news()).toBe(1);
  expect((await lastCheck(id))?.detail).toMatch(/^The last row has no line end.*: 400 rows after 1000\./);
});

it.each(['', '\n'])(
  'regression: a JSON list is news whenever other rows are held, whether it ends in a line end or not: %j',
  async (end) => {
    const list = (count: number, ...more: unknown[]) =>
      JSON.stringify([...Array.from({ length: count }, (_, at) => ({ id: `${at}` })), ...more]) + end;
    const { hold, news } = await watched(list(100), 'application/json');
    await hold('sharp_drop', ...[95, 70, 52].map((count) => list(count, { error: 'timeout' })));
    expect(await news()).toBe(3);
  },
);
