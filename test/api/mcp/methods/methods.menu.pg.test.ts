// The entries in the menus of clients: resources, prompts, and the completion of both.
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createAccount, createTestRecord } from '../../../support/rows/factories.ts';
import { ERAS, rpc } from '../caller.ts';
import { shownTools } from '../answer-schemas.ts';

const api = useApi();
let record: string;

beforeAll(async () => {
  record = await createTestRecord(api.db, api.accountId, { slug: 'prices-a', name: 'Prices' });
  await createTestRecord(api.db, api.accountId, { slug: 'prices-b' });
  await createTestRecord(api.db, api.accountId, { slug: 'stock' });
  await createTestRecord(api.db, await createAccount(api.db), { slug: 'prices-of-others' });
  await commitRows(api.db, record, { a: '{"id":"a","price":"1"}' });
});

async function result(method: string, params: object, era: 'older' | 'newer' = 'older') {
  const { body } = await rpc(api, method, params, { era });
  return body.result;
}

describe.each(ERAS)('in the %s era', (era) => {
  it('a source and its latest event can be read, by id or slug, as the REST API shows them', async () => {
    for (const source of [record, 'prices-a']) {
      for (const [uri, path] of [
        [`delta://sources/${source}`, ''],
        [`delta://sources/${source}/delta/latest`, '/delta/latest?keysLimit=20'],
      ] as const) {
        const { contents } = await result('resources/read', { uri }, era);
        const rest = await api.call('GET', `/v1/sources/prices-a${path}`);
        expect(contents).toEqual([{ uri, mimeType: 'application/json', text: rest.text }]);
      }
    }
  });

  it('a source without data has no latest event', async () => {
    const uri = 'delta://sources/stock/delta/latest';
    const { body } = await rpc(api, 'resources/read', { uri }, { era });
    expect(body.error).toMatchObject({
      message: expect.stringContaining('Resource not found'),
      data: { uri },
    });
  });

  it('prompts are filled in, and name existing tools', async () => {
    const { prompts } = await result('prompts/list', {}, era);
    expect(prompts.map(({ name }: { name: string }) => name)).toEqual([
      'summarize_changes',
      'set_up_monitoring',
    ]);
    const { messages } = await result(
      'prompts/get',
      { name: 'summarize_changes', arguments: { source: 'prices-a', since: '2026-01-05' } },
      era,
    );
    const { text } = messages[0].content;
    expect(text).toContain('the source prices-a since 2026-01-05');
    const tools = new Set((await shownTools()).map(({ name }) => name));
    for (const [name] of text.matchAll(/\b(?:get|compare|list|summarize)_[a-z_]+/g))
      expect(tools).toContain(name);
  });

  it('a prompt without a required argument is refused', async () => {
    const { body } = await rpc(api, 'prompts/get', { name: 'set_up_monitoring', arguments: {} }, { era });
    expect(body.error).toMatchObject({ code: -32_602, message: expect.stringContaining('url') });
  });

  it('the caller’s sources are completed', async () => {
    const ask = async (value: string) => {
      const ref = { type: 'ref/resource', uri: 'delta://sources/{source}' };
      const { completion } = await result(
        'completion/complete',
        { ref, argument: { name: 'source', value } },
        era,
      );
      return completion.values;
    };
    expect(await ask('pri')).toEqual(['prices-a', 'prices-b']);
    expect(await ask(record.slice(0, -4))).toContain(record);
    // Wildcards of SQL have no meaning here.
    expect(await ask('%')).toEqual([]);
    expect(await ask('pri_es')).toEqual([]);
  });
});

it('lists have one page, and say so', async () => {
  for (const method of ['tools/list', 'prompts/list', 'resources/templates/list', 'resources/list']) {
    const { body } = await rpc(api, method, { cursor: 'x' });
    expect([method, body.error?.code]).toEqual([method, -32_602]);
    const first = await rpc(api, method, {});
    expect((await rpc(api, method, { cursor: '' })).body.result).toEqual(first.body.result);
  }
});
