// The verifier of the tests that kill must find every fault. A quiet system passes; then one thing at a time is falsified.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRows } from '../../db/driver/knex.ts';
import {
  type ChangingRecords,
  watchChangingRecords,
  type Watched,
} from '../support/checks/changing-records.ts';
import {
  expectOneEventPerCheck,
  expectTrueDeliveries,
  expectTrueEvents,
} from '../support/checks/expect-truth.ts';
import { type ConsumedEvent, expectWholeFeed } from '../support/checks/feed-consumer.ts';
import { startSystem, type System } from '../support/servers/system.ts';
import { until } from '../support/until.ts';
import { startPoller } from './poller.ts';

let system: System;
let records: ChangingRecords;
let one: Watched;
/** The account's feed before anything was falsified. */
let feed: ConsumedEvent[];

beforeAll(async () => {
  system = await startSystem();
  records = await watchChangingRecords(system, { seed: 3, records: 1, webhooks: 2, checkSeconds: 0.3 });
  const [watched] = records.watched;
  if (watched === undefined) throw new Error('There is no record');
  one = watched;
  records.stir();
  await until('there are changes', async () => Number((await latestChange())?.number) > 6);
  records.rest();
  await until('all is on record and delivered', records.isOnRecord);
  await records.endChecks();
  const { body } = await system.call('GET', '/v1/events?limit=200');
  const events = body['events'] as (ConsumedEvent & { checkId?: string })[];
  feed = events.map((event) => ({ ...event, checkId: event.checkId ?? null }));
});

afterAll(async () => {
  await records.close();
  await system.stop();
});

interface Change {
  id: string;
  number: number;
}

async function latestChange(): Promise<Change | undefined> {
  const [change] = await sql<Change>(
    'select id, number from delta_events where record_id = :id and not is_no_change order by number desc limit 1',
  );
  return change;
}

const sql = <Row extends object>(text: string, values: Record<string, string | number> = {}) =>
  rawRows<Row>(system.database.db, text, { id: one.id, ...values });

/** The check fails while something is false, and passes before and after it. */
async function expectSeesThrough(
  check: () => Promise<unknown>,
  falsify: string,
  restore: string,
): Promise<void> {
  const event = (await latestChange())?.id ?? '';
  const given = (text: string) => (text.includes(':event') ? { event } : {});
  await check();
  await sql(falsify, given(falsify));
  await expect(check()).rejects.toThrow(/expected/);
  await sql(restore, given(restore));
  await check();
}

const trueEvents = () => expectTrueEvents(system, one);
const oneEventPerCheck = () => expectOneEventPerCheck(system, one);
const ONE_ROW = `
  record_no = (select record_no from record_heads where record_id = :id) and last_seq is null
  and row_key = (select min(row_key) from row_versions where last_seq is null
    and record_no = (select record_no from record_heads where record_id = :id))`;

describe('events and rows', () => {
  it('finds a row with a false value', () =>
    expectSeesThrough(
      trueEvents,
      `update row_versions set data = regexp_replace(data::text, '"\\}$', ' and more"}')::json where ${ONE_ROW}`,
      `update row_versions set data = replace(data::text, ' and more', '')::json where ${ONE_ROW}`,
    ));

  it('finds a missing row', () =>
    expectSeesThrough(
      trueEvents,
      `update row_versions set row_key = row_key || '!', last_seq = 0, first_seq = -first_seq where ${ONE_ROW}`,
      `update row_versions set row_key = rtrim(row_key, '!'), last_seq = null, first_seq = -first_seq
       where row_key like '%!'`,
    ));

  it('finds a false count', () =>
    expectSeesThrough(
      trueEvents,
      'update delta_events set changed_count = changed_count + 1 where id = :event',
      'update delta_events set changed_count = changed_count - 1 where id = :event',
    ));

  it('finds a missing event', () =>
    expectSeesThrough(
      trueEvents,
      'update delta_events set number = number + 1000 where id = :event',
      `update delta_events set number = number - 1000 where record_id = :id and number > 1000`,
    ));

  it('finds an event that is there twice, and one without a check', async () => {
    const again = `insert into delta_events
      select (json_populate_record(event, json_build_object('id', 'evt_twice', 'check_id', 'chk_none', 'number',
        (select event_number + 1 from record_heads where record_id = :id)))).*
      from delta_events event where id = :event`;
    const away = `delete from delta_events where id = 'evt_twice'`;
    await expectSeesThrough(trueEvents, again, away);
    await expectSeesThrough(oneEventPerCheck, again, away);
  });

  it('finds a check that is missing', () =>
    expectSeesThrough(
      oneEventPerCheck,
      'update checks set number = number + 1000 where delta_event_id = :event',
      'update checks set number = number - 1000 where delta_event_id = :event',
    ));
});

