// Protected origins: the real activities on a real database against an origin that requires credentials.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resealCredentials, sealCredentials } from '../../../api/records/seal-credentials.ts';
import { createDataKey } from '../../../core/crypto/envelope.ts';
import type { AuthType, GivenAuth } from '../../../core/source-credentials.ts';
import { insertAccount } from '../../../db/accounts/accounts.ts';
import { rawRows } from '../../../db/driver/knex.ts';
import { findRecord, updateRecord } from '../../../db/records/records.ts';
import { findCredentials, replaceCredentials } from '../../../db/records/source-credentials.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { newTestId, testKeys } from '../../support/rows/factories.ts';
import { type Origin, type OriginVisit, startOrigin } from '../../support/servers/origin-server.ts';

let bench: ActivityBench;
let origin: Origin;
let other: Origin;

beforeAll(async () => {
  bench = await openActivityBench();
  [origin, other] = await Promise.all([startOrigin(), startOrigin()]);
});

afterAll(async () => {
  await Promise.all([origin.close(), other.close()]);
  await bench.close();
});

const keys = { keyEncryptionKeys: testKeys };
const SECRET = 'a-secret-of-the-origin';

/** Stores credentials of a record as the API does. */
async function authenticate(recordId: string, given: GivenAuth & { authType: AuthType }): Promise<void> {
  const { db } = bench.deps;
  const record = await findRecord(db, recordId);
  if (record === undefined) throw new Error('No record');
  const stored = await findCredentials(db, recordId, record.authVersion);
  if (stored === undefined) throw new Error('No account');
  const owner = { id: stored.accountId, wrappedDataKey: stored.wrappedDataKey };
  const sealed = sealCredentials(keys, owner, record, given);
  await db.transaction((trx) => replaceCredentials(trx, recordId, given.authType, sealed));
}

/** Answers 401 to requests without the credentials. */
function demand(path: string, isRight: (visit: OriginVisit) => boolean): void {
  origin.set(path, (visit) => (isRight(visit) ? { body: 'id,price\n1,10\n', etag: '"1"' } : { status: 401 }));
}

const queryOf = ({ path }: OriginVisit) => path.split('?')[1];

async function outcomeOf(recordId: string): Promise<{ outcome: string; errorCode: string | null }> {
  const [check] = await rawRows<{ outcome: string; errorCode: string | null }>(
    bench.deps.db,
    `select outcome, error_code as "errorCode" from checks where record_id = ? order by number desc limit 1`,
    [recordId],
  );
  if (check === undefined) throw new Error('No check');
  return check;
}

describe('interface 2.4: an origin that requires credentials', () => {
  const basic = `Basic ${Buffer.from(`user:${SECRET}`).toString('base64')}`;

  it.each<[AuthType, GivenAuth, string, (visit: OriginVisit) => boolean]>([
    ['none', {}, '', ({ headers }) => headers.authorization === undefined],
    [
      'basic',
      { authUsername: 'user', authPassword: SECRET },
      '',
      ({ headers }) => headers.authorization === basic,
    ],
    ['bearer', { authToken: SECRET }, '', ({ headers }) => headers.authorization === `Bearer ${SECRET}`],
    [
      'api_key_header',
      { authHeaderName: 'X-Api-Key', authHeaderValue: SECRET },
      '',
      ({ headers }) => headers['x-api-key'] === SECRET,
    ],
    [
      'api_key_query',
      { authQueryParam: 'api key', authQueryValue: `${SECRET}&=ü` },
      '',
      (visit) => queryOf(visit) === `api%20key=${SECRET}%26%3D%C3%BC`,
    ],
    [
      'api_key_query',
      { authQueryParam: 'key', authQueryValue: SECRET },
      '?sort=%61&b',
      (visit) => queryOf(visit) === `sort=%61&b&key=${SECRET}`,
    ],
  ])('is shown %s', async (authType, given, query, isRight) => {
    demand('/protected.csv', isRight);
    const url = `${origin.url}/protected.csv${query}`;
    const recordId = await bench.makeRecord({ url });
    await authenticate(recordId, { authType, ...given });
    await bench.check(recordId);
    expect(await outcomeOf(recordId)).toEqual({ outcome: 'unchanged', errorCode: null });
    // A 304 needs the secret too.
    await bench.check(recordId);
    expect(await outcomeOf(recordId)).toEqual({ outcome: 'unchanged', errorCode: null });
    expect((await findRecord(bench.deps.db, recordId))?.url).toBe(url);
  });

  it('fails the check without them', async () => {
    demand('/protected.csv', ({ headers }) => headers['x-api-key'] === SECRET);
    const recordId = await bench.makeRecord({ url: `${origin.url}/protected.csv` });
    await bench.check(recordId);
    expect(await outcomeOf(recordId)).toEqual({ outcome: 'failed', errorCode: 'http_error' });
  });
});

