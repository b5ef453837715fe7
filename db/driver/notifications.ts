// Notifications between processes, by LISTEN and NOTIFY. One is sent in the transaction that commits the change, so it never
// comes before the change. Notifications may be lost; the change itself is always stored.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Database, type Knex, sideConnectionsOf } from './knex.ts';
import { preparedRows, preparedWrite } from './prepared.ts';

/**
 * Each notification of `record_changed` names a record, each of `feed_grew` an account, each of `call_cancelled` a call of MCP.
 * Triggers send those of `feed_grew`.
 */
export type Channel = 'record_changed' | 'feed_grew' | 'call_cancelled';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A connection that only listens would not notice that the server is gone. */
const PROBE_EVERY_MS = 15_000;

/** Call it only for changes of rows: committing a notification takes a server-wide lock, and most checks find no change. */
export async function announceChange(trx: Knex.Transaction, recordId: string): Promise<void> {
  await preparedRows(trx, 'select pg_notify($1, $2)', ['record_changed' satisfies Channel, recordId]);
}

const CANCELLATIONS = 'select pg_notify($1, call) from unnest($2::text[]) as cancelled (call)';

/** In one commit. @param calls as their processes know them */
export async function announceCancellations(db: Database, calls: readonly string[]): Promise<void> {
  await preparedWrite(db, CANCELLATIONS, ['call_cancelled' satisfies Channel, calls]);
}

export interface NotificationListener {
  /** @param id of what the notification is about */
  onNotification: (id: string) => void;
  /** Called when the connection was lost and is back: notifications may have been missed. */
  onGap: () => void;
  onError: (error: unknown) => void;
}

export interface Listening {
  /** Resolves when notifications arrive. */
  ready: Promise<void>;
  close: () => Promise<void>;
}

/** Listens on a connection of its own, and reconnects whenever it is lost. */
export function listenForNotifications(
  db: Database,
  channel: Channel,
  listener: NotificationListener,
  { probeEveryMs = PROBE_EVERY_MS } = {},
): Listening {
  const closing = new AbortController();
  const first = Promise.withResolvers<void>();
  const ended = keepListening(db, { ...listener, channel, probeEveryMs }, closing.signal, first.resolve);
  return {
    ready: first.promise,
    close: async () => {
      closing.abort();
      await ended;
    },
  };
}

interface ProbingListener extends NotificationListener {
  channel: Channel;
  probeEveryMs: number;
}

async function keepListening(
  db: Database,
  listener: ProbingListener,
  closing: AbortSignal,
  onReady: () => void,
): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  let isFirst = true;
  while (!closing.aborted) {
    try {
      await listenOnce(db, listener, closing, () => {
        pauseMs = FIRST_PAUSE_MS;
        if (isFirst) onReady();
        else listener.onGap();
        isFirst = false;
      });
    } catch (error) {
      listener.onError(error);
    }
    await sleep(pauseMs, undefined, { signal: closing }).catch(() => undefined);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}

/** Listens until the connection is lost or the process ends. @throws Error of the connection */
async function listenOnce(
  db: Database,
  { channel, onNotification, probeEveryMs }: ProbingListener,
  closing: AbortSignal,
  onReady: () => void,
): Promise<void> {
  // The settings with which knex opens its own connections.
  const client = new pg.Client(db.client.connectionSettings as pg.ClientConfig);
  const lost = new Promise<void>((resolve, reject) => {
    client.once('end', resolve);
    client.once('error', reject);
    closing.addEventListener('abort', () => resolve(), { once: true });
  });
  // It may reject before anything awaits it.
  lost.catch(() => undefined);
  client.on('notification', ({ payload = '' }) => onNotification(payload));
  let probe: NodeJS.Timeout | undefined;
  let isProbing = false;
  const probeOnce = async (): Promise<void> => {
    if (isProbing) return;
    isProbing = true;
    await client.query('select');
    isProbing = false;
  };
  try {
    await client.connect();
    sideConnectionsOf(db).watch.add(client);
    probe = setInterval(() => void probeOnce().catch(() => undefined), probeEveryMs);
    await client.query(`listen ${channel}`);
    onReady();
    await lost;
  } finally {
    clearInterval(probe);
    // Not awaited: a silent connection ends when its watch closes it.
    void client.end().catch(() => undefined);
  }
}
