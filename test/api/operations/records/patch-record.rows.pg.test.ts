// Settings on which stored rows depend, changed by PATCH, and what the worker is told.
import { beforeEach, describe, expect, it } from 'vitest';
import { findRecord } from '../../../../db/records/records.ts';
import { answerPreview, findPreview } from '../../../../db/records/rule-previews.ts';
import { changeRows } from '../../../../api/operations/records/patch-record.ts';
import { REREADS_PER_HOUR } from '../../../../api/access/usage-limits.ts';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createTestRecord } from '../../../support/rows/factories.ts';
import { createGate } from '../../../support/gate.ts';
import { makeHeldCheck } from '../../../support/rows/new-held-check.ts';

const api = useApi();
beforeEach(() => {
  api.workflows.calls.length = 0;
  api.workflows.onPreview = () => undefined;
});

async function makeRecord(settings: Parameters<typeof createTestRecord>[2] = {}): Promise<string> {
  const id = await createTestRecord(api.db, api.accountId, settings);
  await commitRows(api.db, id, { a: '{"id":"a","price":"1"}', b: '{"id":"b","price":"2"}' });
  return id;
}

const patch = (id: string, body: object) => api.call('PATCH', `/v1/sources/${id}`, { body });
const stored = async (id: string) => (await findRecord(api.db, id)) ?? {};

describe('PATCH of key and ignored fields', () => {
  it('stores them, tells the workflow, and says that the rows are still stored under the old rule', async () => {
    const id = await makeRecord();
    const { status, body } = await patch(id, { keyFields: ['price'], ignoreFields: [] });
    expect(status).toBe(200);
    expect(body).toMatchObject({ keyFields: ['price'], keySource: 'given', isRekeyPending: true });
    expect(api.workflows.calls).toEqual([{ name: 'settingsChanged', id }]);
    expect(await stored(id)).toMatchObject({ keyFields: ['price'], headKeyFields: ['id'] });
  });

  it('does not read the body again for the current key', async () => {
    const id = await makeRecord();
    expect((await patch(id, { keyFields: ['id'] })).body).toMatchObject({
      keySource: 'given',
      isRekeyPending: false,
    });
    expect((await patch(id, { keyFields: null })).body).toMatchObject({
      keyFields: ['id'],
      keySource: 'detected',
      isRekeyPending: false,
    });
  });

  it('refuses a key field that the latest body lacks, and says how to start over', async () => {
    const id = await makeRecord();
    const { status, body } = await patch(id, { keyFields: ['id', 'nowhere'] });
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      expect.objectContaining({ pointer: '/keyFields/1', code: 'unknown_column' }),
    ]);
    expect(body.detail).toContain('startOver');
    expect(await stored(id)).toMatchObject({ keyFields: null });
    expect((await patch(id, { keyFields: ['nowhere'], startOver: true })).body).toMatchObject({
      keyFields: ['nowhere'],
      isRekeyPending: true,
    });
    expect((await patch(id, { startOver: false, keyFields: null })).body.isRekeyPending).toBe(false);
  });

  it('rekeys the rows before another URL is fetched, also for a waiting caller', async () => {
    const id = await makeRecord();
    const body = { url: 'https://example.com/other.csv', keyFields: ['price'] };
    await api.call('PATCH', `/v1/sources/${id}`, { body, headers: { prefer: 'wait=1' } });
    expect(api.workflows.calls).toEqual([
      { name: 'settingsChanged', id },
      { name: 'checkNow', id },
    ]);
  });

  it('starts over only a record with data, and keeps the request of another PATCH', async () => {
    const fresh = await createTestRecord(api.db, api.accountId);
    const { body } = await patch(fresh, { keyFields: ['id'], startOver: true });
    expect(body).toMatchObject({ keyFields: ['id'], isRekeyPending: false });
    expect(api.workflows.calls).toEqual([{ name: 'settingsChanged', id: fresh }]);
    const id = await makeRecord();
    const before = await findRecord(api.db, id);
    await patch(id, { startOver: true });
    expect(await stored(id)).toMatchObject({ startsOverGeneration: 1 });
    if (before === undefined) throw new Error('The record is gone');
    const { changesOf } = changeRows(before, { ignoreFields: ['price'] });
    expect(changesOf({ ...before, generation: 1 })).not.toHaveProperty('startsOverGeneration');
    await patch(id, { startOver: false });
    expect(await stored(id)).toMatchObject({ startsOverGeneration: null });
  });

  it('accepts any field while there is no data, and one that may be an ignored field', async () => {
    const fresh = await createTestRecord(api.db, api.accountId);
    expect((await patch(fresh, { keyFields: ['any'] })).status).toBe(200);
    const id = await makeRecord({ ignoreFields: ['meta'] });
    await api
      .db('record_heads')
      .where({ recordId: id })
      .update({ ignoreFields: ['meta'] });
    expect((await patch(id, { keyFields: ['meta.id'], ignoreFields: [] })).status).toBe(200);
  });

  it('refuses to ignore a key field, given now or before', async () => {
    const id = await makeRecord({ keyFields: ['id'] });
    const { body } = await patch(id, { ignoreFields: ['price', 'id'] });
    expect(body.errors).toEqual([
      expect.objectContaining({ pointer: '/ignoreFields/1', detail: 'is a key field' }),
    ]);
    expect((await patch(id, { ignoreFields: ['id'], keyFields: ['price'] })).status).toBe(200);
  });

  it('has a limit, because each change reads and stores all rows', async () => {
    const id = await makeRecord();
    const keys = Array.from({ length: REREADS_PER_HOUR + 1 }, (_, at) => (at % 2 === 0 ? 'price' : 'id'));
    // Returning to the current key does not count.
    for (const key of [...keys, ...keys].slice(0, -3)) {
      expect((await patch(id, { keyFields: [key] })).status).toBe(200);
    }
    const { status, headers } = await patch(id, { keyFields: ['price'] });
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect((await patch(id, { name: 'Still mine to name' })).status).toBe(200);
  });
});