describe('another origin', () => {
  it.each<[AuthType, GivenAuth]>([
    ['basic', { authUsername: 'user', authPassword: SECRET }],
    ['bearer', { authToken: SECRET }],
    ['api_key_header', { authHeaderName: 'X-Api-Key', authHeaderValue: SECRET }],
    ['api_key_query', { authQueryParam: 'key', authQueryValue: SECRET }],
  ])('gets nothing of %s by a redirect', async (authType, given) => {
    other.set('/data.csv', { body: 'id\n1\n' });
    origin.set('/moved.csv', { redirectTo: `${other.url}/data.csv` });
    const recordId = await bench.makeRecord({ url: `${origin.url}/moved.csv` });
    await authenticate(recordId, { authType, ...given });
    await bench.check(recordId);
    expect((await outcomeOf(recordId)).outcome).toBe('unchanged');
    expect(JSON.stringify(origin.requests.at(-1))).toMatch(new RegExp(`${SECRET}|Basic `));
    expect(JSON.stringify(other.requests)).not.toMatch(new RegExp(`${SECRET}|Basic `));
  });

  it('gets no secret when the URL is changed without resealing', async () => {
    const before = other.requests.length;
    const recordId = await bench.makeRecord({ url: `${origin.url}/protected.csv` });
    await authenticate(recordId, { authType: 'bearer', authToken: SECRET });
    await updateRecord(bench.deps.db, recordId, { url: `${other.url}/data.csv` });
    await bench.check(recordId);
    expect(await outcomeOf(recordId)).toEqual({ outcome: 'failed', errorCode: 'credentials_unreadable' });
    expect(other.requests).toHaveLength(before);
  });
});

describe('validators', () => {
  it('belong to the credentials that received them: new credentials fetch at once without validators', async () => {
    demand('/versions.csv', ({ headers }) => headers.authorization !== undefined);
    const recordId = await bench.makeRecord({ url: `${origin.url}/versions.csv` });
    await authenticate(recordId, { authType: 'bearer', authToken: 'one' });
    await bench.check(recordId);
    const { plan } = await bench.run(({ planCheck }) => planCheck(recordId));
    expect(plan).toMatchObject({ kind: 'check', inMs: expect.any(Number) });
    expect(plan.kind === 'check' ? plan.inMs : 0).toBeGreaterThan(1_000);
    await authenticate(recordId, { authType: 'bearer', authToken: 'two' });
    expect((await bench.run(({ planCheck }) => planCheck(recordId))).plan).toEqual({
      kind: 'check',
      inMs: 0,
    });
    await bench.check(recordId);
    expect(origin.requests.at(-1)?.headers).toMatchObject({ authorization: 'Bearer two' });
    expect(origin.requests.at(-1)?.headers['if-none-match']).toBeUndefined();
    await bench.check(recordId);
    expect(origin.requests.at(-1)?.headers['if-none-match']).toBe('"1"');
  });
});

