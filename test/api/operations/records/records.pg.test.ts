import { beforeEach, describe, expect, it } from 'vitest';
import { findRecord } from '../../../../db/records/records.ts';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createAccount, createKey, createTestRecord } from '../../../support/rows/factories.ts';

const api = useApi();
const url = 'https://example.com/feeds/Prices%202026.csv';

beforeEach(() => {
  api.workflows.calls.length = 0;
  api.workflows.failure = null;
});

describe('POST /v1/sources', () => {
  it('creates a record with defaults from the URL', async () => {
    const { status, body } = await api.call('POST', '/v1/sources', { body: { url: `${url}#part` } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      url,
      name: 'example.com Prices 2026.csv',
      slug: 'example-com-prices-2026-csv',
      tier: 'free',
      status: 'active',
      keyFields: null,
      keySource: null,
      ignoreFields: [],
      checkIntervalMinutes: 60,
      auth: { type: 'none', configured: false },
      lastCheckedAt: null,
      totalRows: null,
    });
    expect(body.id).toMatch(/^src_[0-9a-f]{32}$/);
    expect(body.nextCheckAt).not.toBeNull();
    expect(api.workflows.calls).toEqual([{ name: 'created', id: body.id }]);
  });

  it('accepts all settings', async () => {
    const given = {
      url: 'https://example.com/x',
      name: 'Ærø prices',
      slug: 'aeroe',
      format: 'csv',
      delimiter: ';',
      keyFields: ['id', 'shop'],
      ignoreFields: ['updated at'],
      checkIntervalMinutes: 90.5,
    };
    const { status, body } = await api.call('POST', '/v1/sources', { body: given });
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...given, keySource: 'given' });
  });

  it('regression: accepts null as not given, like PATCH', async () => {
    const nulls = { format: null, delimiter: null, rowsPath: null, headerRow: null, keyFields: null };
    const { status, body } = await api.call('POST', '/v1/sources', { body: { url, ...nulls } });
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...nulls, ignoreFields: [] });
    const session = await api.call('POST', '/v1/sessions', { key: null, body: { url, ...nulls } });
    expect(session.status).toBe(201);
    for (const field of Object.keys(nulls)) {
      expect((await api.call('PATCH', `/v1/sources/${body.id}`, { body: { [field]: null } })).status).toBe(
        200,
      );
    }
    // The other values must still fit together.
    const mixed = { url, ...nulls, format: 'json', delimiter: ';' };
    expect((await api.call('POST', '/v1/sources', { body: mixed })).body).toMatchObject({
      errors: [{ pointer: '/delimiter' }],
    });
  });

  it('gives generated slugs a suffix when taken, and refuses given ones', async () => {
    const first = await api.call('POST', '/v1/sources', { body: { url, name: 'Twice' } });
    const second = await api.call('POST', '/v1/sources', { body: { url, name: 'Twice' } });
    const third = await api.call('POST', '/v1/sources', { body: { url, slug: 'twice' } });
    expect(first.body.slug).toBe('twice');
    expect(second.body.slug).toMatch(/^twice-[0-9a-z]{4}$/);
    expect(third.status).toBe(409);
    expect(third.body).toMatchObject({ code: 'conflict', errors: [{ pointer: '/slug', code: 'taken' }] });
  });

  it('lets two accounts use the same slug', async () => {
    const other = await createAccount(api.db);
    const { value: key } = await createKey(api.db, other, 'full');
    await api.call('POST', '/v1/sources', { body: { url, slug: 'shared-name' } });
    const { status } = await api.call('POST', '/v1/sources', { key, body: { url, slug: 'shared-name' } });
    expect(status).toBe(201);
  });

  it('succeeds although the workflow cannot be told', async () => {
    api.workflows.failure = new Error('no Temporal');
    const { status, body } = await api.call('POST', '/v1/sources', { body: { url } });
    expect(status).toBe(201);
    expect((await findRecord(api.db, body.id))?.nextCheckAt).not.toBeNull();
    expect(api.logLines.join('')).toContain('reconciling will');
  });

  it.each([
    ['ftp://example.com/x'],
    ['http://user:secret@example.com/x'],
    ['http://127.0.0.1/x'],
    ['http://169.254.169.254/latest/meta-data'],
    ['http://localhost:8080/'],
    ['http://[::1]/'],
    ['not a url'],
  ])('refuses the URL %s', async (bad) => {
    const { status, body } = await api.call('POST', '/v1/sources', { body: { url: bad } });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      code: 'url_not_allowed',
      errors: [{ pointer: '/url', code: 'url_not_allowed' }],
    });
    expect(body.detail).not.toContain('secret');
  });

  it.each([
    [{ checkIntervalMinutes: 59.9 }, '/checkIntervalMinutes', 'too_small'],
    [{ slug: 'self' }, '/slug', 'invalid_value'],
    [{ slug: 'latest' }, '/slug', 'invalid_value'],
    [{ slug: 'Not A Slug' }, '/slug', 'invalid_value'],
    [{ slug: 'a--b' }, '/slug', 'invalid_value'],
    [{ name: '' }, '/name', 'invalid_value'],
    [{ name: '  ' }, '/name', 'invalid_value'],
    [{ name: 'a\u0000b' }, '/name', 'invalid_value'],
    [{ name: '\ud800' }, '/name', 'invalid_value'],
    [{ format: 'xml' }, '/format', 'invalid_value'],
    [{ format: 'jsonl', delimiter: ';' }, '/delimiter', 'invalid_value'],
    [{ delimiter: ';;' }, '/delimiter', 'invalid_value'],
    [{ delimiter: '"' }, '/delimiter', 'invalid_value'],
    [{ format: 'csv', rowsPath: 'a' }, '/rowsPath', 'invalid_value'],
    [{ rowsPath: 'a\u0000' }, '/rowsPath', 'invalid_value'],
    [{ keyFields: [] }, '/keyFields', 'too_short'],
    [{ keyFields: ['a', 'a'] }, '/keyFields', 'invalid_value'],
    [{ keyFields: ['a', ''] }, '/keyFields/1', 'invalid_value'],
    [{ keyFields: ['a'], ignoreFields: ['b', 'a'] }, '/ignoreFields/1', 'invalid_value'],
    [{ checkIntervalMinutes: '60' }, '/checkIntervalMinutes', 'invalid_type'],
    [{ checkIntervalMinutes: 0 }, '/checkIntervalMinutes', 'too_small'],
    [{ checkIntervalMinutes: 1e9 }, '/checkIntervalMinutes', 'too_large'],
    [{ tier: 'max' }, '/tier', 'unknown_field'],
    [{ 'a/b~c': 1 }, '/a~1b~0c', 'unknown_field'],
  ])('refuses %j', async (more, pointer, code) => {
    const { status, body } = await api.call('POST', '/v1/sources', { body: { url, ...more } });
    expect(status).toBe(422);
    expect(body.code).toBe('validation_failed');
    expect(body.errors).toEqual([expect.objectContaining({ pointer, code })]);
  });

  it('lists every error', async () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`unknown${index}`, 1]));
    const { body } = await api.call('POST', '/v1/sources', { body: { ...many, name: 5 } });
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual(
      ['/name', '/url', ...Object.keys(many).map((name) => `/${name}`)].toSorted(),
    );
  });

  it('refuses __proto__ like any other unknown field', async () => {
    const { status, body } = await api.call('POST', '/v1/sources', {
      body: `{"url":"${url}","__proto__":{"tier":"max"},"constructor":{}}`,
    });
    expect(status).toBe(422);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/__proto__',
      '/constructor',
    ]);
  });

  it('waits for the first check on request, and distinguishes the baseline from a check without changes', async () => {
    const created = api.call('POST', '/v1/sources', {
      body: { url, slug: 'waited' },
      headers: { prefer: 'wait=20' },
    });
    const recordId = await new Promise<string>((resolve) => {
      const timer = setInterval(() => {
        const [first] = api.workflows.calls;
        if (first === undefined) return;
        clearInterval(timer);
        resolve(first.id);
      }, 10);
    });
    await commitRows(api.db, recordId, { a: '{"id":"a"}' });
    const { status, body, headers } = await created;
    expect(status).toBe(201);
    expect(headers['preference-applied']).toBe('wait=20');
    expect(body).toMatchObject({
      totalRows: 1,
      lastOutcome: 'unchanged',
      isBaseline: true,
      keyFields: ['id'],
      keySource: 'detected',
    });
    expect(body).toMatchObject({ format: 'csv', delimiter: ',', keyEvidence: { candidate: 'id' } });
    for (const [text, outcome] of [
      ['{"id":"a"}', 'unchanged'],
      ['{"id":"b"}', 'changed'],
    ] as const) {
      await commitRows(api.db, recordId, { a: text });
      const later = await api.call('GET', `/v1/sources/${recordId}`);
      expect(later.body).toMatchObject({ lastOutcome: outcome, isBaseline: false });
    }
    const { body: list } = await api.call('GET', `/v1/sources/${recordId}/checks?order=asc`);
    const flags = list.checks.map((check: { isBaseline: boolean }) => check.isBaseline);
    expect(flags).toEqual([true, false, false]);
    const first = await api.call('GET', `/v1/sources/${recordId}/checks/${list.checks[0].id}`);
    expect(first.body).toMatchObject({ outcome: 'unchanged', isBaseline: true });
  });

  it('returns the record as it is when the wait ends', async () => {
    const { status, body } = await api.call('POST', '/v1/sources', {
      body: { url },
      headers: { prefer: 'wait=1' },
    });
    expect(status).toBe(201);
    expect(body.lastCheckedAt).toBeNull();
  });
});

