// Cancels statements whose caller has disconnected or cancelled.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Database, Knex } from './knex.ts';

/** A statement may begin just after a cancellation, which then did nothing. */
const AGAIN_AFTER_MS = 100;

/**
 * Runs reads in a transaction, and cancels the running statement when the signal aborts.
 * @param canceller another pool, because all connections of the first one may be busy
 * @throws the reason of the signal when it has aborted before; the error of the cancelled statement
 */
export async function runCancellable<T>(
  db: Database,
  { signal, canceller }: { signal: AbortSignal; canceller: Database },
  read: (db: Database) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  return db.transaction(async (trx) => {
    const pid = await backendOf(trx);
    const done = new AbortController();
    let cancelling: Promise<void> | undefined;
    const onAbort = (): void => {
      cancelling = cancelUntil(done.signal, canceller, pid);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      signal.throwIfAborted();
      return await read(trx);
    } finally {
      done.abort();
      signal.removeEventListener('abort', onAbort);
      // The connection is given back only after this, so that nobody else's statement is cancelled.
      await cancelling;
    }
  });
}

/** The process that serves the transaction's connection. pg sets it, but does not declare it. */
async function backendOf(trx: Knex.Transaction): Promise<number> {
  const connection = (await trx.client.acquireConnection()) as pg.Client & { processID: number };
  return connection.processID;
}

async function cancelUntil(done: AbortSignal, canceller: Database, pid: number): Promise<void> {
  while (!done.aborted) {
    // The statement's own time limit ends it if this fails.
    await canceller.raw('select pg_cancel_backend(?)', [pid]).catch(() => undefined);
    await sleep(AGAIN_AFTER_MS, undefined, { signal: done }).catch(() => undefined);
  }
}
