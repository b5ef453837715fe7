// `record.quiet` in the feed: the setting of the record, the event, and where readers see it.
import { beforeEach, describe, expect, it } from 'vitest';
import { commitUnchangedCheck } from '../../../../db/commit/checks.ts';
import { tellFeedsOfQuiet } from '../../../../db/webhooks/quiet-records.ts';
import { useApi } from '../../../support/api/api.ts';
import { checkFacts } from '../../../db/factories.ts';
import { commitRows, createAccount, createKey, createTestRecord } from '../../../support/rows/factories.ts';

const api = useApi();

let accountId: string;
let key: string;
let path: string;
let recordId: string;
beforeEach(async () => {
  accountId = await createAccount(api.db);
  ({ value: key } = await createKey(api.db, accountId, 'full'));
  recordId = await createTestRecord(api.db, accountId);
  path = `/v1/sources/${recordId}`;
});

const ask = (quietHours: unknown) => api.call('PATCH', path, { key, body: { quietHours } });

let price = 0;
const change = () => commitRows(api.db, recordId, { a: `{"id":"a","price":"${(price += 1)}"}` });

/** Moves what happened into the past, and finds no change now. */
async function stayQuiet(hours: number): Promise<void> {
  const earlier = (column: string) => api.db.raw(`${column} - ? * interval '1 hour'`, [hours]);
  await api
    .db('snapshots')
    .where({ recordId })
    .update({ createdAt: earlier('created_at') });
  await api
    .db('records')
    .where({ id: recordId })
    .update({ quietToldSince: earlier('quiet_told_since') });
  const validators = { urlHash: 'hash', etag: null, lastModified: null };
  await commitUnchangedCheck(api.db, checkFacts(recordId), validators);
}

const quietEvents = async () => (await api.call('GET', '/v1/events?type=record.quiet', { key })).body.events;

describe('the setting `quietHours` of a record', () => {
  it('is null by default, can be given at once, changed and removed, and is audited', async () => {
    const url = 'https://example.com/prices.csv';
    const { status, body } = await api.call('POST', '/v1/sources', { key, body: { url, quietHours: 24 } });
    expect([status, body.quietHours]).toEqual([201, 24]);
    expect((await api.call('GET', path, { key })).body.quietHours).toBeNull();
    for (const quietHours of [1, 8_760, null]) {
      expect((await ask(quietHours)).body.quietHours).toBe(quietHours);
    }
    const log = (await api.call('GET', '/v1/auditlog', { key })).body;
    expect(JSON.stringify(log)).toContain('"quietHours"');
  });

  it.each([0, 8_761, 1.5, '24'])('is refused: %j', async (quietHours) => {
    const { status, body } = await ask(quietHours);
    expect([status, body.errors[0].pointer]).toEqual([422, '/quietHours']);
  });
});

describe('record.quiet', () => {
  it('is in the feed once for each quiet time, after the last change, and in no feed of another account', async () => {
    await change();
    await change();
    await ask(3);
    await stayQuiet(2);
    await tellFeedsOfQuiet(api.db, 10);
    expect(await quietEvents()).toEqual([]);
    await stayQuiet(1);
    // A change that is being committed would come before the event that it refutes.
    await api.db.transaction(async (trx) => {
      await trx('record_heads').where({ recordId }).forNoKeyUpdate().first('recordId');
      await tellFeedsOfQuiet(api.db, 10);
    });
    expect(await quietEvents()).toEqual([]);
    await Promise.all([1, 2, 3, 4].map(() => tellFeedsOfQuiet(api.db, 10)));
    await stayQuiet(5);
    await tellFeedsOfQuiet(api.db, 10);
    const [event, ...others] = await quietEvents();
    expect(others).toEqual([]);
    const latest = await api.db('snapshots').where({ recordId }).orderBy('id', 'desc').first('id');
    expect(event).toMatchObject({
      event: 'record.quiet',
      type: 'record.quiet',
      sourceId: recordId,
      deltaEventId: null,
      snapshotId: latest.id,
      quietHours: 3,
      timestamp: event.checkedAt,
    });
    expect(event).not.toHaveProperty('checkId');
    const quietMs = Date.parse(event.checkedAt) - Date.parse(event.unchangedSince);
    expect(quietMs).toBeGreaterThanOrEqual(3 * 3_600_000);
    const types = (await api.call('GET', '/v1/events', { key })).body.events.map(({ type }: { type: string }) => type); // prettier-ignore
    expect(types).toEqual(['delta', 'record.quiet']);

    await change();
    await tellFeedsOfQuiet(api.db, 10);
    await stayQuiet(4);
    // Switched off and on again, it is still told once.
    await ask(null);
    await tellFeedsOfQuiet(api.db, 10);
    expect(await quietEvents()).toHaveLength(1);
    await ask(4);
    await tellFeedsOfQuiet(api.db, 10);
    await ask(null);
    await ask(4);
    await tellFeedsOfQuiet(api.db, 10);
    expect(await quietEvents()).toHaveLength(2);
    const { value: strangersKey } = await createKey(api.db, await createAccount(api.db), 'read');
    expect((await api.call('GET', '/v1/events', { key: strangersKey })).body.events).toEqual([]);
  });

  it('is not in the feed of a record that does not ask for it, or is deleted', async () => {
    await change();
    await stayQuiet(10_000);
    await tellFeedsOfQuiet(api.db, 10);
    await ask(3);
    await api.call('DELETE', path, { key });
    await tellFeedsOfQuiet(api.db, 10);
    expect(await api.db('feed_events').where({ recordId, type: 'record.quiet' })).toEqual([]);
  });

  it('is an entry of Atom feeds', async () => {
    await change();
    await ask(3);
    await stayQuiet(4);
    await tellFeedsOfQuiet(api.db, 10);
    const [event] = await quietEvents();
    const { text } = await api.call('GET', '/v1/events.atom?type=record.quiet', { key });
    expect(text).toContain(': no change for a time]]></title>');
    expect(text).toContain(`Nothing has changed since ${event.unchangedSince}.`);
    expect(text).toMatch(/<id>urn:uuid:[0-9a-f-]{36}#record\.quiet<\/id>/);
  });
});
