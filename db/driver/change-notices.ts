// Word of changes between processes, by LISTEN and NOTIFY: sent in the transaction that commits a change, so nobody
// hears of one that is not there. Nothing depends on it: who misses a notice finds the event in its list.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Database, type Knex, lanesOf } from './knex.ts';

const CHANNEL = 'record_changed';
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A connection that only listens would never notice that nobody is at the other end. */
const PROBE_EVERY_MS = 15_000;

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
export function listenForChanges(
  db: Database,
  listener: ChangeListener,
  { probeEveryMs = PROBE_EVERY_MS } = {},
): Listening {
  const closing = new AbortController();
  const first = Promise.withResolvers<void>();
  const ended = keepListening(db, { ...listener, probeEveryMs }, closing.signal, first.resolve);
  return {
    ready: first.promise,
    close: async () => {
      closing.abort();
      await ended;
    },
  };
}

interface Ears extends ChangeListener {
  probeEveryMs: number;
}

async function keepListening(
  db: Database,
  listener: Ears,
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

/** Until the connection is lost or the process ends. @throws Error of the connection */
async function listenOnce(
  db: Database,
  { onChange, probeEveryMs }: Ears,
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
    lanesOf(db).watch.add(client);
    probe = setInterval(() => void probeOnce().catch(() => undefined), probeEveryMs);
    await client.query(`listen ${CHANNEL}`);
    onReady();
    await lost;
  } finally {
    clearInterval(probe);
    // Not awaited: a silent connection ends when its watch gives it up.
    void client.end().catch(() => undefined);
  }
}
