// Reads the state of all records and deliveries together, for metrics. One process of all reads it at a time: the one that
// holds an advisory lock. When it ends, another takes over.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Database, sideConnectionsOf } from '../driver/knex.ts';
import { IN_TURN } from '../webhooks/lines.ts';

export interface FleetState {
  /** Records that are not deleted, each under one state. */
  records: { active: number; failing: number; held: number; paused: number };
  /** How late the most overdue check is, in seconds; 0 when none is. */
  mostOverdueSeconds: number;
  /** How long the record that is held for longest has waited for a decision, in seconds; 0 when none does. */
  longestHeldSeconds: number;
  deliveries: {
    pending: number;
    /** The age of the oldest one, in seconds. */
    oldestSeconds: number;
    /** How late the most overdue attempt is, in seconds. What waits for another delivery of its line is not late. */
    mostOverdueSeconds: number;
  };
}

/** Any number that no other advisory lock of the database has. */
const LOCK = 7_310_017;

/** Since when a held record waits for a decision: a body like a rejected one is held as long as it comes. */
const HELD_SINCE = `greatest(held_since, (
  select max(decided_at) from checks where checks.record_id = heads.record_id and decision = 'rejected'))`;

/** One pass over all heads. The index `deliveries_due` has the pending deliveries only. */
const READ = `
  with fleet as (
    select
      count(*) filter (where status = 'paused') as paused,
      count(*) filter (where status = 'active' and consecutive_failures > 0) as failing,
      count(*) filter (where status = 'active' and consecutive_failures = 0 and held_check_id is not null) as held,
      count(*) filter (where status = 'active' and consecutive_failures = 0 and held_check_id is null) as active,
      min(next_check_at) filter (where status = 'active') as first_due,
      min(case when status = 'active' and held_check_id is not null and not is_held_accepted then ${HELD_SINCE} end)
        as first_held
    from record_heads heads join records on records.id = heads.record_id
    where records.deleted_at is null
  ), owed as (
    select count(*) as pending, min(created_at) as oldest,
      (select min(next_attempt_at) from (${IN_TURN}) in_turn) as first_due
    from deliveries where next_attempt_at is not null
  )
  select
    json_build_object('active', active, 'failing', failing, 'held', held, 'paused', paused) as records,
    greatest(0, extract(epoch from now() - fleet.first_due))::double precision as "mostOverdueSeconds",
    greatest(0, extract(epoch from now() - fleet.first_held))::double precision as "longestHeldSeconds",
    json_build_object('pending', pending,
      'oldestSeconds', greatest(0, extract(epoch from now() - oldest))::double precision,
      'mostOverdueSeconds', greatest(0, extract(epoch from now() - owed.first_due))::double precision) as deliveries
  from fleet, owed`;

export interface FleetWatch {
  /** The last reading, while it is fresh; undefined while another process reads, or when the database does not answer. */
  latest: () => FleetState | undefined;
  close: () => void;
}

export interface FleetWatchOptions {
  everyMs: number;
  onError: (error: unknown) => void;
}

/** Reading takes at most this part of the time of one connection, however many records there are. */
const PART_OF_TIME = 1 / 50;
/** A reading counts for this many pauses. An old one would hide that nobody can read. */
const FRESH_FOR_PAUSES = 4;
const QUERY_TIMEOUT_MS = 60_000;

/** Reads on a connection of its own, and opens another one whenever it is lost. */
export function watchFleet(db: Database, { everyMs, onError }: FleetWatchOptions): FleetWatch {
  const closing = new AbortController();
  let latest: FleetState | undefined;
  let freshUntil = 0;
  const report = (state: FleetState, pauseMs: number): void => {
    latest = state;
    freshUntil = performance.now() + FRESH_FOR_PAUSES * pauseMs;
  };
  const keepReading = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await readWhileConnected(db, everyMs, closing.signal, report).catch(onError);
      latest = undefined;
      await sleep(everyMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
  };
  void keepReading();
  return {
    latest: () => (performance.now() < freshUntil ? latest : undefined),
    close: () => closing.abort(),
  };
}

async function readWhileConnected(
  db: Database,
  everyMs: number,
  closing: AbortSignal,
  report: (state: FleetState, pauseMs: number) => void,
): Promise<void> {
  // The settings with which knex opens its own connections.
  const settings = db.client.connectionSettings as pg.ClientConfig;
  const client = new pg.Client({ ...settings, query_timeout: QUERY_TIMEOUT_MS });
  // The failed query throws as well.
  client.on('error', () => undefined);
  const end = (): void => void client.end().catch(() => undefined);
  closing.addEventListener('abort', end, { once: true });
  let isReader = false;
  try {
    await client.connect();
    sideConnectionsOf(db).watch.add(client);
    while (!closing.aborted) {
      const beganAt = performance.now();
      isReader ||= (await only<{ got: boolean }>(client, `select pg_try_advisory_lock(${LOCK}) as got`)).got;
      const state = isReader ? await only<FleetState>(client, READ) : undefined;
      const pauseMs = Math.max(everyMs, (performance.now() - beganAt) / PART_OF_TIME);
      if (state !== undefined) report(state, pauseMs);
      await sleep(pauseMs, undefined, { signal: closing, ref: false });
    }
  } catch (error) {
    if (!closing.aborted) throw error;
  } finally {
    closing.removeEventListener('abort', end);
    end();
  }
}

async function only<Row extends object>(client: pg.Client, sql: string): Promise<Row> {
  const { rows } = await client.query<Row>(sql);
  const [row] = rows;
  if (row === undefined) throw new Error('A statement that gives one row gave none');
  return row;
}