describe('secrets that cannot be decrypted', () => {
  it('fail the check with their own code, and nothing is sent', async () => {
    const recordId = await bench.makeRecord({ url: `${origin.url}/protected.csv` });
    await authenticate(recordId, { authType: 'bearer', authToken: SECRET });
    const before = origin.requests.length;
    const { config } = bench.deps;
    // Changes the object in place, because the activities hold a reference to it.
    const { keyEncryptionKeys } = config;
    Object.assign(config, { keyEncryptionKeys: new Map([['other', randomBytes(32)]]) });
    const committed = await bench.check(recordId);
    Object.assign(config, { keyEncryptionKeys });
    expect(await outcomeOf(recordId)).toEqual({ outcome: 'failed', errorCode: 'credentials_unreadable' });
    expect(committed).toMatchObject({ kind: 'committed', plan: { kind: 'check' } });
    expect(origin.requests).toHaveLength(before);
    demand('/protected.csv', ({ headers }) => headers.authorization === `Bearer ${SECRET}`);
    await bench.check(recordId);
    expect((await outcomeOf(recordId)).outcome).toBe('unchanged');
  });

  it('fail the check when they are gone', async () => {
    const recordId = await bench.makeRecord({ url: `${origin.url}/protected.csv` });
    await authenticate(recordId, { authType: 'bearer', authToken: SECRET });
    await bench.deps.db('source_credentials').where({ recordId }).delete();
    await bench.check(recordId);
    expect((await outcomeOf(recordId)).errorCode).toBe('credentials_unreadable');
  });

  it('decrypt for no other account, record or origin, but for an account that they were resealed for', async () => {
    const { db } = bench.deps;
    const record = { id: newTestId('record'), url: 'https://example.com/a' };
    const owners = await Promise.all(
      [1, 2].map(async () => {
        const id = newTestId('account');
        const wrappedDataKey = createDataKey(testKeys, id).wrapped;
        await insertAccount(db, { id, name: 'Test', wrappedDataKey });
        return { id, wrappedDataKey };
      }),
    );
    const [from, to] = owners;
    if (from === undefined || to === undefined) throw new Error('No accounts');
    const made = sealCredentials(keys, from, record, { authType: 'bearer', authToken: SECRET });
    if (made === null) throw new Error('Nothing was sealed');
    const moved = resealCredentials(keys, made.sealed, record, { from, to });
    expect(moved.includes(SECRET)).toBe(false);
    // The new owner can decrypt it, so it can be resealed once more.
    expect(() => resealCredentials(keys, moved, record, { from: to, to: from })).not.toThrow();
    for (const [sealed, target, owner] of [
      [moved, record, from],
      [made.sealed, { ...record, id: newTestId('record') }, from],
      [made.sealed, { ...record, url: 'http://example.com/a' }, from],
      [made.sealed, { ...record, url: 'https://example.com:444/a' }, from],
    ] as const) {
      expect(() => resealCredentials(keys, sealed, target, { from: owner, to })).toThrow('cannot be opened');
    }
  });
});

