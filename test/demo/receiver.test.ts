// The demonstration's receiver accepts deliveries signed with its secret and refuses everything else.
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { startDemoReceiver, type Arrival } from '../../demo/receiver.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const BODY = JSON.stringify({ event: 'delta', deltaEventId: 'evt_1' });

async function receiver() {
  const seen: Arrival[] = [];
  const started = await startDemoReceiver({
    port: 0,
    secret: SECRET,
    onArrival: (arrival) => seen.push(arrival),
  });
  onTestFinished(started.close);
  return { ...started, seen };
}

function signed(body: string, { secret = SECRET, time = new Date() } = {}) {
  return {
    'webhook-id': 'dlv_1',
    'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('dlv_1', time, body),
  };
}

const post = (url: string, body: string, headers: Record<string, string>) =>
  fetch(url, { method: 'POST', body, headers });

test('verifies a delivery and reports it', async () => {
  const { url, seen, arrivals } = await receiver();
  expect((await post(url, BODY, signed(BODY))).status).toBe(204);
  expect(seen).toMatchObject([
    { webhookId: 'dlv_1', isVerified: true, payload: { event: 'delta', deltaEventId: 'evt_1' } },
  ]);
  expect(arrivals).toEqual(seen);
});

test.each([
  ['a body that was tampered with', `${BODY} `, signed(BODY)],
  ['another id', BODY, { ...signed(BODY), 'webhook-id': 'dlv_2' }],
  ['another secret', BODY, signed(BODY, { secret: `whsec_${Buffer.alloc(32, 8).toString('base64')}` })],
  ['a time long ago', BODY, signed(BODY, { time: new Date(Date.now() - 3_600_000) })],
  ['no signature', BODY, {}],
])('refuses %s', async (_, body, headers) => {
  const { url, seen } = await receiver();
  expect((await post(url, body, headers)).status).toBe(401);
  expect(seen).toMatchObject([{ isVerified: false, reason: expect.any(String) }]);
  expect(seen[0]?.payload).toBeUndefined();
});
