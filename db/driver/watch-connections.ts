// Closes connections on which PostgreSQL has become silent. When a network drops packets, or a proxy holds a connection
// open, a statement would wait without end. A long wait alone proves nothing, because a commit may take minutes. So PostgreSQL
// is asked over another connection whether it is still working on the statement.
import { Readable, Writable } from 'node:stream';
import type { Socket } from 'node:net';
import pg from 'pg';

export interface ConnectionWatch {
  /** Watches until the connection has ended. */
  add: (client: pg.Client) => void;
}

export interface WatchOptions {
  /** How long PostgreSQL may be unreachable while a statement waits. It is asked after a quarter of this time. */
  patienceMs: number;
  /** Receives a message for each connection that is closed. */
  report: (words: string) => void;
}

interface Watched {
  client: pg.Client;
  openedAtMs: number;
  /** Bytes received and sent, and when that number last changed. */
  moved: number;
  movedAtMs: number;
  /** Since when no byte has moved although an answer is due. */
  silentSinceMs: number;
  /** PostgreSQL said once that it is not working on the statement. Its answer may be on its way. */
  isSuspect: boolean;
  endingSinceMs: number | undefined;
}

/** A backend whose client is gone. It may hold locks until it is ended. */
interface Abandoned {
  pid: number;
  openedAtMs: number;
  abandonedAtMs: number;
}

/** The members of pg.Client beyond its published types. The tests run all of them against the real class. */
interface Inner {
  processID: number | null;
  readyForQuery?: boolean;
  connection: { stream: Socket };
  _ending: boolean;
  _getActiveQuery: () => unknown;
}

/** Shares of the patience. */
const ASK_AFTER = 1 / 4;
const TICK = 1 / 60;
/** PostgreSQL ends an idle transaction itself after ten minutes. */
const FORGET_ABANDONED_AFTER_MS = 600_000;
/** How far the two ends of a connection may differ about its age. */
const AGE_TOLERANCE_SECONDS = 20;