describe('GET /v1/sources', () => {
  it('pages through the account’s records in both orders', async () => {
    const account = await createAccount(api.db);
    const { value: key } = await createKey(api.db, account, 'read');
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await createTestRecord(api.db, account));
    ids.sort();
    const pages = async (order: string): Promise<string[][]> => {
      const found: string[][] = [];
      let cursor = '';
      do {
        const { body } = await api.call('GET', `/v1/sources?limit=2&order=${order}${cursor}`, { key });
        expect(Object.keys(body)).toEqual(['count', 'hasMore', 'nextCursor', 'sources']);
        expect(body.count).toBe(body.sources.length);
        expect(body.hasMore).toBe(body.nextCursor !== null);
        found.push(body.sources.map(({ id }: { id: string }) => id));
        cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
      } while (cursor !== '');
      return found;
    };
    expect((await pages('asc')).flat()).toEqual(ids);
    expect((await pages('desc')).map((page) => page.length)).toEqual([2, 2, 1]);
    expect((await pages('desc')).flat()).toEqual(ids.toReversed());
  });

  it('regression: explains `self` to an account key', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    for (const rest of ['', '/delta/latest', '/webhooks']) {
      const { body } = await api.call('GET', `/v1/sources/self${rest}`);
      expect(body).toMatchObject({ status: 404, code: 'not_found' });
      expect(body.detail).toMatch(/^`self` works .* name the record by its id or slug\.$/);
      const other = await api.call('GET', `/v1/sources/${id.slice(0, -4)}0000${rest}`);
      expect(other.body.detail).not.toContain('self');
    }
  });

  it('shows a record key its record only, by id, slug and self', async () => {
    const recordId = await createTestRecord(api.db, api.accountId, { slug: 'mine' });
    const other = await createTestRecord(api.db, api.accountId, { slug: 'other' });
    const { value: key } = await createKey(api.db, api.accountId, 'read', recordId);
    const { body } = await api.call('GET', '/v1/sources', { key });
    expect(body.sources.map(({ id }: { id: string }) => id)).toEqual([recordId]);
    for (const reference of [recordId, 'mine', 'self']) {
      expect((await api.call('GET', `/v1/sources/${reference}`, { key })).body.id).toBe(recordId);
    }
    expect((await api.call('GET', `/v1/sources/${other}`, { key })).status).toBe(404);
    expect((await api.call('GET', '/v1/sources/other', { key })).status).toBe(404);
    expect((await api.call('GET', '/v1/sources/self')).status).toBe(404);
  });
});

