// Answers of a faulty origin never count as data. The check fails or is held with a stable code and an explanation, the last
// snapshot stays, nothing is deleted, and the next good check compares with that snapshot.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  HTML_PAGE,
  type Origin,
  type OriginBehaviour,
  startOrigin,
} from '../../support/servers/origin-server.ts';
import {
  checkAndWait,
  createRecord,
  readAll,
  startSystem,
  type System,
  type CheckView,
  untilCheck,
} from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';
import { watchRecordId } from '../../../workflows/contract.ts';

const TABLE = ['id,name', ...Array.from({ length: 40 }, (_, index) => `${index + 1},row ${index + 1}`)];
const FULL: OriginBehaviour = { body: `${TABLE.join('\n')}\n`, headers: { 'content-type': 'text/csv' } };
const FULL_AND_ONE: OriginBehaviour = { ...FULL, body: `${TABLE.join('\n')}\n41,row 41\n` };
const MiB = 1024 * 1024;

let system: System;
let origin: Origin;
let paths = 0;

beforeAll(async () => {
  system = await startSystem();
  origin = await startOrigin();
});

afterAll(async () => {
  await origin.close();
  await system.stop();
});

async function goodRecord(settings: Record<string, unknown> = {}): Promise<{ id: string; path: string }> {
  paths += 1;
  const path = `/feed-${paths}.csv`;
  origin.set(path, FULL);
  const { id } = await createRecord(system, { url: origin.url + path, keyFields: ['id'], ...settings });
  return { id, path };
}

async function stateOf(id: string) {
  const { body: record } = await system.call('GET', `/v1/sources/${id}`);
  const snapshots = await readAll(system, `/v1/sources/${id}/snapshots`, 'snapshots');
  const events = await readAll(system, `/v1/sources/${id}/delta`, 'events');
  const rows = await readAll(system, `/v1/sources/${id}/snapshot-rows?limit=100`, 'rows');
  return {
    latestSnapshotId: record['latestSnapshotId'],
    totalRows: record['totalRows'],
    snapshots,
    events,
    rows,
  };
}

/** Waits for the error code in the search attributes, by which operators search the Temporal UI. */
const untilErrorCode = (id: string, code: string | undefined) =>
  until(`the error code is ${code}`, async () => {
    const workflow = await system.temporal.client.workflow.getHandle(watchRecordId(id)).describe();
    const found = workflow.typedSearchAttributes.getAll().find(({ key }) => key.name === 'ErrorCode');
    return found?.value === code;
  });

/** Expects that the next good body gives exactly its difference from the last good one. */
async function expectRecovery(id: string, path: string): Promise<void> {
  origin.set(path, FULL_AND_ONE);
  expect(await checkAndWait(system, id)).toMatchObject({ outcome: 'changed', error: null });
  const { body: event } = await system.call('GET', `/v1/sources/${id}/delta/latest`);
  expect(event).toMatchObject({
    newCount: 1,
    changedCount: 0,
    deletedCount: 0,
    newKeys: ['41'],
    totalCount: 41,
  });
}

const FAULTS: [string, OriginBehaviour, string, number | null][] = [
  ['answers 404', { status: 404, body: 'not here' }, 'http_error', 404],
  ['answers 500', { status: 500, body: 'oops' }, 'http_error', 500],
  ['sends a web page with status 200', HTML_PAGE, 'unexpected_content', 200],
  ['breaks off before its Content-Length', { ...FULL, cutAfterBytes: 120 }, 'body_truncated', 200],
  ['breaks off a chunked body', { ...FULL, chunked: true, cutAfterBytes: 120 }, 'body_truncated', 200],
  ['sends a gzip that ends early', { ...FULL, encoding: 'gzip', endAfterBytes: 60 }, 'body_truncated', 200],
  [
    'sends an open quote at the end',
    { ...FULL, body: `${TABLE.join('\n')}\n41,"row` },
    'body_truncated',
    200,
  ],
  ['sends nothing', { ...FULL, body: '' }, 'empty_body', 200],
  [
    'renames the key column',
    { ...FULL, body: TABLE.join('\n').replace('id,', 'nr,') },
    'missing_key_field',
    200,
  ],
  [
    'sends bytes that are no text',
    { ...FULL, body: Buffer.from([0x69, 0x64, 0x0a, 0xff, 0xfe, 0x80]) },
    'encoding_invalid',
    200,
  ],
  ['sends a NUL', { ...FULL, body: 'id,name\n1,a\u0000b\n' }, 'invalid_character', 200],
  [
    'redirects to an inside address',
    { redirectTo: 'http://169.254.169.254/latest/meta-data/' },
    'redirect_not_allowed',
    null,
  ],
  ['redirects without end', { redirectTo: '/loop' }, 'too_many_redirects', null],
];

