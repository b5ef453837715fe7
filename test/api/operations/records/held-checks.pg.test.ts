// The record names its held check while that waits for a decision, which a caller may repeat.
import { describe, expect, it } from 'vitest';
import { commitProblemCheck } from '../../../../db/commit/checks.ts';
import { checkFacts } from '../../../db/factories.ts';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createTestRecord } from '../../../support/rows/factories.ts';
import { makeHeldCheck } from '../../../support/rows/new-held-check.ts';

const api = useApi();

async function makeRecord(): Promise<string> {
  const id = await createTestRecord(api.db, api.accountId);
  await commitRows(api.db, id, { a: '{"id":"a"}', b: '{"id":"b"}' });
  return id;
}

async function heldCheckOf(id: string): Promise<unknown> {
  const { body } = await api.call('GET', `/v1/sources/${id}`);
  const { body: list } = await api.call('GET', '/v1/sources?limit=200');
  const listed = list.sources.find((source: { id: string }) => source.id === id);
  expect(listed.heldCheckId).toBe(body.heldCheckId);
  return body.heldCheckId;
}

it('is none without a held check', async () => {
  expect(await heldCheckOf(await makeRecord())).toBeNull();
});

it.each(['accept', 'reject'])('is the held check until this decision: %s', async (decision) => {
  const id = await makeRecord();
  await makeHeldCheck(api.db, id);
  const checkId = await makeHeldCheck(api.db, id);
  expect(await heldCheckOf(id)).toBe(checkId);
  await api.call('POST', `/v1/sources/${id}/checks/${checkId}/${decision}`);
  expect(await heldCheckOf(id)).toBeNull();
});

it('is none when a later check found the data again', async () => {
  const id = await makeRecord();
  await makeHeldCheck(api.db, id);
  await commitRows(api.db, id, { a: '{"id":"a"}', b: '{"id":"b"}', c: '{"id":"c"}' });
  expect(await heldCheckOf(id)).toBeNull();
});

it('regression: does not say after a rejection that the record waits for another check', async () => {
  const id = await makeRecord();
  const errorOf = async () => (await api.call('GET', `/v1/sources/${id}`)).body.lastError;
  const checkId = await makeHeldCheck(api.db, id);
  expect(await errorOf()).toEqual({ code: 'sharp_drop', detail: '0 rows after 2.' });
  await api.call('POST', `/v1/sources/${id}/checks/${checkId}/reject`);
  const detail = 'The held body was rejected. The last snapshot stays.';
  expect(await errorOf()).toEqual({ code: 'sharp_drop', detail });
});

it('keeps the words of an origin that has failed since, after a rejection', async () => {
  const id = await makeRecord();
  const checkId = await makeHeldCheck(api.db, id);
  const problem = { code: 'http_error', detail: 'It is down.' } as const;
  await commitProblemCheck(api.db, 'failed', checkFacts(id), problem);
  await api.call('POST', `/v1/sources/${id}/checks/${checkId}/reject`);
  expect((await api.call('GET', `/v1/sources/${id}`)).body.lastError).toEqual(problem);
});

it.each([
  ['accepted', 'accept', 2],
  ['rejected', 'reject', 0],
])(
  'regression: a check that is %s twice is conflicting, and its workflow is told of each acceptance',
  async (decision, action, signals) => {
    const id = await makeRecord();
    const checkId = await makeHeldCheck(api.db, id);
    const decide = () => api.call('POST', `/v1/sources/${id}/checks/${checkId}/${action}`);
    await decide();
    expect((await decide()).body).toMatchObject({
      status: 409,
      detail: `The check was ${decision} already.`,
    });
    const told = api.workflows.calls.filter((call) => call.id === id);
    expect(told).toEqual(Array.from({ length: signals }, () => ({ name: 'settingsChanged', id })));
  },
);

describe.each(['accept', 'reject'])('a check that cannot be decided any more: %s', (action) => {
  const refusal = async (id: string, checkId: string): Promise<unknown> => {
    const { status, body } = await api.call('POST', `/v1/sources/${id}/checks/${checkId}/${action}`);
    return { status, detail: body.detail };
  };
  const REPLACED = {
    status: 409,
    detail: 'A later check has replaced this one, which is no longer held.',
  };

  it('was replaced by a later one, which may be accepted already', async () => {
    const id = await makeRecord();
    const first = await makeHeldCheck(api.db, id);
    const second = await makeHeldCheck(api.db, id);
    expect(await refusal(id, first)).toEqual(REPLACED);
    await api.call('POST', `/v1/sources/${id}/checks/${second}/accept`);
    expect(await refusal(id, first)).toEqual(REPLACED);
  });

  it('regression: waits for an earlier one, which was accepted', async () => {
    const id = await makeRecord();
    const first = await makeHeldCheck(api.db, id);
    await api.call('POST', `/v1/sources/${id}/checks/${first}/accept`);
    const second = await makeHeldCheck(api.db, id);
    expect(await refusal(id, second)).toEqual({
      status: 409,
      detail: 'An earlier check was accepted, and its body is recorded first. Wait for the next check.',
    });
  });
});