describe('a secret', () => {
  it('is in no table as plain text, and in no result of an activity', async () => {
    demand('/canary.csv', ({ headers }) => headers.authorization === `Bearer ${SECRET}`);
    const recordId = await bench.makeRecord({ url: `${origin.url}/canary.csv` });
    await authenticate(recordId, { authType: 'bearer', authToken: SECRET });
    const input = bench.newCheck(recordId);
    const fetched = await bench.run(({ fetchSource }) => fetchSource(input));
    expect(JSON.stringify(fetched)).not.toContain(SECRET);
    const tables = (await bench.deps
      .db('pg_tables')
      .where({ schemaname: 'public' })
      .pluck('tablename')) as string[];
    for (const table of tables) {
      const [found] = await rawRows<{ text: string | null }>(
        bench.deps.db,
        `select string_agg(line::text, '') as text from ?? line`,
        [table],
      );
      const text = found?.text ?? '';
      for (const form of [
        SECRET,
        Buffer.from(SECRET).toString('base64'),
        Buffer.from(SECRET).toString('hex'),
      ]) {
        expect(text).not.toContain(form);
      }
    }
  });

  describe('that the origin echoes as the name of a column', () => {
    const TOKEN = `Tok-${randomBytes(9).toString('hex')} /x`;
    const PAIR = Buffer.from(`surveyor:${TOKEN}`).toString('base64');
    const kinds: [string, GivenAuth & { authType: AuthType }, string[]][] = [
      ['basic', { authType: 'basic', authUsername: 'surveyor', authPassword: TOKEN }, [TOKEN, PAIR]],
      ['bearer', { authType: 'bearer', authToken: PAIR }, [PAIR]],
      ['header', { authType: 'api_key_header', authHeaderName: 'x-key', authHeaderValue: TOKEN }, [TOKEN]],
      ['query', { authType: 'api_key_query', authQueryParam: 'key', authQueryValue: TOKEN }, [TOKEN]],
    ];
    const writings: [string, (secret: string) => string][] = [
      ['as it is', (secret) => secret],
      ['in upper case', (secret) => secret.toUpperCase()],
      ['in percent encoding', (secret) => encodeURIComponent(secret).toLowerCase()],
      ['with plus for space', (secret) => secret.replaceAll(' ', '+')],
    ];
    const cases = kinds.flatMap(([kind, auth, secrets]) =>
      secrets.flatMap((secret, nth) =>
        writings.map(
          ([how, write]) =>
            [kind, how, `/${kind}-${nth}-${how.replaceAll(' ', '-')}`, auth, write(secret)] as const,
        ),
      ),
    );
    /** Completes a first row so that it has a value above the limit. */
    const long = 'x'.repeat(1_100_000);

    /** All that the check reports in PostgreSQL and to its workflow, apart from columns and rows, which are the owner's data. */
    async function toldOf(recordId: string): Promise<string> {
      const result = await bench.check(recordId);
      const { db } = bench.deps;
      const checks = await db('checks').where({ recordId });
      const [head] = await rawRows<Record<string, unknown>>(
        db,
        `select last_error_detail, etag, last_modified, held_body from record_heads where record_id = ?`,
        [recordId],
      );
      return JSON.stringify([result, checks, head]);
    }

    it.each(cases)('regression: %s, %s, is in no error', async (_kind, _how, path, auth, echo) => {
      const bodies = [
        ['text/csv', `"${echo}",b\n${long},1\n`],
        ['application/json', `[${JSON.stringify({ [echo]: long })}]`],
      ] as const;
      for (const [nth, [type, body]] of bodies.entries()) {
        origin.set(`${path}-${nth}`, { body, etag: `"${echo}"`, headers: { 'content-type': type } });
        const recordId = await bench.makeRecord({ url: `${origin.url}${path}-${nth}` });
        await authenticate(recordId, auth);
        const told = await toldOf(recordId);
        expect(told).toContain('row_too_large');
        expect(told).not.toContain(echo);
      }
    });

    it.each(cases)(
      'regression: %s, %s, is in no warning and no held check',
      async (_kind, _how, path, auth, echo) => {
        const url = `${origin.url}${path}-key`;
        const rows = (ids: number[]): string =>
          `"${echo}","${echo}",b\n${ids.map((id) => `key-${id},${id % 2},${id % 3}\n`).join('')}`;
        origin.set(`${path}-key`, { body: rows([1, 2, 3, 4, 5, 6, 7, 8]), etag: `"${echo}"` });
        const recordId = await bench.makeRecord({ url });
        await authenticate(recordId, auth);
        const first = await toldOf(recordId);
        expect(first).toContain('duplicate_header');
        expect(first).not.toContain(echo);
        origin.set(`${path}-key`, { body: rows([1, 2, 3, 4, 5, 6, 7, 7]), etag: `"${echo}-2"` });
        const second = await toldOf(recordId);
        expect(second).toContain('key_repeated');
        expect(second).not.toContain(echo);
      },
    );
  });
});
