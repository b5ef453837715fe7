// Every hostile URL in every operation with a URL: it is refused with an explanation, none of it is stored, and the explanation
// is the same whatever runs at its address.
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../support/api/api.ts';
import { createTestRecord } from '../../support/rows/factories.ts';
import { HOSTILE_HOSTS, HOSTILE_URLS } from '../../core/network/hostile-urls.ts';

const api = useApi();
let recordId: string;
let webhookId: string;

beforeAll(async () => {
  // Only paid accounts have webhooks.
  recordId = await createTestRecord(api.db, api.accountId, { tier: 'watch' });
  const { body } = await api.call('POST', `/v1/sources/${recordId}/webhooks`, {
    body: { url: 'https://example.com/hook' },
  });
  webhookId = body.id as string;
});

const URLS = [
  ...HOSTILE_HOSTS.map(([what, host]) => [what, `http://${host}/feed.csv`] as const),
  ...HOSTILE_URLS.map((url) => ['URL', url] as const),
];

const DOORS = [
  ['a record', 'POST', () => '/v1/sources'],
  ['a record’s new URL', 'PATCH', () => `/v1/sources/${recordId}`],
  ['a webhook', 'POST', () => `/v1/sources/${recordId}/webhooks`],
  ['a webhook’s new URL', 'PATCH', () => `/v1/sources/${recordId}/webhooks/${webhookId}`],
  ['a session', 'POST', () => '/v1/sessions'],
] as const;

/** Tables that could store a URL. */
async function counts(): Promise<unknown[]> {
  return Promise.all(
    ['records', 'webhooks', 'accounts', 'ephemeral_sessions'].map((table) => api.db(table).count()),
  );
}

describe.each(DOORS)('%s', (_what, method, path) => {
  it('accepts none of them, and stores nothing', async () => {
    const before = await counts();
    const taken: string[] = [];
    const words = new Map<string, Set<string>>();
    for (const [what, url] of URLS) {
      const { status, body } = await api.call(method, path(), { body: { url } });
      const isRefused =
        status === 422 && ['url_not_allowed', 'validation_failed'].includes(String(body.code));
      if (!isRefused) taken.push(`${what}: ${url}: ${status} ${body.code}`);
      if (what !== 'URL') words.set(what, (words.get(what) ?? new Set()).add(`${body.code}: ${body.detail}`));
    }
    expect(taken).toEqual([]);
    expect(await counts()).toEqual(before);
    // The explanation does not distinguish private addresses.
    const [first = []] = words.values();
    expect([...words.values()].map((said) => [...said])).toEqual([...words.keys()].map(() => [...first]));
    expect([...first]).toHaveLength(1);
  });
});
