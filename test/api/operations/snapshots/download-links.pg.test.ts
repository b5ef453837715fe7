// Download links, which work without a credential: for whom, for how long, and what ends them.
import { beforeEach, describe, expect, it } from 'vitest';
import { openDownload, sealDownload } from '../../../../core/crypto/download-token.ts';
import { mintApiKey } from '../../../../core/crypto/api-key.ts';
import { markRecordDeleted } from '../../../../db/records/records.ts';
import { useApi } from '../../../support/api/api.ts';
import {
  commitRows,
  createAccount,
  createKey,
  createTestRecord,
  newTestId,
  testKeys,
} from '../../../support/rows/factories.ts';

const api = useApi({ baseUrl: 'https://recordwatch.example' });
const CSV = 'id,price\n=1,2\na,\n';
let recordId = '';
let key = { id: '', value: '' };

beforeEach(async () => {
  recordId = await createTestRecord(api.db, api.accountId);
  await commitRows(api.db, recordId, { a: '{"id":"a"}', '=1': '{"id":"=1","price":2}' });
  key = await createKey(api.db, api.accountId, 'download', recordId);
});

async function makeLink(body: object = {}, credential = key.value): Promise<string> {
  const path = `/v1/sources/${recordId}/snapshots/latest/download-links`;
  const answer = await api.call('POST', path, { key: credential, body });
  expect(answer.status).toBe(201);
  return answer.body.url.replace('https://recordwatch.example', '');
}

const follow = (path: string) => api.call('GET', path, { key: null });

const tokenOf = (path: string): string => path.slice(path.indexOf('=') + 1);

async function expectEnded(path: string): Promise<void> {
  const { status, body } = await follow(path);
  expect({ status, code: body.code }).toEqual({ status: 410, code: 'gone' });
}

describe('a link', () => {
  it('works repeatedly without a credential', async () => {
    const path = await makeLink();
    for (let time = 0; time < 3; time += 1) {
      const { status, text, headers } = await follow(path);
      expect({ status, text }).toEqual({ status: 200, text: CSV });
      expect(headers['content-disposition']).toMatch(/^attachment; filename="record-[\w-]+\.csv"$/);
    }
  });

  it('leads to the requested file and stays with its snapshot', async () => {
    const [jsonl, safe, plain] = [
      await makeLink({ format: 'jsonl' }),
      await makeLink({ escape: 'spreadsheet' }),
      await makeLink({ format: 'csv', escape: 'none' }),
    ];
    await commitRows(api.db, recordId, { z: '{"id":"z"}' });
    expect((await follow(jsonl)).text).toBe('{"id":"=1","price":2}\n{"id":"a"}\n');
    expect((await follow(safe)).text).toBe(CSV.replace('=1', "'=1"));
    expect((await follow(plain)).text).toBe(CSV);
  });

  it('ends after 15 minutes, by the database’s clock', async () => {
    const path = `/v1/sources/${recordId}/snapshots/latest/download-links`;
    const { body } = await api.call('POST', path, { body: {} });
    const grant = openDownload(testKeys, tokenOf(body.url));
    if (grant === undefined) throw new Error('The token does not open');
    const { rows } = await api.db.raw('select extract(epoch from now())::double precision * 1000 as now');
    expect(new Date(grant.expiresAtMs).toISOString()).toBe(body.expiresAt);
    expect(grant.expiresAtMs - rows[0].now).toBeGreaterThan(14.5 * 60_000);
    expect(grant.expiresAtMs - rows[0].now).toBeLessThanOrEqual(15 * 60_000);
    const over = sealDownload(testKeys, { ...grant, expiresAtMs: rows[0].now - 1 });
    await expectEnded(`/v1/downloads?token=${over}`);
  });

  it('interface 7: "A revoked key is rejected from the moment of revocation", and so are its links', async () => {
    const path = await makeLink();
    expect((await follow(path)).status).toBe(200);
    await api.call('DELETE', `/v1/sources/${recordId}/apikeys/${key.id}`);
    await expectEnded(path);
  });

  it('ends with the key that created it', async () => {
    const path = await makeLink();
    await api
      .db('api_keys')
      .where({ id: key.id })
      .update({ expiresAt: api.db.raw(`now() - interval '1 second'`) });
    await expectEnded(path);
  });

  it('ends with the record', async () => {
    const path = await makeLink();
    await markRecordDeleted(api.db, recordId);
    await expectEnded(path);
  });

  it('ends when the snapshot was deleted', async () => {
    const path = await makeLink();
    await api.db('snapshots').where({ recordId }).delete();
    await expectEnded(path);
  });

  it('ends when its record moves out of the key’s reach', async () => {
    const { value } = await createKey(api.db, api.accountId, 'full');
    const path = await makeLink({}, value);
    await api
      .db('records')
      .where({ id: recordId })
      .update({ accountId: await createAccount(api.db) });
    await expectEnded(path);
  });

  it('interface 5: ends with the ephemeral session that made it: "its powers end when the session ends"', async () => {
    const { value, hash } = mintApiKey('ephemeral');
    const id = newTestId('session');
    const expiresAt = api.db.raw(`now() + interval '1 hour'`);
    const session = { id, accountId: api.accountId, recordId, tokenHash: hash, expiresAt };
    await api.db('ephemeral_sessions').insert(session);
    const path = await makeLink({}, value);
    expect((await follow(path)).text).toBe(CSV);
    await api.db('ephemeral_sessions').where({ id }).update({ endedAt: new Date() });
    await expectEnded(path);
  });
});

describe('an invalid link', () => {
  it('is not found: changed, truncated, invented, of another purpose', async () => {
    const token = tokenOf(await makeLink());
    const cursor = api.services.cursors.seal({ listing: 'delta', filters: {} }, [1]);
    const changed = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');
    for (const wrong of [changed, token.slice(0, -4), 'x', cursor, '%00', 'a'.repeat(2_048)]) {
      const { status, body } = await follow(`/v1/downloads?token=${wrong}`);
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' });
    }
    expect((await follow('/v1/downloads')).status).toBe(400);
  });

  it('cannot be created for another account’s record, or without such a file', async () => {
    const { value: stranger } = await createKey(api.db, await createAccount(api.db), 'full');
    const path = `/v1/sources/${recordId}/snapshots/latest/download-links`;
    expect((await api.call('POST', path, { key: stranger, body: {} })).status).toBe(404);
    const missing = path.replace('latest', newTestId('snapshot'));
    expect((await api.call('POST', missing, { body: {} })).status).toBe(404);
    const { status, body } = await api.call('POST', path, {
      body: { format: 'jsonl', escape: 'spreadsheet' },
    });
    expect({ status, errors: body.errors }).toMatchObject({ status: 422, errors: [{ pointer: '/escape' }] });
  });
});

it('no token of a link is in the logs', async () => {
  const path = await makeLink();
  await follow(path);
  await follow(`${path}x`);
  await markRecordDeleted(api.db, recordId);
  await follow(path);
  const logged = api.logLines.join('');
  expect(logged).toContain('/v1/downloads');
  expect(logged).not.toContain(tokenOf(path));
});