describe('deliveries', () => {
  const expectTrue = (changes: Partial<ChangingRecords> = {}) =>
    expectTrueDeliveries(system, { ...records, ...changes });

  it('finds nothing wrong with those that came', () => expectTrue());

  it('finds one that never came', async () => {
    const [lost] = records.received;
    const received = records.received.filter(({ webhookId }) => webhookId !== lost?.webhookId);
    await expect(expectTrue({ received })).rejects.toThrow(/expected/);
  });

  it('finds one that was never accepted', async () => {
    const [, ...accepted] = records.accepted;
    await expect(expectTrue({ accepted: new Set(accepted) })).rejects.toThrow(/expected/);
  });

  it('finds one that came under two ids', async () => {
    const received = [...records.received];
    const [again] = received;
    if (again !== undefined) received.push({ ...again, webhookId: 'dlv_another' });
    await expect(expectTrue({ received })).rejects.toThrow(/expected/);
  });

  it('finds one for a webhook that is disabled, and one with a false signature', async () => {
    const [some] = records.received;
    if (some === undefined) throw new Error('Nothing was received');
    const stray = { ...some, webhookId: 'dlv_stray', path: one.disabledPath };
    await expect(expectTrue({ received: [...records.received, stray] })).rejects.toThrow(/expected/);
    const unsigned = {
      ...some,
      webhookId: 'dlv_unsigned',
      deltaEventId: 'not verified: no matching signature',
    };
    await expect(expectTrue({ received: [...records.received, unsigned] })).rejects.toThrow(/expected/);
  });

  it('finds one that the product gave up', () =>
    expectSeesThrough(
      expectTrue,
      `update deliveries set status = 'failed' where id = (select min(id) from deliveries where record_id = :id)`,
      `update deliveries set status = 'delivered' where record_id = :id`,
    ));
});

describe('polling', () => {
  it('finds an event that a caller was never given', async () => {
    const honest = startPoller(system, one.id);
    expect(await honest.expectAll()).toBeGreaterThan(6);
    const event = (await latestChange())?.id;
    // As if the API had left it out of the pages of `since`.
    const forgetful: typeof system.call = async (method, path, ...rest) => {
      const answer = await system.call(method, path, ...rest);
      if (!path.includes('limit=50')) return answer;
      const events = (answer.body['events'] as Change[]).filter(({ id }) => id !== event);
      return { ...answer, body: { ...answer.body, events } };
    };
    const poller = startPoller({ ...system, call: forgetful }, one.id);
    await expect(poller.expectAll()).rejects.toThrow(/expected/);
  });
});

describe('the feed', () => {
  it('finds an event that its consumer missed, got twice, got too early, or that is of no known record', async () => {
    const expectWhole = (consumed: ConsumedEvent[]) => expectWholeFeed(system, consumed, [one.id]);
    await expectWhole(feed);
    const [first, second] = feed;
    if (first === undefined || second === undefined) throw new Error('There are no events');
    for (const consumed of [
      feed.toSpliced(3, 1),
      feed.toSpliced(3, 0, ...feed.slice(3, 4)),
      feed.with(0, second).with(1, first),
      [...feed, { ...first, sourceId: 'src_unknown' }],
    ]) {
      await expect(expectWhole(consumed)).rejects.toThrow(/expected/);
    }
  });
});
