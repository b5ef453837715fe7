// `tail` and `listen` of records that are deleted meanwhile.
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { whenDeleted } from '../../../../cli/service/changes/when-deleted.ts';
import { apiErrorOf } from '../../../../clients/typescript/src/errors.ts';
import type { Recordwatch } from '../../../../clients/typescript/src/recordwatch.ts';
import { useListeningApi } from '../../../support/api/listening-api.ts';
import { createTestRecord } from '../../../support/rows/factories.ts';
import { until } from '../../../support/until.ts';
import { type CliUser, newCliUser, untilSaid } from '../cli-user.ts';

const { api, baseUrl } = await useListeningApi();
let user: CliUser;
beforeAll(() => {
  user = newCliUser({ RECORDWATCH_URL: baseUrl, RECORDWATCH_API_KEY: api.fullKey });
});
afterAll(() => user.leave());
afterEach(() => vi.restoreAllMocks());

it('regression: tail and listen end with 3 when their record is deleted', async () => {
  const id = await createTestRecord(api.db, api.accountId, { slug: 'short' });
  const tail = user.start('tail', 'short');
  const listen = user.start('listen', 'short', '--forward-to', 'localhost:1/hook?token=hunter2');
  await untilSaid(tail, 'Waiting for changes of short.');
  await untilSaid(listen, 'Ready. Events go to http://localhost:1/hook?…');
  expect((await api.call('DELETE', `/v1/sources/${id}`)).status).toBe(204);
  for (const each of [tail, listen]) {
    expect(await each.ended).toBe(3);
    expect(each.stderr).toMatch(/\nrecordwatch: The record short was deleted\. \(not_found\)\n$/);
    expect(each.stderr).not.toMatch(/Continue|hunter2/);
  }
});

const answer = (status: number, code: string) => apiErrorOf(status, JSON.stringify({ code }));

it('is told of each record, and of none in doubt', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  // Of each look at a record: an error, or that it is there.
  const looks: Record<string, (Error | null)[]> = {
    one: [null, answer(404, 'not_found')],
    other: [apiErrorOf(404, '<html>'), answer(503, 'unavailable'), answer(401, 'unauthenticated'), answer(404, 'not_found')], // prettier-ignore
  };
  const get = vi.fn<(id: string) => Promise<object>>(async (id) => {
    const error = looks[id]?.shift() ?? null;
    if (error !== null) throw error;
    return {};
  });
  const client = { records: { get } } as unknown as Recordwatch;
  const records = ['one', 'other'].map((id) => ({ id, slug: id }));
  const gone = whenDeleted(client, records, new AbortController().signal, 1);
  await until('both are gone', () => gone.aborted);
  expect(gone.reason).toMatchObject({ message: 'The record other was deleted.', exitCode: 3 });
  expect(said.mock.calls).toEqual([['The record one was deleted.']]);
  expect(looks).toEqual({ one: [], other: [] });
});

it('is never told without records, or after the end', async () => {
  const ended = new AbortController();
  const get = vi.fn<() => Promise<object>>(() => Promise.reject(answer(404, 'not_found')));
  const client = { records: { get } } as unknown as Recordwatch;
  expect(whenDeleted(client, [], ended.signal, 1).aborted).toBe(false);
  ended.abort();
  expect(whenDeleted(client, [{ id: 'one', slug: 'one' }], ended.signal, 1).aborted).toBe(false);
  expect(get).not.toHaveBeenCalled();
});