describe('PATCH of format, delimiter and rowsPath', () => {
  it('counts a new version only when one changes, and null detects it again', async () => {
    const id = await makeRecord({ format: 'csv' });
    await patch(id, { format: 'csv', delimiter: null });
    expect(await stored(id)).toMatchObject({ dialectVersion: 0 });
    const { body } = await patch(id, { delimiter: ';' });
    expect(body).toMatchObject({ format: 'csv', delimiter: ';', isRekeyPending: false });
    expect(await stored(id)).toMatchObject({ dialectVersion: 1, headDialectVersion: 0 });
    expect((await patch(id, { format: null, delimiter: null })).body).toMatchObject({
      format: null,
      delimiter: null,
    });
    expect(await stored(id)).toMatchObject({ dialectVersion: 2 });
  });

  it.each(['format', 'delimiter', 'rowsPath'])(
    'regression: detects again with %s: null in a failing record, whose setting was null',
    async (name) => {
      const id = await makeRecord();
      await patch(id, { [name]: null });
      expect(await stored(id)).toMatchObject({ dialectVersion: 0 });
      await api.db('record_heads').where({ recordId: id }).update({ consecutiveFailures: 1 });
      api.workflows.calls.length = 0;
      await patch(id, { [name]: null });
      expect(await stored(id)).toMatchObject({ dialectVersion: 1 });
      expect(api.workflows.calls).toEqual([{ name: 'settingsChanged', id }]);
    },
  );

  it('is validated together with the stored settings', async () => {
    const id = await makeRecord({ delimiter: ';' });
    const { status, body } = await patch(id, { format: 'json' });
    expect([status, body.errors[0].pointer]).toEqual([422, '/delimiter']);
    expect((await patch(id, { format: 'json', delimiter: null, rowsPath: 'data' })).status).toBe(200);
    expect((await patch(id, { name: 'Unrelated' })).status).toBe(200);
  });
});

describe('an empty rowsPath', () => {
  it.each([
    ['csv', null],
    ['json', ''],
  ] as const)('regression: is shown for %s, and is taken back', async (format, kept) => {
    const id = await makeRecord();
    await api
      .db('record_heads')
      .where({ recordId: id })
      .update({ dialect: { format, delimiter: null, charset: 'utf-8', rowsPath: '', headerRow: null } });
    const { body: shown } = await api.call('GET', `/v1/sources/${id}`);
    expect(shown).toMatchObject({ format, rowsPath: '' });
    const { url, rowsPath } = shown;
    expect((await patch(id, { format, rowsPath })).status).toBe(200);
    expect(await stored(id)).toMatchObject({ format, rowsPath: kept });
    const created = await api.call('POST', '/v1/sources', { body: { url, format, rowsPath } });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ format, rowsPath: kept });
  });

  it('leads to the root of a document, also before its format is known', async () => {
    const id = await makeRecord();
    expect((await patch(id, { rowsPath: '' })).status).toBe(200);
    expect(await stored(id)).toMatchObject({ format: null, rowsPath: '' });
    expect((await patch(id, { format: 'tsv' })).status).toBe(200);
    expect(await stored(id)).toMatchObject({ format: 'tsv', rowsPath: null });
  });
});

