import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../../core/errors.ts';
import { commitProblemCheck } from '../../../../db/commit/checks.ts';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createKey, createTestRecord, newTestId } from '../../../support/rows/factories.ts';

const api = useApi();

beforeEach(() => {
  api.workflows.calls.length = 0;
  api.workflows.failure = null;
  api.workflows.onCheck = () => undefined;
});

const ANSWER = { url: 'https://example.com/in', contentType: 'text/html', beginning: '<title>Sign in' };

async function failCheck(recordId: string, id: string): Promise<void> {
  await commitProblemCheck(
    api.db,
    'failed',
    {
      id,
      recordId,
      trigger: 'manual',
      startedAt: new Date(),
      httpStatus: 503,
      bytes: null,
      rows: null,
      nextCheckInMs: 1_000,
    },
    {
      code: 'http_error',
      detail: 'The origin answered 503.',
      answer: ANSWER,
      warnings: [{ code: 'ragged_rows', count: 1, samples: ['row 2'] }],
    },
  );
}

describe('what the origin sent to a failed check', () => {
  it('is shown with the check, and with the record until it is good again', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const checkId = newTestId('check');
    const record = async () => (await api.call('GET', `/v1/sources/${id}`)).body;
    expect(await record()).toMatchObject({ failingSince: null, originAnswer: null });
    await failCheck(id, checkId);
    const originAnswer = { httpStatus: 503, ...ANSWER };
    const { body: check } = await api.call('GET', `/v1/sources/${id}/checks/${checkId}`);
    expect(check).toMatchObject({ originAnswer });
    await failCheck(id, newTestId('check'));
    expect(await record()).toMatchObject({ failingSince: check.finishedAt, originAnswer });
    const { body: listed } = await api.call('GET', '/v1/sources');
    const inList = listed.sources.find((each: { id: string }) => each.id === id);
    expect(inList).toMatchObject({ failingSince: check.finishedAt });
    expect(inList).not.toHaveProperty('originAnswer');
    await commitRows(api.db, id, { a: '{"id":"a"}' });
    expect(await record()).toMatchObject({ failingSince: null, originAnswer: null });
  });

  it('is not shown to those who may only download', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const checkId = newTestId('check');
    await failCheck(id, checkId);
    const { value: key } = await createKey(api.db, api.accountId, 'download', id);
    for (const path of ['', `/checks/${checkId}`]) {
      const { status, body } = await api.call('GET', `/v1/sources/${id}${path}`, { key });
      expect(status).toBe(403);
      expect(JSON.stringify(body)).not.toContain('Sign in');
    }
  });
});

describe('POST /v1/sources/:id/check', () => {
  it('returns the requested check at once', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const { status, body, headers } = await api.call('POST', `/v1/sources/${id}/check`);
    expect(status).toBe(202);
    expect(body).toMatchObject({ sourceId: id, number: null, trigger: 'manual', outcome: null, error: null });
    expect(headers['preference-applied']).toBeUndefined();
    expect(api.workflows.calls).toEqual([{ name: 'checkNow', id }]);
  });

  it('returns the finished check when asked to wait', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    let work: Promise<void> | undefined;
    api.workflows.onCheck = (recordId, checkId) => {
      work = failCheck(recordId, checkId);
    };
    const { status, body, headers } = await api.call('POST', `/v1/sources/${id}/check`, {
      headers: { prefer: 'respond-async, wait=20' },
    });
    await work;
    expect(status).toBe(200);
    expect(headers['preference-applied']).toBe('wait=20');
    expect(body).toMatchObject({
      sourceId: id,
      number: 1,
      trigger: 'manual',
      outcome: 'failed',
      httpStatus: 503,
      snapshotId: null,
      deltaEventId: null,
      error: { code: 'http_error', detail: 'The origin answered 503.' },
      warnings: [{ code: 'ragged_rows', count: 1, samples: ['row 2'] }],
    });
    const list = await api.call('GET', `/v1/sources/${id}/checks`);
    expect(list.body.checks).toEqual([body]);
  });

  it('answers 202 when the wait ends first', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const { status, body } = await api.call('POST', `/v1/sources/${id}/check`, {
      headers: { prefer: 'wait=1' },
    });
    expect(status).toBe(202);
    expect(body.outcome).toBeNull();
  });

  it('is refused while the record is paused', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    await api.call('POST', `/v1/sources/${id}/pause`);
    const { status, body } = await api.call('POST', `/v1/sources/${id}/check`);
    expect(status).toBe(409);
    expect(body.detail).toContain('resume');
  });

  it('is 503 when no worker answers', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    api.workflows.failure = new ApiError('unavailable', 'No worker accepted the check.');
    const { status, headers } = await api.call('POST', `/v1/sources/${id}/check`);
    expect(status).toBe(503);
    expect(headers['retry-after']).toBe('5');
  });

  it('accepts no fields', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    expect((await api.call('POST', `/v1/sources/${id}/check`, { body: {} })).status).toBe(202);
    const { status, body } = await api.call('POST', `/v1/sources/${id}/check`, { body: { now: true } });
    expect(status).toBe(422);
    expect(body.errors).toEqual([expect.objectContaining({ pointer: '/now', code: 'unknown_field' })]);
  });
});

it('does not accept GET for the path of a check on demand', async () => {
  const { status, headers } = await api.call('GET', `/v1/sources/${newTestId('record')}/check`);
  expect(status).toBe(405);
  expect(headers['allow']).toBe('POST');
});

describe('PATCH /v1/sources/:id with `Prefer: wait`', () => {
  const headers = { prefer: 'wait=20' };

  it.each([
    { url: 'https://example.com/other.csv' },
    { authType: 'bearer', authToken: 't' },
    { format: 'json' },
  ])('requests the check that %j causes, and returns its result', async (body) => {
    const id = await createTestRecord(api.db, api.accountId);
    api.workflows.onCheck = failCheck;
    const { body: record } = await api.call('PATCH', `/v1/sources/${id}`, { body, headers });
    expect(record).toMatchObject({ lastOutcome: 'failed', lastError: { code: 'http_error' } });
    expect(api.workflows.calls).toEqual([{ name: 'checkNow', id }]);
  });

  it('tells the workflow of a change that causes none', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const { url } = (await api.call('GET', `/v1/sources/${id}`)).body;
    await api.call('PATCH', `/v1/sources/${id}`, { body: { url, name: 'Other' }, headers });
    expect(api.workflows.calls).toEqual([{ name: 'settingsChanged', id }]);
  });

  it('does not check a record that is paused', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    await api.call('POST', `/v1/sources/${id}/pause`);
    api.workflows.calls.length = 0;
    await api.call('PATCH', `/v1/sources/${id}`, { body: { format: 'json' }, headers });
    expect(api.workflows.calls).toEqual([{ name: 'settingsChanged', id }]);
  });

  it('succeeds although no worker accepts the check: reconciling finds it', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    api.workflows.failure = new ApiError('unavailable', 'No worker accepted the check.');
    const { status, body } = await api.call('PATCH', `/v1/sources/${id}`, {
      body: { format: 'json' },
      headers: { prefer: 'wait=1' },
    });
    expect([status, body.format]).toEqual([200, 'json']);
  });
});
