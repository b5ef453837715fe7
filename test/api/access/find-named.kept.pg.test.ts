// Reads that wait while retention or erasing deletes what they read: they answer 404, not a part of the rows.
import { beforeEach, expect, it } from 'vitest';
import { type Knex, rawRows } from '../../../db/driver/knex.ts';
import { rekeyTable, table } from '../../db/factories.ts';
import { useApi } from '../../support/api/api.ts';
import { commitRows, createTestRecord } from '../../support/rows/factories.ts';
import { until } from '../../support/until.ts';

const api = useApi();

let recordId: string;
let snapshotIds: string[];
let eventId: string;
beforeEach(async () => {
  recordId = await createTestRecord(api.db, api.accountId, { keyFields: ['id'] });
  const version = (value: number) =>
    Object.fromEntries(
      Array.from({ length: 120 }, (_, id) => [`k${id}`, `{"id":"k${id}","value":${value}}`]),
    );
  for (const value of [1, 2, 3]) await commitRows(api.db, recordId, version(value), ['id', 'value']);
  const snapshots = await api.db('snapshots').where({ recordId }).orderBy('sequence').select('id');
  snapshotIds = snapshots.map(({ id }) => id as string);
  ({ id: eventId } = await api
    .db('delta_events')
    .where({ recordId })
    .orderBy('number')
    .offset(1)
    .first('id'));
});

const isSomeoneWaiting = async (): Promise<boolean> => {
  const waiting = await rawRows(
    api.db,
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
};

type Read = (snapshot: string) => [method: 'GET' | 'POST', path: string, body?: object];

const READS: [string, Read][] = [
  ['rows', (id) => ['GET', `/snapshots/${id}/rows`]],
  ['a search', (id) => ['GET', `/snapshots/${id}/rows?search=k1`]],
  ['a query', (id) => ['POST', `/snapshots/${id}/query`, { groupBy: ['value'] }]],
  ['a sample', (id) => ['GET', `/snapshots/${id}/sample`]],
  ['a profile', (id) => ['GET', `/snapshots/${id}/profile`]],
  ['a comparison', (id) => ['GET', `/compare?from=${id}`]],
  ['rows that differ', (id) => ['GET', `/compare/rows?from=${id}`]],
  ['rows that differ and match', (id) => ['GET', `/compare/rows?from=${id}&search=k1`]],
  ['the keys of an event', () => ['GET', `/delta/${eventId}?keysLimit=120`]],
];

/** Retention keeps it. */
const OF_RECORD: typeof READS = [...READS, ['the history of a row', () => ['GET', '/rows/k1/history']]];

/** Answers a read that waited for rows while `remove` ran. */
async function readDuring(
  [method, path, body]: ReturnType<Read>,
  remove: (trx: Knex.Transaction) => Promise<unknown>,
) {
  const read = () => api.call(method, `/v1/sources/${recordId}${path}`, body && { body });
  expect((await read()).status).toBe(200);
  const trx = await api.db.transaction();
  await trx.raw('lock table row_versions in access exclusive mode');
  const answer = read();
  await until('it waits for the rows', isSomeoneWaiting);
  await remove(trx);
  await trx.commit();
  return answer;
}

/** As erasing does, which deletes the rows first. */
const erase = (rows: string) => async (trx: Knex.Transaction) => {
  await trx('records').where({ id: recordId }).update({ deletedAt: trx.fn.now() });
  await trx.raw(`delete from row_versions where ${rows}`);
};

it.each(READS)('%s of a snapshot that is deleted meanwhile: not found', async (_, request) => {
  const [first = ''] = snapshotIds;
  // As retention does.
  const answer = await readDuring(request(first), async (trx) => {
    await trx('delta_events').where({ recordId }).where('number', '<', 3).delete();
    await trx('snapshots').where({ id: first }).delete();
    await trx.raw('delete from row_versions where last_seq = 1');
  });
  expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

it.each(OF_RECORD.flatMap(([name, request]) => [0, 2].map((nth) => [name, nth, request] as const)))(
  'regression: %s of snapshot %i of a record that is deleted meanwhile: not found',
  async (_, nth, request) => {
    const answer = await readDuring(request(snapshotIds[nth] ?? ''), erase("row_key > 'k2'"));
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  },
);

it('regression: the history of a row of which erasing has left an earlier generation: not found', async () => {
  await rekeyTable(api.db, recordId, table({ k1: '4' }), { startsOver: true });
  const answer = await readDuring(['GET', '/rows/k1/history'], erase('generation = 2'));
  expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
});
