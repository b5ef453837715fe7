// GET /v1/events.atom, as an XML parser and a feed reader see it, and what a key in a URL may be.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { atomDocument } from '../../../api/feed/atom.ts';
import { FEED_EVENT_TYPES } from '../../../db/feeds/feed-events.ts';
import { revokeApiKey } from '../../../db/access/api-keys.ts';
import { commitProblemCheck } from '../../../db/commit/checks.ts';
import { useApi } from '../../support/api/api.ts';
import {
  commitRows,
  createAccount,
  createKey,
  createTestRecord,
  newTestId,
} from '../../support/rows/factories.ts';
import { INSTALL_MS, installPackages } from '../../support/servers/python-packages.ts';

const FOLDER = fileURLToPath(new URL('atom/', import.meta.url));

interface ReadFeed {
  isBroken: boolean;
  version: string;
  id: string;
  title: string;
  link: string;
  updated: string;
  entries: { id: string; title: string; link: string; updated: string; content: string; tags: string[] }[];
}

async function readByPython(documents: readonly string[]): Promise<ReadFeed[]> {
  const packages = await installPackages(`${FOLDER}requirements.txt`);
  const child = spawn('python3', [`${FOLDER}read-feeds.py`], {
    env: { PATH: process.env['PATH'], PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(documents.map((document) => `${JSON.stringify(document)}\n`).join(''));
  const lines = (await text(child.stdout)).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as ReadFeed);
}

const api = useApi();

let accountId: string;
let feedKey: { id: string; value: string };
beforeEach(async () => {
  accountId = await createAccount(api.db);
  feedKey = await createKey(api.db, accountId, 'feed');
});

const read = (query = '', headers: Record<string, string> = {}) =>
  api.call('GET', `/v1/events.atom?token=${feedKey.value}${query}`, { headers });

const row = (id: string, price: number) => ({ [id]: JSON.stringify({ id, price: String(price) }) });

async function changedRecord(name: string, key = 'a', owner = accountId): Promise<string> {
  const id = await createTestRecord(api.db, owner, { name });
  await commitRows(api.db, id, row(key, 1));
  await commitRows(api.db, id, row(key, 2));
  return id;
}

const fail = (recordId: string) =>
  commitProblemCheck(
    api.db,
    'failed',
    {
      id: newTestId('check'),
      recordId,
      trigger: 'schedule',
      startedAt: new Date(),
      httpStatus: 503,
      bytes: null,
      rows: null,
      nextCheckInMs: 60_000,
    },
    { code: 'http_error', detail: 'It was <503>.' },
  );

describe('a feed reader', () => {
  it('sees the newest events first, each with a page and its keys', { timeout: INSTALL_MS }, async () => {
    const id = await changedRecord('Jam & <Co>', '<script>alert(1)</script>');
    await fail(id);
    await changedRecord('Honey');
    const answer = await read();
    expect(answer.headers).toMatchObject({
      'content-type': 'application/atom+xml; charset=utf-8',
      'cache-control': 'private, no-cache',
    });
    expect(answer.headers).not.toHaveProperty('content-disposition');
    const [feed] = await readByPython([answer.text]);
    const events = (
      await api.call('GET', '/v1/events', { key: (await createKey(api.db, accountId, 'read')).value })
    ).body.events;
    const pages = `${api.services.config.baseUrl}/dashboard/records`;
    expect(feed).toMatchObject({ isBroken: false, version: 'atom10', title: 'Recordwatch', link: pages });
    expect(feed?.entries).toMatchObject([
      { title: 'Honey: 1 changed of 1 row', tags: ['delta'] },
      {
        title: 'Jam &#38; &#60;Co&#62;: the check failed',
        link: `${pages}/${id}/checks/${events[1].checkId}`,
        tags: ['check.failed'],
      },
      { link: `${pages}/${id}/changes/${events[0].deltaEventId}`, tags: ['delta'] },
    ]);
    expect(feed?.entries[2]?.content).toContain('<li>&#60;script&#62;alert(1)&#60;/script&#62;</li>');
    expect(feed?.entries[1]?.content).toContain('It was &#60;503&#62;. (http_error)');
    expect(new Set(feed?.entries.map((entry) => entry.id)).size).toBe(3);
    // No reader, and nobody who sees a shared entry, learns the key.
    expect(answer.text).not.toContain(feedKey.value);
  });

  it('gets a valid document whatever the names and keys are', { timeout: INSTALL_MS }, async () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 300 });
    const awkward = fc.constantFrom(
      ']]>',
      '<![CDATA[',
      '&amp;',
      '&#0;',
      '\u0000',
      '\ud800',
      '"\'>',
      '\ufffe',
    );
    const words = fc.oneof(
      anyText,
      fc.array(fc.oneof(anyText, awkward), { maxLength: 4 }).map((all) => all.join('')),
    );
    const documents = fc.sample(
      fc
        .record({ name: words, keys: fc.array(words, { maxLength: 3 }), detail: words })
        .map(({ name, keys, detail }) => {
          const shared = { happenedAt: new Date(0), recordId: newTestId('record'), recordName: name };
          const none = { newKeys: null, changedKeys: null, deletedKeys: null, deltaEventId: null };
          const counts = {
            newCount: keys.length,
            changedCount: 0,
            deletedCount: 0,
            unchangedCount: 0,
            totalCount: 3,
          };
          const delta = {
            ...shared,
            ...none,
            newKeys: keys,
            deltaEventId: newTestId('deltaEvent'),
            data: counts,
          };
          const error = { code: 'http_error', detail };
          const check = { ...shared, ...none, data: { checkId: newTestId('check'), error } };
          return atomDocument(
            { baseUrl: 'https://example.com', accountId, recordId: shared.recordId, createdAt: new Date(0) },
            [
              { ...delta, position: 2, type: 'delta' },
              { ...check, position: 1, type: 'check.failed' },
            ],
          );
        }),
      300,
    );
    const feeds = await readByPython(documents);
    expect(feeds.length).toBe(documents.length);
    for (const feed of feeds) expect([feed.isBroken, feed.entries.length]).toEqual([false, 2]);
  });

  it('is as new as its newest event, also where an older one came later', () => {
    const about = { newKeys: null, changedKeys: null, deletedKeys: null, deltaEventId: null };
    const [early, late] = [new Date(1_000), new Date(2_000)];
    const event = (position: number, happenedAt: Date) => ({
      ...about,
      position,
      happenedAt,
      type: 'check.recovered' as const,
      recordId: newTestId('record'),
      recordName: 'Jam',
      data: { checkId: newTestId('check') },
    });
    const subject = { baseUrl: 'https://example.com', accountId, recordId: null, createdAt: new Date(0) };
    expect(atomDocument(subject, [event(2, early), event(1, late)])).toContain(
      `<updated>${late.toISOString()}</updated>\n    <author>`,
    );
  });

  it('knows each choice of events by an id of its own, however it is written', async () => {
    const jam = await changedRecord('Jam');
    const idOf = async (query: string) => /<id>(.*?)<\/id>/.exec((await read(query)).text)?.[1];
    const uuid = (id: string) => id.slice(-32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const whole = `urn:uuid:${uuid(accountId)}`;
    expect(await idOf('')).toBe(whole);
    const all = FEED_EVENT_TYPES.map((type) => `&type=${type}`).join('');
    expect(await idOf(all)).toBe(whole);
    expect(await idOf(`&sourceId=${jam}`)).toBe(`urn:uuid:${uuid(jam)}`);
    expect(await idOf('&type=delta')).toBe(`${whole}#type=delta`);
    expect(await idOf(`&sourceId=${jam}&type=delta`)).toBe(`urn:uuid:${uuid(jam)}#type=delta`);
    const several = `${whole}#type=check.held&amp;type=delta&amp;label=b%3A%26+c&amp;label=team%3Aa`;
    expect(await idOf('&label=team:a&label=b:%26%20c&type=delta&type=check.held')).toBe(several);
    expect(await idOf('&type=check.held&type=delta&label=b:%26%20c&label=team:a')).toBe(several);
  });

  it('is told that nothing is new', async () => {
    await changedRecord('Jam');
    const { headers } = await read();
    const again = await read('', { 'if-none-match': String(headers['etag']) });
    expect([again.status, again.text]).toEqual([304, '']);
    await changedRecord('Honey');
    expect((await read('', { 'if-none-match': String(headers['etag']) })).status).toBe(200);
  });

  it('gets a valid feed of an account without events', { timeout: INSTALL_MS }, async () => {
    const [feed] = await readByPython([(await read()).text]);
    expect(feed).toMatchObject({ isBroken: false, title: 'Recordwatch', entries: [] });
  });

  it('chooses events by record, type and label, and gets at most 100', async () => {
    const jam = await changedRecord('Jam');
    const honey = await changedRecord('Honey');
    await fail(honey);
    await api
      .db('records')
      .where({ id: jam })
      .update({ labels: { team: 'sweet' } });
    const titles = async (query: string) =>
      [...(await read(query)).text.matchAll(/<title type="html"><!\[CDATA\[(.*?)\]\]>/g)].map(
        ([, title]) => title,
      );
    expect(await titles(`&sourceId=${jam}`)).toEqual(['Jam: 1 changed of 1 row']);
    expect(await titles('&type=check.failed')).toEqual(['Honey: the check failed']);
    expect(await titles('&label=team:sweet')).toEqual(['Jam: 1 changed of 1 row']);
    for (let price = 3; price < 110; price += 1) await commitRows(api.db, jam, row('a', price));
    expect((await titles('')).length).toBe(100);
  });
});

