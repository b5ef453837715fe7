// Common mistakes of newcomers. Each answer must say what to do.
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../support/api/api.ts';
import { createTestRecord } from '../../support/rows/factories.ts';

const api = useApi();
let id = '';
beforeAll(async () => {
  id = await createTestRecord(api.db, api.accountId);
});

describe('credentials', () => {
  it.each([
    ['nothing', undefined],
    ['HTTP Basic', 'Basic Y2F0X2xpdmVfOg=='],
    ['the bare key', 'cat_live_KN9DZlPATyZI1P7fXDBIf2GyRLyWRa4QwZWV'],
  ])('%s: names the header and its form', async (_given, authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    const { body } = await api.call('GET', '/v1/sources', { key: null, headers });
    expect(body).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(body.detail).toContain('Authorization: Bearer <API_KEY>');
  });

  it('that were not copied completely get their own message', async () => {
    const { body } = await api.call('GET', '/v1/sources', { key: api.fullKey.slice(0, -1) });
    expect(body.detail).toContain('copied all of it');
  });
});

describe('bodies', () => {
  it('that are missing lack their fields', async () => {
    const { body } = await api.call('POST', '/v1/sources');
    expect(body).toMatchObject({ status: 422, errors: [{ pointer: '/url', code: 'required' }] });
  });

  it('may be omitted if no field is required', async () => {
    const { body } = await api.call('POST', `/v1/sources/${id}/snapshots/latest/download-links`);
    // The record has no snapshot yet: the request was understood.
    expect(body).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('list the known fields when one is misspelled', async () => {
    const { body } = await api.call('POST', '/v1/apikeys', { body: { name: 'A key', scopes: ['read'] } });
    expect(body.errors).toContainEqual({
      pointer: '/scopes',
      code: 'unknown_field',
      detail: 'is not a field of this request, which takes name, expiresAt, scope',
    });
  });

  it('say of a response field that it cannot be set', async () => {
    const { body } = await api.call('PATCH', `/v1/sources/${id}`, { body: { tier: 'max' } });
    expect(body).toMatchObject({ status: 422, errors: [{ pointer: '/tier', code: 'unknown_field' }] });
    expect(body.detail).toMatch(/^\/tier cannot be set by this request, which takes name, slug, url, /);
  });

  it('show the form of a time by an example', async () => {
    const asked = { name: 'A key', scope: 'read', expiresAt: '2030-01-01' };
    const { body } = await api.call('POST', '/v1/apikeys', { body: asked });
    expect(body.detail).toBe(
      '/expiresAt must be an ISO 8601 time with its offset, such as 2026-01-31T12:00:00Z.',
    );
  });
});

describe('parameters', () => {
  it.each([
    [
      'delta?pageSize=10',
      'pageSize is not a parameter of this request, which takes limit, cursor, order, since, until, changesOnly, keysLimit, firstRows.',
    ],
    [`checks/chk_${'0'.repeat(32)}?limit=1`, 'limit is not a parameter of this request, which takes none.'],
    ['delta?limit=0', 'limit must be at least 1.'],
    ['compare?from=3', 'from must be the id of a snapshot, or `latest`.'],
    [
      'snapshot-rows?filter[price]=3',
      'filter[price] names no operator: write filter[price][eq], for example.',
    ],
  ])('%s', async (path, detail) => {
    const { body } = await api.call('GET', `/v1/sources/${id}/${path}`);
    expect(body).toMatchObject({ status: 400, code: 'invalid_parameter', detail });
  });
});
