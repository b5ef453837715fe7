// Word of changes between processes, by LISTEN and NOTIFY: sent in the transaction that commits a change, so nobody
// hears of one that is not there. Nothing depends on it: who misses a notice finds the event in its list.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Database, Knex } from './knex.ts';

const CHANNEL = 'record_changed';
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Only for changes of rows: committing a notice takes a lock of the whole server, and most checks find nothing. */
export async function announceChange(trx: Knex.Transaction, recordId: string): Promise<void> {
  await trx.raw('select pg_notify(?, ?)', [CHANNEL, recordId]);
}

export interface ChangeListener {
  onChange: (recordId: string) => void;
  /** Notices may have been missed: the connection was lost, and is back. */
  onGap: () => void;
  onError: (error: unknown) => void;
}

export interface Listening {
  /** Resolves when notices arrive. */
  ready: Promise<void>;
  close: () => Promise<void>;
}

/** On a connection of its own, which is opened again whenever it is lost. */
export function listenForChanges(db: Database, listener: ChangeListener): Listening {
  const closing = new AbortController();
  const first = Promise.withResolvers<void>();
  const ended = keepListening(db, listener, closing.signal, first.resolve);
  return {
    ready: first.promise,
    close: async () => {
      closing.abort();
      await ended;
    },
  };
}

async function keepListening(
  db: Database,
  listener: ChangeListener,
  closing: AbortSignal,
  onReady: () => void,
): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  let isFirst = true;
  while (!closing.aborted) {
    try {
      await listenOnce(db, listener.onChange, closing, () => {
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

/** Until the connection is lost or the process ends. @throws Error of the connection */
async function listenOnce(
  db: Database,
  onChange: (recordId: string) => void,
  closing: AbortSignal,
  onReady: () => void,
): Promise<void> {
  // What knex opens its own connections with.
  const client = new pg.Client(db.client.connectionSettings as pg.ClientConfig);
  const lost = new Promise<void>((resolve, reject) => {
    client.once('end', resolve);
    client.once('error', reject);
    closing.addEventListener('abort', () => resolve(), { once: true });
  });
  // It may fail while nobody waits for it yet.
  lost.catch(() => undefined);
  client.on('notification', ({ payload = '' }) => onChange(payload));
  try {
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    onReady();
    await lost;
  } finally {
    await client.end().catch(() => undefined);
  }
}
