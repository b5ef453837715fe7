// Anonymous sessions from beginning to end. API, worker and Temporal run as in production, with seconds in place of hours.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { WorkflowNotFoundError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCHEDULE_IDS, watchRecordId } from '../../../workflows/contract.ts';
import { countLines } from '../../db/factories.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { type Answer, type CheckView, checkAndWait, createRecord, readAll, startSystem, type System } from '../../support/servers/system.ts'; // prettier-ignore
import { until } from '../../support/until.ts';

/** Long enough for what a test does with a session on a loaded machine. */
const SESSION_SECONDS = 20;
const SECRET = 'the-secret-of-a-protected-origin';

const blobs = mkdtempSync(join(tmpdir(), 'recordwatch-blobs-'));
let system: System;
let origin: Origin;

beforeAll(async () => {
  system = await startSystem({ SESSION_SECONDS: String(SESSION_SECONDS), BLOB_STORE: blobs });
  origin = await startOrigin();
});

afterAll(async () => {
  await origin.close();
  await system.stop();
  rmSync(blobs, { recursive: true, force: true });
});

interface Session {
  id: string;
  expiresAtMs: number;
  as: (method: string, path: string, body?: unknown) => Promise<Answer>;
  token: string;
}

async function openSession(path: string, more: Record<string, unknown> = {}): Promise<Session> {
  const { status, body, text } = await system.call(
    'POST',
    '/v1/sessions',
    { url: `${origin.url}${path}`, checkIntervalMinutes: 0.005, ...more },
    { prefer: 'wait=30' },
  );
  if (status !== 201) throw new Error(text);
  const { token, expiresAt, source } = body as { token: string; expiresAt: string; source: { id: string } };
  return {
    id: source.id,
    expiresAtMs: Date.parse(expiresAt),
    token,
    as: (method, path, given) => system.call(method, path, given, { authorization: `Bearer ${token}` }),
  };
}

/** Waits for the events in the database, because a session may send only 60 requests a minute. */
const untilEvents = (recordId: string, count: number) =>
  until(`${count} events`, async () => {
    const head = await system.database.db('record_heads').where({ recordId }).first();
    return head.eventNumber >= count;
  });

/** Runs housekeeping, which its schedule would do within a minute. */
const reconcile = () => system.temporal.client.schedule.getHandle(SCHEDULE_IDS.reconcile).trigger();

const workflowOf = (id: string) => system.temporal.client.workflow.getHandle(watchRecordId(id));

async function untilErased(id: string): Promise<void> {
  const isErased = async () => (await system.database.db('records').where({ id })).length === 0;
  await until('the record is erased', isErased);
  erased.push(id);
}

/** Records that earlier tests saw erased. */
const erased: string[] = [];

async function isForgotten(id: string): Promise<boolean> {
  const isGone = await workflowOf(id)
    .describe()
    .then(
      () => false,
      (error: unknown) => error instanceof WorkflowNotFoundError,
    );
  const { count } = await system.temporal.client.workflow.count(`WorkflowId = '${watchRecordId(id)}'`);
  return isGone && count === 0;
}

/** The rows of every table, apart from the counters of addresses, which limit later sessions. */
async function linesLeft(): Promise<{ counted: string[]; lines: Record<string, number> }> {
  const { db } = system.database;
  const counted = await db('usage_counters').whereNot('subject', 'like', 'sessions %').pluck('subject');
  const { usage_counters: _counts, rate_counts: _rates, ...lines } = await countLines(db);
  return { counted, lines };
}