describe('PATCH /v1/sources/:id', () => {
  it('changes settings and tells the workflow', async () => {
    const id = await createTestRecord(api.db, api.accountId, { slug: 'to-patch' });
    const changes = {
      name: 'New name',
      slug: 'patched',
      url: 'https://example.org/b.csv',
      checkIntervalMinutes: 120,
    };
    const { status, body } = await api.call('PATCH', '/v1/sources/to-patch', { body: changes });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, ...changes });
    expect(api.workflows.calls).toEqual([{ name: 'settingsChanged', id }]);
    expect((await api.call('GET', '/v1/sources/to-patch')).status).toBe(404);
  });

  it('does nothing for no change', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    expect((await api.call('PATCH', `/v1/sources/${id}`, { body: {} })).status).toBe(200);
    expect(api.workflows.calls).toEqual([]);
  });

  it('refuses a taken slug, a forbidden URL, a short interval and read-only fields', async () => {
    await createTestRecord(api.db, api.accountId, { slug: 'taken-slug' });
    const id = await createTestRecord(api.db, api.accountId);
    const patch = (body: unknown) => api.call('PATCH', `/v1/sources/${id}`, { body });
    expect((await patch({ slug: 'taken-slug' })).status).toBe(409);
    expect((await patch({ url: 'http://10.0.0.1/' })).body.code).toBe('url_not_allowed');
    expect((await patch({ checkIntervalMinutes: 1 })).status).toBe(422);
    for (const field of ['tier', 'id', 'accountId', 'status', 'dialectVersion']) {
      const { status, body } = await patch({ [field]: 'x' });
      expect(status).toBe(422);
      expect(body.errors).toEqual([expect.objectContaining({ pointer: `/${field}`, code: 'unknown_field' })]);
    }
    // The request contains nothing, so nothing changes.
    expect((await patch(undefined)).status).toBe(200);
  });
});

describe('pause, resume, delete', () => {
  it('pauses and resumes once each', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const paused = await api.call('POST', `/v1/sources/${id}/pause`, { body: {} });
    expect(paused.body).toMatchObject({ status: 'paused', nextCheckAt: null });
    await api.call('POST', `/v1/sources/${id}/pause`);
    const resumed = await api.call('POST', `/v1/sources/${id}/resume`);
    expect(resumed.body.status).toBe('active');
    expect(Date.parse(resumed.body.nextCheckAt)).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(api.workflows.calls.map(({ name }) => name)).toEqual(['paused', 'resumed']);
  });

  it('deletes at once for every caller and frees the slug', async () => {
    const id = await createTestRecord(api.db, api.accountId, { slug: 'to-delete' });
    const { status } = await api.call('DELETE', `/v1/sources/${id}`);
    expect(status).toBe(204);
    expect(api.workflows.calls).toEqual([{ name: 'deleted', id }]);
    expect((await api.call('GET', `/v1/sources/${id}`)).status).toBe(404);
    expect((await api.call('DELETE', `/v1/sources/${id}`)).status).toBe(404);
    expect((await api.call('POST', '/v1/sources', { body: { url, slug: 'to-delete' } })).status).toBe(201);
  });
});