describe('a condition', () => {
  const COUNT = { '>': [{ var: 'changedCount' }, 1] };
  const FELL = { some: [{ var: 'rows' }, { '<': [{ percent: 'price' }, -5] }] };
  const ask = async (condition: unknown, key?: string) => {
    const text = typeof condition === 'string' ? condition : JSON.stringify(condition);
    const query = `condition=${encodeURIComponent(text)}`;
    return key === undefined ? read(`&${query}`) : api.call('GET', `/v1/events.atom?${query}`, { key });
  };
  const titlesOf = ({ text: document }: { text: string }) =>
    [...document.matchAll(/<title type="html"><!\[CDATA\[(.*?)\]\]>/g)].map(([, title]) => title);

  async function jamWithTwo(): Promise<string> {
    const id = await changedRecord('Jam');
    await commitRows(api.db, id, { ...row('a', 2), ...row('b', 10) });
    await commitRows(api.db, id, { ...row('a', 3), ...row('b', 9) });
    return id;
  }

  it('on counts chooses among the deltas, also for a key in the URL', async () => {
    const jam = await jamWithTwo();
    await fail(jam);
    expect(titlesOf(await ask(COUNT))).toEqual(['Jam: the check failed', 'Jam: 2 changed of 2 rows']);
    const ofRecord = (await createKey(api.db, accountId, 'feed', jam)).value;
    const query = `&type=delta&condition=${encodeURIComponent(JSON.stringify(COUNT))}`;
    const answer = await api.call('GET', `/v1/events.atom?token=${ofRecord}${query}`);
    expect(titlesOf(answer)).toEqual(['Jam: 2 changed of 2 rows']);
  });

  it('on rows needs the scope read, because each answer would tell what rows hold', async () => {
    await jamWithTwo();
    const refused = await ask(FELL);
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
    expect(refused.body.detail).toContain('condition on rows');
    const { value } = await createKey(api.db, accountId, 'read');
    expect(titlesOf(await ask(FELL, value))).toEqual(['Jam: 2 changed of 2 rows']);
  });

  it('has the faults of conditions elsewhere', async () => {
    const { value } = await createKey(api.db, accountId, 'read');
    for (const condition of ['{', { no: [1] }, { '>': [{ var: 'x' }, 1] }, 'x'.repeat(4_001)]) {
      const text = typeof condition === 'string' ? condition : JSON.stringify(condition);
      const ofFeed = await api.call('GET', `/v1/events?condition=${encodeURIComponent(text)}`, {
        key: value,
      });
      const { status, body } = await ask(text, value);
      const { code, detail, errors } = ofFeed.body;
      expect(status).toBe(400);
      expect([status, body]).toMatchObject([ofFeed.status, { code, detail, errors }]);
      expect((await ask(text)).body).toMatchObject({ code, detail, errors });
    }
  });

  it('gives the feed an id of its own, however it is written', async () => {
    const idOf = async (text: string) => /<id>(.*?)<\/id>/.exec((await ask(text)).text)?.[1];
    const id = await idOf('{">":[{"var":"changedCount"},1]}');
    expect(id).toMatch(/#condition=[0-9a-f]{64}$/);
    expect(await idOf('{ ">": [ {"var": "changedCount"}, 1 ] }')).toBe(id);
    expect(await idOf('{">":[{"var":"changedCount"},2]}')).not.toBe(id);
  });

  it('shows an event whose rows do not tell, and says so', async () => {
    const { value } = await createKey(api.db, accountId, 'read');
    const jam = await changedRecord('Jam');
    const { body } = await api.call('GET', `/v1/sources/${jam}/delta/latest`, { key: value });
    const never = { some: [{ var: 'rows' }, { '==': [{ after: 'price' }, 77] }] };
    const before = await ask(never, value);
    expect([before.status, titlesOf(before)]).toEqual([200, []]);
    await api.db('delta_events').where({ id: body.id }).delete();
    const answer = await ask(never, value);
    expect(titlesOf(answer)).toEqual(['Jam: 1 changed of 1 row']);
    expect(answer.text).toContain('Its rows do not tell whether it meets the condition');
  });

  it('leaves an event undecided when newer ones took all that may be read', async () => {
    const { value } = await createKey(api.db, accountId, 'read');
    const record = await createTestRecord(api.db, accountId, { name: 'Large' });
    const large = (letter: string) =>
      Object.fromEntries(
        ['a', 'b', 'c'].map((id) => [id, JSON.stringify({ id, text: letter.repeat(1_000_000) })]),
      );
    for (const letter of 'wxyz') await commitRows(api.db, record, large(letter));
    const never = { some: [{ var: 'rows' }, { '==': [{ after: 'text' }, 'no'] }] };
    const answer = await ask(never, value);
    expect(titlesOf(answer)).toEqual(['Large: 3 changed of 3 rows']);
    expect(answer.text).toContain('Its rows do not tell');
  });
});

describe('a key in the URL', () => {
  it('must have the scope feed: a wider one is refused there, and works in the header', async () => {
    const { value } = await createKey(api.db, accountId, 'read');
    const inUrl = await api.call('GET', `/v1/events.atom?token=${value}`);
    expect([inUrl.status, inUrl.body.code]).toEqual([403, 'insufficient_scope']);
    expect(inUrl.body.detail).toContain('Revoke it');
    expect((await api.call('GET', '/v1/events.atom', { key: value })).status).toBe(200);
    expect((await api.call('GET', '/v1/events.atom', { key: null })).status).toBe(401);
  });

  it('opens nothing else, neither in the URL nor in the header', async () => {
    for (const path of ['/v1/events', '/v1/sources', '/v1/usage']) {
      expect((await api.call('GET', path, { key: feedKey.value })).status).toBe(403);
      const inUrl = await api.call('GET', `${path}?token=${feedKey.value}`, { key: null });
      expect(inUrl.status).toBe(401);
    }
  });

  it('shows the records of its account, or its one record', async () => {
    const jam = await changedRecord('Jam &amp; Co');
    await changedRecord('Honey');
    await changedRecord('Foreign', 'a', await createAccount(api.db));
    const { value } = await createKey(api.db, accountId, 'feed', jam);
    const ofRecord = (await api.call('GET', `/v1/events.atom?token=${value}`)).text;
    expect(ofRecord).toContain('<title>Jam &amp;amp; Co</title>');
    expect(ofRecord).not.toContain('Honey');
    const ofAccount = (await read()).text;
    expect(ofAccount).toContain('Honey');
    expect(ofAccount).not.toContain('Foreign');
  });

  it('ends when it is revoked', async () => {
    expect((await read()).status).toBe(200);
    await revokeApiKey(api.db, { accountId, recordId: null }, feedKey.id);
    expect((await read()).status).toBe(401);
  });
});
