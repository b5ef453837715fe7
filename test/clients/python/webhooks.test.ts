// Webhooks in FastAPI and Django: genuine ones are handled once verified, others get 401, and failures get 500.
import { spawn } from 'node:child_process';
import { json } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { beforeAll, expect, it } from 'vitest';
import { INSTALL_MS } from '../../support/servers/python-packages.ts';
import { UNUSABLE_SECRETS } from '../unusable-secrets.ts';
import { FOLDER, pythonEnvironment } from './python.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const UNUSABLE = [null, ...UNUSABLE_SECRETS, `whsec_${'A'.repeat(42)}B`];
const BODY = JSON.stringify({ event: 'delta', sourceName: 'Prix — été' });

const signed = (body: string, id: string, at = new Date()) => ({
  body,
  headers: {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(SECRET).sign(id, at, body),
  },
});
const withHeaders = (headers: object) => {
  const genuine = signed(BODY, 'dlv_forged');
  return { ...genuine, headers: { ...genuine.headers, ...headers } };
};

const LARGE = `"${'x'.repeat(2 * 1024 * 1024)} and more"`.padEnd(2_700_000);
const CASES: [string, number, { body: string; headers: object }][] = [
  ['genuine', 204, signed(BODY, 'dlv_1')],
  ['a CloudEvent', 204, signed(`{"specversion":"1.0","data":${BODY}}`, 'dlv_2')],
  ['an integer of 5,000 digits', 204, signed(`${BODY.slice(0, -1)},"n":${'7'.repeat(5_000)}}`, 'dlv_7')],
  [
    'one of two signatures fits',
    204,
    withHeaders({
      'webhook-signature': `v1,AAAA ${signed(BODY, 'dlv_forged').headers['webhook-signature']}`,
    }),
  ],
  ['a changed body', 401, { ...signed(BODY, 'dlv_3'), body: BODY.replace('P', 'p') }],
  ['old', 401, signed(BODY, 'dlv_4', new Date(Date.now() - 3_600_000))],
  ['no signature', 401, { body: BODY, headers: { 'content-type': 'application/json' } }],
  ['a signature that is none', 401, withHeaders({ 'webhook-signature': 'nonsense' })],
  ['a signature that is not base64', 401, withHeaders({ 'webhook-signature': 'v1,A' })],
  ['a time that is none', 401, withHeaders({ 'webhook-timestamp': 'NaN' })],
  ['too large', 413, signed(LARGE, 'dlv_5')],
  ['the handler fails', 500, signed('{"event":"delta","isTest":true}', 'dlv_6')],
];

interface Served {
  statuses: number[];
  handled: string[][];
}
let results: Record<string, Served> & { refused: Record<string, string[]> };
beforeAll(async () => {
  const env = await pythonEnvironment();
  const child = spawn('python3', [`${FOLDER}receive.py`], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const requests = CASES.map(([, , request]) => request);
  child.stdin.end(JSON.stringify({ secret: SECRET, requests, unusable: UNUSABLE }));
  results = (await json(child.stdout)) as typeof results;
}, INSTALL_MS);

const HANDLERS = ['', ', async', ', a function of an async one', ', an object'];

it.each(['fastapi', 'django'].flatMap((name) => HANDLERS.map((handler) => `${name}${handler}`)))(
  '%s',
  (name) => {
    const { statuses = [], handled } = results[name] ?? {};
    const named = CASES.map(([what], index) => [what, statuses[index]]);
    expect(named).toEqual(CASES.map(([what, status]) => [what, status]));
    expect(handled).toEqual(['dlv_1', 'dlv_2', 'dlv_7', 'dlv_forged'].map((id) => [id, 'Prix — été']));
  },
);

it('regression: a secret that anybody could sign with, or that is not whole, is refused when a receiver is made', () => {
  const refused = UNUSABLE.map(() => expect.stringContaining('missing or damaged'));
  expect(results.refused).toEqual({ fastapi: refused, django: refused });
});