describe('PATCH of headerRow', () => {
  it('reads the rows again, unless it is the current line', async () => {
    const id = await makeRecord({ format: 'csv' });
    const shown = async (headerRow: number | null) => (await patch(id, { headerRow })).body;
    expect(await shown(1)).toMatchObject({ headerRow: 1, isRekeyPending: false });
    expect(await shown(3)).toMatchObject({ headerRow: 3, isRekeyPending: true });
    expect(await shown(0)).toMatchObject({ headerRow: 0, isRekeyPending: true });
    expect(await shown(null)).toMatchObject({ headerRow: 1, isRekeyPending: false });
    expect(await stored(id)).toMatchObject({ headerRow: null, dialectVersion: 0 });
  });

  it.each([
    [{ headerRow: -1 }, '/headerRow'],
    [{ headerRow: 1.5 }, '/headerRow'],
    [{ headerRow: 1_001 }, '/headerRow'],
    [{ headerRow: 2, format: 'jsonl' }, '/headerRow'],
  ])('refuses %j', async (given, pointer) => {
    const id = await makeRecord({});
    const { status, body } = await patch(id, given);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });
});

describe('PATCH of quoting', () => {
  it('reads the rows again, unless they are read so', async () => {
    const id = await makeRecord({ format: 'csv' });
    const shown = async (quoting: string) => (await patch(id, { quoting })).body;
    expect(await shown('double')).toMatchObject({ quoting: 'double', isRekeyPending: false });
    expect(await shown('none')).toMatchObject({ quoting: 'none', isRekeyPending: true });
    expect(await shown('double')).toMatchObject({ quoting: 'double', isRekeyPending: false });
    expect(await stored(id)).toMatchObject({ dialectVersion: 0 });
  });

  it.each([{ quoting: 'single' }, { quoting: null }, { quoting: 'none', format: 'json' }])(
    'refuses %j',
    async (given) => {
      const id = await makeRecord({});
      const { status, body } = await patch(id, given);
      expect([status, body.errors[0].pointer]).toEqual([422, '/quoting']);
    },
  );

  it('to none needs no JSON, and to JSON no quoting', async () => {
    const id = await makeRecord({});
    expect((await patch(id, { quoting: 'none' })).status).toBe(200);
    expect((await patch(id, { format: 'jsonl' })).body.errors).toMatchObject([{ pointer: '/quoting' }]);
    expect((await patch(id, { format: 'jsonl', quoting: 'double' })).status).toBe(200);
  });
});

describe('POST /v1/sources/:id/preview', () => {
  const preview = (id: string, body: object = {}) => api.call('POST', `/v1/sources/${id}/preview`, { body });

  it('returns the worker’s result, and deletes it', async () => {
    const id = await makeRecord({ ignoreFields: ['note'] });
    api.workflows.onPreview = async (previewId) => {
      expect(await findPreview(api.db, previewId)).toEqual({
        recordId: id,
        rule: { keyFields: ['price'], ignoreFields: ['note'], rules: {}, headerRow: null, quoting: 'double' },
      });
      await answerPreview(api.db, previewId, {
        kind: 'read',
        headerRow: 1,
        keyFields: ['price'],
        keyEvidence: null,
        columns: ['id', 'price'],
        rowCount: 5,
        warnings: [{ code: 'duplicate_key', count: 2, samples: ['1'] }],
      });
    };
    const { status, body } = await preview(id, { keyFields: ['price'] });
    expect(status).toBe(200);
    expect(body).toMatchObject({ rowCount: 5, totalRows: 3, keySource: 'given', error: null });
    expect(await api.db('rule_previews').where({ recordId: id })).toEqual([]);
    expect(await stored(id)).toMatchObject({ keyFields: null });
  });

  it('reports what would fail', async () => {
    const id = await makeRecord();
    api.workflows.onPreview = (previewId) =>
      answerPreview(api.db, previewId, { kind: 'failed', code: 'missing_key_field', detail: 'Not there.' });
    expect((await preview(id, { keyFields: ['x'] })).body).toMatchObject({
      error: { code: 'missing_key_field', detail: 'Not there.' },
      rowCount: null,
    });
    api.workflows.onPreview = (previewId) => answerPreview(api.db, previewId, { kind: 'too-slow' });
    expect((await preview(id)).body.code).toBe('query_too_expensive');
    api.workflows.onPreview = () => undefined;
    expect((await preview(id)).status).toBe(409);
  });

  it('regression: that does not fit in the queue is refused with a message about previews', async () => {
    const ids = [await makeRecord(), await makeRecord(), await makeRecord()] as const;
    const gate = createGate();
    api.workflows.onPreview = async (previewId) => {
      await gate.wait();
      await answerPreview(api.db, previewId, { kind: 'failed', code: 'missing_key_field', detail: 'No.' });
    };
    const answers = ids.map((id) => preview(id));
    // One runs and one waits, so the last one is refused while the gate is closed.
    const refused = await Promise.race(answers);
    gate.open();
    expect(refused.body).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(refused.body.detail).toContain('A preview of this account is running');
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.sort((a, b) => a - b)).toEqual([200, 200, 429]);
  });

  it('needs data', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    expect((await preview(id)).body).toMatchObject({ status: 409, code: 'conflict' });
    expect(api.workflows.calls).toEqual([]);
  });
});

