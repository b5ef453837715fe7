// The loop for comparison: signed POSTs through undici, and one inserted row for each.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Pool, request } from 'undici';
import { signWebhook } from '../../core/crypto/webhook-signature.ts';
import { type DeliveredEvent, deltaPayload } from '../../core/delivery-payload.ts';

export interface Bare {
  perSecond: number;
  /** Of this process; what the database takes is read by the caller. */
  cpuSeconds: number;
}

const EVENT: DeliveredEvent = {
  deltaEventId: 'evt_019a346c20117b3c8d4e5f6071829304',
  snapshotId: 'snap_bench',
  detectedAt: new Date(),
  newCount: 0,
  changedCount: 10,
  deletedCount: 0,
  unchangedCount: 190,
  totalCount: 200,
  newKeys: [],
  changedKeys: Array.from({ length: 10 }, (_, key) => `item-${key + 1}`),
  deletedKeys: [],
};

const RECORD = {
  webhookId: 'wh_bench',
  recordId: 'src_bench',
  recordName: 'Deliveries',
  recordSlug: 'bench',
};

/** @param secret the webhook's, as the API gave it */
export async function runBareLoop(
  { databaseUrl, receiverUrl, secret }: { databaseUrl: string; receiverUrl: string; secret: string },
  { count, concurrency }: { count: number; concurrency: number },
): Promise<Bare> {
  const db = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  await db.query(
    'create table if not exists bare_loop (id text primary key, status integer, made_at timestamptz)',
  );
  const dispatcher = new Pool(receiverUrl, { connections: concurrency });
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let left = count;
  const send = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const id = randomUUID();
      const body = deltaPayload(RECORD, EVENT, 'http://localhost:8080');
      const headers = signWebhook({ id, timeMs: Date.now(), body, secrets: [secret] });
      const { statusCode, body: answer } = await request(`${receiverUrl}/bare`, {
        method: 'POST',
        dispatcher,
        body,
        headers: { 'content-type': 'application/json', ...headers },
      });
      await answer.dump();
      const text = 'insert into bare_loop (id, status, made_at) values ($1, $2, now())';
      await db.query({ name: 'bare', text, values: [id, statusCode] });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, send));
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  await dispatcher.close();
  await db.end();
  return { perSecond: count / seconds, cpuSeconds: (user + system) / 1e6 };
}
