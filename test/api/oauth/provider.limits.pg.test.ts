// Limits of an address at the authorization server, however the path is spelled.
import { describe, expect, it } from 'vitest';
import { createRateLimits } from '../../../api/access/rate-limits.ts';
import { useApi } from '../../support/api/api.ts';

const api = useApi({ baseUrl: 'https://records.example' }, { rateLimits: createRateLimits() });

const times = async (count: number, ask: () => Promise<number>): Promise<number[]> => {
  const statuses: number[] = [];
  for (let left = count; left > 0; left -= 1) statuses.push(await ask());
  return statuses;
};

const post = async (url: string, fields: Record<string, string>, remoteAddress: string) => {
  const { statusCode } = await api.app.inject({
    method: 'POST',
    url,
    remoteAddress,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  });
  return statusCode;
};

describe('an address', () => {
  it('may open 120 pages a minute, and is told to wait at the next one', async () => {
    const visit = (url: string) => api.app.inject({ url, remoteAddress: '203.0.113.1' });
    const statuses = await times(121, async () => (await visit('/oauth/%69nteraction/x')).statusCode);
    expect([statuses[119], statuses[120]]).toEqual([400, 429]);
    expect((await visit('/oauth/interaction/x')).body).toContain('<h1>This client cannot be connected</h1>');
  });

  it('may have 120 documents fetched per minute, through any endpoint', async () => {
    const name = (at: number) =>
      post('/oauth/token', { grant_type: 'x', client_id: `https://127.0.0.1/${at}` }, '203.0.113.3');
    let at = 0;
    await times(125, () => name((at += 1)));
    const fetches = api.logLines.filter((line) => line.includes('could not connect'));
    expect(fetches).toHaveLength(120);
  });
});

it('cookies are secure when the address is https', async () => {
  const registered = await api.app.inject({
    method: 'POST',
    url: '/oauth/register',
    remoteAddress: '203.0.113.4',
    payload: { redirect_uris: ['https://client.example/'] },
  });
  const { client_id: clientId } = registered.json<{ client_id: string }>();
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
  const { headers } = await api.app.inject({
    url: `/oauth/authorize?${query.toString()}`,
    remoteAddress: '203.0.113.4',
    headers: { 'x-forwarded-proto': 'http', host: 'evil.example' },
  });
  const cookies = [headers['set-cookie'] ?? []].flat();
  expect(cookies).not.toHaveLength(0);
  for (const cookie of cookies) expect(cookie).toMatch(/; secure; httponly$/);
});