describe('a faulty origin', () => {
  beforeAll(() => origin.set('/loop', { redirectTo: '/loop' }));

  it.each(FAULTS)('that %s', async (_words, behaviour, code, httpStatus) => {
    const { id, path } = await goodRecord();
    const before = await stateOf(id);
    origin.set(path, behaviour);
    const check = await checkAndWait(system, id);
    expect(check).toMatchObject({
      outcome: 'failed',
      error: { code },
      ...(httpStatus === null ? {} : { httpStatus }),
    });
    expect(check.error?.detail).toMatch(/^[A-Z].{20,}\.$/s);
    expect(await stateOf(id)).toEqual(before);
    const { body: record } = await system.call('GET', `/v1/sources/${id}`);
    expect(record).toMatchObject({
      lastOutcome: 'failed',
      lastError: check.error,
      consecutiveFailures: 1,
      status: 'active',
    });
    expect(Date.parse(String(record['nextCheckAt']))).toBeGreaterThan(Date.now());
    await untilErrorCode(id, code);
    await expectRecovery(id, path);
    await untilErrorCode(id, undefined);
  });

  it.each([
    ['an error in plain text', 'Service unavailable\n'],
    ['another delimiter', 'name;size\na;1\na;1\nb;2\n'],
  ])('that sends %s in place of rows without a key', async (_words, body) => {
    const path = `/keyless-${body.length}.csv`;
    origin.set(path, { ...FULL, body: 'name,size\na,1\na,1\nb,2\n' });
    const { id } = await createRecord(system, { url: origin.url + path });
    const before = await stateOf(id);
    expect(before.totalRows).toBe(3);
    origin.set(path, { ...FULL, body });
    expect(await checkAndWait(system, id)).toMatchObject({
      outcome: 'failed',
      error: { code: 'malformed_body' },
    });
    expect(await stateOf(id)).toEqual(before);
  });

  it('that is down fails the check', async () => {
    const gone = await startOrigin();
    gone.set('/feed.csv', FULL);
    const { id } = await createRecord(system, { url: `${gone.url}/feed.csv` });
    const before = await stateOf(id);
    await gone.close();
    expect(await checkAndWait(system, id)).toMatchObject({
      outcome: 'failed',
      error: { code: 'origin_unreachable' },
    });
    expect(await stateOf(id)).toEqual(before);
  });

  it('whose name does not resolve fails the check', async () => {
    const { id } = await createRecord(system, { url: 'http://no-such-name.invalid/feed.csv' });
    const [check] = await readAll<{ outcome: string; error: { code: string } }>(
      system,
      `/v1/sources/${id}/checks`,
      'checks',
    );
    expect(check).toMatchObject({ outcome: 'failed', error: { code: 'origin_unreachable' } });
  });

  it('whose body exceeds the tier’s size fails the check', async () => {
    const { id, path } = await goodRecord();
    await system.database.db('records').where({ id }).update({ tier: 'anonymous' });
    const before = await stateOf(id);
    origin.set(path, { ...FULL, body: `id,name\n1,${'x'.repeat(11 * MiB)}\n` });
    expect(await checkAndWait(system, id)).toMatchObject({
      outcome: 'failed',
      error: { code: 'body_too_large' },
    });
    expect(await stateOf(id)).toEqual(before);
    await expectRecovery(id, path);
  });

  it('whose URL is a private address when it is fetched is refused', async () => {
    const { id } = await goodRecord();
    await system.database.db('records').where({ id }).update({ url: 'http://10.0.0.1/feed.csv' });
    expect(await checkAndWait(system, id)).toMatchObject({
      outcome: 'failed',
      error: { code: 'url_not_allowed' },
    });
  });
});

describe('a sharp drop in rows', () => {
  const FEW: OriginBehaviour = { ...FULL, body: `${TABLE.slice(0, 6).join('\n')}\n` };

  it('is held, and dropped when the rows are back', async () => {
    const { id, path } = await goodRecord();
    const before = await stateOf(id);
    origin.set(path, FEW);
    const held = await checkAndWait(system, id);
    expect(held).toMatchObject({ outcome: 'held', error: { code: 'sharp_drop' }, rows: 5 });
    origin.set(path, FULL);
    expect(await checkAndWait(system, id)).toMatchObject({ outcome: 'unchanged' });
    const after = await stateOf(id);
    expect(after.rows).toEqual(before.rows);
    expect(after.snapshots).toEqual(before.snapshots);
    // The next drop counts as a first one again.
    origin.set(path, FEW);
    expect(await checkAndWait(system, id)).toMatchObject({ outcome: 'held' });
  });

  it('is recorded when a second body confirms it', async () => {
    const { id, path } = await goodRecord();
    origin.set(path, FEW);
    expect(await checkAndWait(system, id)).toMatchObject({ outcome: 'held' });
    const isConfirmed = ({ outcome, rows }: CheckView): boolean => outcome === 'changed' && rows === 5;
    // The recheck runs by itself after HELD_RECHECK_SECONDS.
    await untilCheck(system, id, 'the drop is recorded', isConfirmed);
    const { body: event } = await system.call('GET', `/v1/sources/${id}/delta/latest`);
    expect(event).toMatchObject({ deletedCount: 35, newCount: 0, changedCount: 0, totalCount: 5 });
  });
});