/** @param settings for the connection over which PostgreSQL is asked */
export function watchConnections(settings: pg.ClientConfig, options: WatchOptions): ConnectionWatch {
  const { patienceMs, report } = options;
  const askAfterMs = patienceMs * ASK_AFTER;
  const watched = new Set<Watched>();
  let abandoned: Abandoned[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isAsking = false;
  let askedAtMs = 0;

  const giveUp = (one: Watched): void => {
    const { client, openedAtMs, silentSinceMs } = one;
    const { processID } = innerOf(client);
    report(`a database connection was silent for ${Math.round(performance.now() - silentSinceMs)} ms`);
    if (processID !== null) {
      abandoned.push({ pid: processID, openedAtMs, abandonedAtMs: performance.now() });
    }
    breakOff(one);
    // Idle connections that have been silent since then are most likely broken too. Reconnecting costs little.
    for (const other of watched) if (other.movedAtMs <= silentSinceMs && isIdle(other)) breakOff(other);
  };

  const ask = async (suspects: readonly Watched[]): Promise<void> => {
    const before = new Map(suspects.map((one) => [one, one.moved]));
    const working = await askPostgres(settings, askAfterMs, suspects, abandoned).catch(() => undefined);
    const nowMs = performance.now();
    if (working !== undefined) abandoned = [];
    abandoned = abandoned.filter((one) => nowMs - one.abandonedAtMs < FORGET_ABANDONED_AFTER_MS);
    for (const one of suspects) {
      const hasMoved = movedBytes(one.client) !== before.get(one) || !isOwedAnAnswer(one.client);
      if (!hasMoved && watched.has(one) && isLost(one, working, patienceMs)) giveUp(one);
    }
  };

  const tick = (): void => {
    const nowMs = performance.now();
    if (watched.size === 0 && abandoned.length === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    for (const one of watched) look(one, nowMs, askAfterMs);
    const suspects = [...watched].filter((one) => nowMs - one.silentSinceMs >= askAfterMs);
    const isDue = suspects.length > 0 || (abandoned.length > 0 && nowMs - askedAtMs >= askAfterMs);
    if (!isDue || isAsking) return;
    isAsking = true;
    askedAtMs = nowMs;
    void ask(suspects).finally(() => {
      isAsking = false;
    });
  };

  return {
    add: (client) => {
      const one = startToWatch(client);
      watched.add(one);
      timer ??= setInterval(tick, patienceMs * TICK).unref();
      client.once('end', () => watched.delete(one));
    },
  };
}

/** @param working backends that are running a statement; undefined when PostgreSQL could not be asked */
function isLost(one: Watched, working: ReadonlySet<number | null> | undefined, patienceMs: number): boolean {
  const nowMs = performance.now();
  if (working === undefined) return nowMs - one.silentSinceMs >= patienceMs;
  const wasSuspect = one.isSuspect;
  one.isSuspect = !working.has(innerOf(one.client).processID);
  if (!one.isSuspect) one.silentSinceMs = nowMs;
  return wasSuspect && one.isSuspect;
}

function startToWatch(client: pg.Client): Watched {
  const nowMs = performance.now();
  const times = { openedAtMs: nowMs, movedAtMs: nowMs, silentSinceMs: nowMs, endingSinceMs: undefined };
  return { client, ...times, moved: 0, isSuspect: false };
}

/** Updates when bytes last moved. Closes a connection that was told to end and does not. */
function look(one: Watched, nowMs: number, endWithinMs: number): void {
  const moved = movedBytes(one.client);
  if (moved !== one.moved) one.movedAtMs = nowMs;
  if (moved !== one.moved || !isOwedAnAnswer(one.client)) {
    one.moved = moved;
    one.silentSinceMs = nowMs;
    one.isSuspect = false;
  }
  if (!innerOf(one.client)._ending) return;
  one.endingSinceMs ??= nowMs;
  if (nowMs - one.endingSinceMs >= endWithinMs) breakOff(one);
}

/**
 * Ends the abandoned backends, which may hold locks.
 * @returns process ids of the backends that are running a statement; those that wait for their client are not among them
 * @throws Error when PostgreSQL cannot be asked in time
 */
async function askPostgres(
  settings: pg.ClientConfig,
  withinMs: number,
  suspects: readonly Watched[],
  abandoned: readonly Abandoned[],
): Promise<ReadonlySet<number | null>> {
  const client = new pg.Client({ ...settings, connectionTimeoutMillis: withinMs, query_timeout: withinMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const backends = await client.query<{ pid: number }>(WORKING, [pidsOf(suspects)]);
    const nowMs = performance.now();
    const ages = abandoned.map(({ openedAtMs }) => (nowMs - openedAtMs) / 1_000);
    await client.query(TERMINATE, [abandoned.map(({ pid }) => pid), ages, AGE_TOLERANCE_SECONDS]);
    return new Set(backends.rows.map(({ pid }) => pid));
  } finally {
    void client.end().catch(() => undefined);
    // A silent connection would not end.
    setTimeout(() => innerOf(client).connection.stream.destroy(), withinMs).unref();
  }
}

const pidsOf = (suspects: readonly Watched[]): (number | null)[] =>
  suspects.map(({ client }) => innerOf(client).processID);

/** https://www.postgresql.org/docs/18/monitoring-stats.html: the wait event "Client" means waiting for the client to read or write. */
const WORKING = `select pid from pg_stat_activity
  where pid = any($1::int[]) and state in ('active', 'disabled') and wait_event_type is distinct from 'Client'`;

/** Process ids are used again, so the age tells whether it is the same backend. */
const TERMINATE = `select pg_terminate_backend(a.pid) from pg_stat_activity a
  join unnest($1::int[], $2::float8[]) as gone (pid, age) on gone.pid = a.pid
  where abs(extract(epoch from clock_timestamp() - a.backend_start) - gone.age) < $3::float8`;

/** Fails like any broken connection, so that callers try again on another one. */
function breakOff({ client }: Watched): void {
  const error = Object.assign(new Error('The database did not answer on this connection'), {
    code: 'ECONNRESET',
  });
  innerOf(client).connection.stream.destroy(error);
}

const isIdle = ({ client }: Watched): boolean =>
  innerOf(client).readyForQuery === true && client.getTransactionStatus() === 'I';

/** Whether it is PostgreSQL's turn: not while a COPY of ours has nothing to send, or while received rows are unread. */
function isOwedAnAnswer(client: pg.Client): boolean {
  const { readyForQuery, connection, _getActiveQuery } = innerOf(client);
  if (readyForQuery !== false) return false;
  const query = _getActiveQuery.call(client);
  if (query instanceof Writable && !query.writableEnded && query.writableLength === 0) {
    return connection.stream.writableLength > 0;
  }
  return !(query instanceof Readable && query.readableLength > 0);
}

function movedBytes(client: pg.Client): number {
  const { stream } = innerOf(client).connection;
  return stream.bytesRead + stream.bytesWritten - stream.writableLength;
}

const innerOf = (client: pg.Client): Inner => client as unknown as Inner;