describe('interface 1: an ephemeral session', () => {
  it('watches its record, ends on time, and leaves no row, no body and no workflow', async () => {
    const before = await linesLeft();
    let version = 0;
    origin.set('/changing.csv', ({ headers }) =>
      headers.authorization === `Bearer ${SECRET}`
        ? { body: `id,price\n1,${(version += 1)}\n2,5\n` }
        : { status: 401 },
    );
    const session = await openSession('/changing.csv', { authType: 'bearer', authToken: SECRET });
    const { body: left } = await session.as('GET', '/v1/sessions/self');
    expect(left['secondsLeft']).toBeLessThanOrEqual(SESSION_SECONDS);
    const rows = await session.as('GET', '/v1/sources/self/snapshot-rows');
    expect(rows.body['count']).toBe(2);
    await untilEvents(session.id, 2);
    const latest = await session.as('GET', '/v1/sources/self/delta/latest');
    expect(latest.body).toMatchObject({ changedCount: 1, unchangedCount: 1 });
    // A session's counters are erased with it.
    expect((await session.as('POST', '/v1/sources/self/preview', { ignoreFields: ['price'] })).status).toBe(
      200,
    );
    expect((await session.as('POST', '/v1/sources/self/check')).status).toBe(202);
    expect((await linesLeft()).counted.toSorted()).toEqual([
      `extra-checks ${session.id}`,
      `rereads ${session.id}`,
    ]);
    expect(readdirSync(blobs)).toContain(session.id);
    const history = historyToJSON(await workflowOf(session.id).fetchHistory());
    expect(history).not.toContain(SECRET);
    expect(history).not.toContain(session.token);

    await until('the session is over', () => Date.now() > session.expiresAtMs + 50);
    expect((await session.as('GET', '/v1/sources/self')).status).toBe(401);
    await untilErased(session.id);
    expect(await linesLeft()).toEqual(before);
    expect(readdirSync(blobs)).not.toContain(session.id);
    expect(system.logs()).not.toContain(SECRET);
    expect(system.logs()).not.toContain(session.token);
  });

  it('continues in an account when it is kept, with history, checks and credentials, and is never erased', async () => {
    let version = 0;
    origin.set('/kept.csv', ({ headers, path }) =>
      path.endsWith('?v=1&key=k%20y') && headers.authorization === undefined
        ? { body: `id,price\n1,${(version += 1)}\n` }
        : { status: 401 },
    );
    const given = { authType: 'api_key_query', authQueryParam: 'key', authQueryValue: 'k y' };
    const session = await openSession('/kept.csv?v=1', given);
    await untilEvents(session.id, 3);
    const kept = await system.call('POST', '/v1/sources/self/keep', { token: session.token, slug: 'kept' });
    expect(kept.status).toBe(200);
    expect(kept.body).toMatchObject({
      id: session.id,
      slug: 'kept',
      tier: 'free',
      url: `${origin.url}/kept.csv?v=1`,
    });
    expect((await session.as('GET', '/v1/sources/self')).status).toBe(401);
    await until('its end would have come', () => Date.now() > session.expiresAtMs + 500);
    await reconcile();
    const { outcome } = await checkAndWait(system, 'kept');
    expect(outcome).toBe('changed');
    const checks = await readAll<CheckView>(system, '/v1/sources/kept/checks?order=asc', 'checks');
    expect(checks.map(({ number }) => number)).toEqual(checks.map((_, at) => at + 1));
    expect(new Set(checks.map((check) => check.outcome))).toEqual(new Set(['unchanged', 'changed']));
    const { typedSearchAttributes } = await workflowOf(session.id).describe();
    const values = Object.fromEntries(
      typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
    );
    expect(values).toMatchObject({ AccountId: system.accountId, RecordSlug: 'kept' });
    expect((await system.call('DELETE', '/v1/sources/kept')).status).toBe(204);
  });

  it.each([
    ['', false],
    [' and whose worker is killed', true],
  ])('ends in the middle of a check on schedule that an origin keeps waiting%s', async (_more, isKilled) => {
    const path = `/hanging-${isKilled}.csv`;
    let asked = 0;
    origin.set(path, () => ((asked += 1) === 1 ? { body: 'id\n1\n' } : { hang: true }));
    const session = await openSession(path);
    await until('a check waits for the origin', () => asked > 1);
    if (isKilled) await system.kill('worker');
    await until('the session is over', () => Date.now() > session.expiresAtMs + 50);
    if (isKilled) await system.start('worker');
    await untilErased(session.id);
    expect(readdirSync(blobs)).not.toContain(session.id);
  });

  it('is erased when its workflow was lost', async () => {
    origin.set('/lost.csv', { body: 'id\n1\n' });
    const session = await openSession('/lost.csv', { checkIntervalMinutes: 1_000 });
    await workflowOf(session.id).terminate('lost');
    await until('the session is over, and the grace', () => Date.now() > session.expiresAtMs + 600);
    await reconcile();
    await untilErased(session.id);
  });
});

describe('Temporal', () => {
  it('forgets erased records of sessions and accounts, and no others', async () => {
    origin.set('/deleted.csv', { body: 'id\n1\n' });
    const [gone, stays] = [
      await createRecord(system, { url: `${origin.url}/deleted.csv` }),
      await createRecord(system, { url: `${origin.url}/deleted.csv` }),
    ];
    await system.call('DELETE', `/v1/sources/${gone.id}`);
    await untilErased(gone.id);
    expect(erased.length).toBeGreaterThan(1);
    const areForgotten = async () => {
      await reconcile();
      return (await Promise.all(erased.map(isForgotten))).every(Boolean);
    };
    await until('Temporal knows nothing of them', areForgotten, { everyMs: 5_000 });
    expect((await workflowOf(stays.id).describe()).status.name).toBe('RUNNING');
  });
});
