// Text without quoting, through API, workflow, worker and a real origin.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { checkAndWait, createRecord, startSystem, type System } from '../../support/servers/system.ts';

let system: System;
let origin: Origin;

beforeAll(async () => {
  system = await startSystem();
  origin = await startOrigin();
});

afterAll(async () => {
  await origin.close();
  await system.stop();
});

const FINE = 'tconst\ttitle\ntt1\tAnn\ntt2\t"Bob"\n';
const STRAY = 'tconst\ttitle\ntt1\t"Ann\ntt2\t"Bob"\ntt3\t"Cid\n';

it('a record that fails at a stray quote is read without quotes once it is told so, and reports only what changed', async () => {
  const type = { 'content-type': 'text/tab-separated-values' };
  origin.set('/titles.tsv', { body: FINE, headers: type });
  const { id } = await createRecord(system, { url: `${origin.url}/titles.tsv` });
  const path = `/v1/sources/${id}`;
  origin.set('/titles.tsv', { body: STRAY, headers: type });
  const failed = await checkAndWait(system, id);
  expect(failed).toMatchObject({ outcome: 'failed', error: { code: 'malformed_body' } });
  expect(JSON.stringify(failed)).toContain('set quoting to none');
  const { body } = await system.call('PATCH', path, { quoting: 'none' }, { prefer: 'wait=30' });
  expect(body).toMatchObject({ quoting: 'none', isRekeyPending: false });
  expect(await checkAndWait(system, id)).toMatchObject({ outcome: 'changed', rows: 3 });
  const { body: list } = await system.call('GET', `${path}/delta?limit=10`);
  expect(list['events']).toMatchObject([
    { newKeys: ['tt3'], changedKeys: ['tt1'], deletedKeys: [], rekeyed: false },
    { rekeyed: true, isNoChange: true, totalCount: 2 },
    { rekeyed: false, isNoChange: true },
  ]);
  const rows = await system.call('GET', `${path}/rows/tt1`);
  expect(rows.body).toMatchObject({ data: { title: '"Ann' } });
});