describe('held checks', () => {
  const decide = (id: string, checkId: string, what: 'accept' | 'reject') =>
    api.call('POST', `/v1/sources/${id}/checks/${checkId}/${what}`);

  it('are shown with what they would change', async () => {
    const id = await makeRecord();
    const checkId = await makeHeldCheck(api.db, id);
    const { status, body } = await api.call('GET', `/v1/sources/${id}/checks/${checkId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: checkId, outcome: 'held', decision: null });
    expect(body.heldChanges).toMatchObject({ deletedCount: 2, deletedKeys: ['a', 'b'] });
    const { body: list } = await api.call('GET', `/v1/sources/${id}/checks`);
    expect(list.checks[0]).not.toHaveProperty('heldChanges');
    const another = await makeRecord();
    expect((await api.call('GET', `/v1/sources/${another}/checks/${checkId}`)).status).toBe(404);
  });

  it('are accepted for a worker to record', async () => {
    const id = await makeRecord();
    const checkId = await makeHeldCheck(api.db, id);
    const { status, body } = await decide(id, checkId, 'accept');
    expect(status).toBe(202);
    expect(body).toMatchObject({ decision: 'accepted', isRecorded: false });
    expect(api.workflows.calls).toEqual([{ name: 'settingsChanged', id }]);
    expect((await decide(id, checkId, 'accept')).body).toMatchObject({
      status: 409,
      detail: 'The check was accepted already.',
    });
  });

  it('are not reported as recorded when a newer check came first', async () => {
    const id = await makeRecord();
    const checkId = await makeHeldCheck(api.db, id);
    const { tell } = api.workflows;
    api.workflows.tell = async () => void (await commitRows(api.db, id, { a: '{"id":"a","price":"1"}' }));
    const { status, body } = await decide(id, checkId, 'accept').finally(() => {
      api.workflows.tell = tell;
    });
    expect([status, body.decision, body.isRecorded]).toEqual([202, 'accepted', false]);
  });

  it('are rejected at once', async () => {
    const id = await makeRecord();
    const checkId = await makeHeldCheck(api.db, id);
    const { status, body } = await decide(id, checkId, 'reject');
    expect([status, body.decision]).toEqual([200, 'rejected']);
    expect(await stored(id)).toMatchObject({ rejectedRows: 0, heldCheckId: null, totalRows: 2 });
    expect((await decide(id, checkId, 'accept')).status).toBe(409);
  });

  it('are decided only while they are held, and only by callers who may see them', async () => {
    const id = await makeRecord();
    const first = await makeHeldCheck(api.db, id);
    const second = await makeHeldCheck(api.db, id);
    expect((await decide(id, first, 'reject')).body.detail).toContain('later check');
    const another = await makeRecord();
    expect((await decide(another, second, 'accept')).status).toBe(404);
    await commitRows(api.db, id, { a: '{"id":"a","price":"3"}' });
    expect((await decide(id, second, 'accept')).status).toBe(409);
    const { body } = await api.call('GET', `/v1/sources/${id}/checks`);
    const good = (body.checks as { id: string; outcome: string }[]).find(
      ({ outcome }) => outcome === 'changed',
    );
    expect((await decide(id, good?.id ?? '', 'accept')).body.detail).toBe('The check is not held.');
  });
});
