// What the origin sent is stored with a check that failed, and with no other.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { updateRecord } from '../../../db/records/records.ts';
import { findCheck, listChecks } from '../../../db/check-log.ts';
import { findLastAnswer } from '../../../db/records/last-answer.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { type Origin, type OriginBehaviour, startOrigin } from '../../support/servers/origin-server.ts';

let bench: ActivityBench;
let origin: Origin;

beforeAll(async () => {
  bench = await openActivityBench();
  origin = await startOrigin();
});
afterAll(async () => {
  await origin.close();
  await bench.close();
});

const PAGE: OriginBehaviour = {
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html>\n<title>Sign in</title>',
};
const BEGINNING = '<!doctype html> <title>Sign in</title>';

/** Makes a check, and reads what is stored with it. */
async function check(recordId: string) {
  const { words } = await bench.check(recordId);
  const [last] = await listChecks(bench.database.db, recordId, 'desc', { after: null, limit: 1 });
  const stored = await findCheck(bench.database.db, recordId, last?.id ?? '');
  return { words, stored };
}

it('of an error status', async () => {
  origin.set('/down.csv', { ...PAGE, status: 503 });
  const id = await bench.makeRecord({ url: `${origin.url}/down.csv?key=1` });
  const { words, stored } = await check(id);
  const answer = { url: `${origin.url}/down.csv?key=1`, contentType: 'text/html', beginning: BEGINNING };
  expect(stored).toMatchObject({ outcome: 'failed', errorCode: 'http_error', httpStatus: 503, answer });
  expect(await findLastAnswer(bench.database.db, id)).toEqual({ httpStatus: 503, answer });
  // They get into Temporal and logs.
  expect(words).not.toContain('Sign in');
});

it('of a page to which the origin leads, although the answer was good', async () => {
  origin.set('/in.csv', { redirectTo: `${origin.url}/login?state=s3cr3ts3cr3t` });
  origin.set('/login', PAGE);
  const id = await bench.makeRecord({ url: `${origin.url}/in.csv` });
  const answer = { url: `${origin.url}/login`, contentType: 'text/html', beginning: BEGINNING };
  const { words, stored } = await check(id);
  expect(stored).toMatchObject({ errorCode: 'unexpected_content', httpStatus: 200, answer });
  expect(words).not.toContain('Sign in');
  expect(await bench.database.db('loose_bodies').where({ recordId: id })).toEqual([]);
});

it('not of a good check, of a stored body or of an origin that does not answer', async () => {
  const url = `${origin.url}/good.csv`;
  origin.set('/good.csv', { body: 'id,price\na,1\nb,2\n' });
  const id = await bench.makeRecord({ url });
  expect((await check(id)).stored).toMatchObject({ outcome: 'unchanged', answer: null });
  expect((await check(id)).stored).toMatchObject({ outcome: 'unchanged', answer: null });
  await updateRecord(bench.database.db, id, { keyFields: ['missing'] });
  const settled = bench.newCheck(id);
  await bench.run(({ settleRecord }) => settleRecord(settled));
  expect(await findCheck(bench.database.db, id, settled.checkId)).toMatchObject({
    outcome: 'failed',
    answer: null,
  });
  expect(await findLastAnswer(bench.database.db, id)).toBeUndefined();
  origin.set('/good.csv', { reset: true });
  expect((await check(id)).stored).toMatchObject({ errorCode: 'origin_unreachable', answer: null });
  expect(await findLastAnswer(bench.database.db, id)).toEqual({ httpStatus: null, answer: null });
});
