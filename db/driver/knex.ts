// The connection pool. Two traps: results of knex.raw are not name-mapped (queries alias their columns,
// `as "recordId"`), and a digit after an underscore does not survive the mapping (so no such column names).
import createKnex, { type Knex } from 'knex';
import { knexSnakeCaseMappers } from 'objection';
import pg from 'pg';
import { createLanes, type Lanes } from './lanes.ts';
import { countStatements } from './pulse.ts';
import { type ConnectionWatch, watchConnections } from './watch-connections.ts';

export type Database = Knex;
export type { Knex };

// Counts and byte sizes stay far below 2^53, and a string would sort and add wrongly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface DatabaseOptions {
  poolSize: number;
  /** Ends any statement that runs longer; 0 means no limit. */
  statementTimeoutMs?: number;
  applicationName?: string;
  /** How long PostgreSQL may be out of reach before a connection that waits for it is given up. */
  patienceMs?: number;
  /** Hears what is wrong with connections, in words: the statements on them fail by themselves. */
  report?: (words: string) => void;
}

const ACQUIRE_TIMEOUT_MS = 15_000;
const PATIENCE_MS = 60_000;
/** Of the patience: connecting is tried again by whoever needs it. */
const CONNECT_PART = 1 / 4;

/** Connections beside the pool, which statements share. */
interface DatabaseLanes {
  lookUps: Lanes;
  /** Apart from the others, because one of them may take its time. */
  pages: Lanes;
  watch: ConnectionWatch;
}

/** What docs/operations.md asks for. */
const OLDEST_POSTGRES = '18';
const KEEP_ALIVE_SECONDS = 10;
/** PostgreSQL finds out within a minute that a client has vanished; else the system's two hours hold. */
const SERVER_KEEP_ALIVE = '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3';

/** Of each kind; more than the usual two only when some are held up. */
const MAX_LANES = 4;
const lanesByDatabase = new WeakMap<Database, DatabaseLanes>();

/** Opens a pool; `database.destroy()` closes it. Connects on first use. */
export function openDatabase(connectionString: string, options: DatabaseOptions): Database {
  const { patienceMs = PATIENCE_MS, report = () => undefined } = options;
  const connection = {
    connectionString,
    application_name: options.applicationName ?? 'recordwatch',
    connectionTimeoutMillis: patienceMs * CONNECT_PART,
    // A connection that the network has swallowed is found out, and does not keep its place in the pool.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_SECONDS * 1_000,
    options: SERVER_KEEP_ALIVE,
    statement_timeout: options.statementTimeoutMs ?? 0,
    // A worker that vanished in the middle of a commit must not hold the record's lock for long.
    idle_in_transaction_session_timeout: 60_000,
  };
  const watch = watchConnections(connection, { patienceMs, report });
  const tell = (message: unknown): void => report(String(message));
  const db = createKnex({
    client: 'pg',
    // Said, it is not asked of the first connection, where nobody would watch the question.
    version: OLDEST_POSTGRES,
    connection,
    pool: {
      min: 0,
      max: options.poolSize,
      afterCreate: (client: pg.Client, done: () => void) => {
        watch.add(client);
        done();
      },
    },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    // Else knex writes to standard output.
    log: { warn: tell, error: tell, deprecate: tell, debug: tell },
    ...knexSnakeCaseMappers(),
  });
  countStatements(db);
  const max = Math.min(MAX_LANES, options.poolSize);
  const newLanes = (): Lanes => createLanes(connection, { max, onConnect: watch.add });
  const lanes = { lookUps: newLanes(), pages: newLanes(), watch };
  lanesByDatabase.set(db, lanes);
  db.client.pool.on('poolDestroyRequest', () => void Promise.all([lanes.lookUps.end(), lanes.pages.end()]));
  return db;
}

/** @throws Error for a transaction: its statements belong on its own connection */
export function lanesOf(db: Database): DatabaseLanes {
  const lanes = lanesByDatabase.get(db);
  if (lanes === undefined) throw new Error('Only a database that openDatabase opened has lanes');
  return lanes;
}

/** Rows of a raw statement. The caller states their shape, and aliases every column to it. */
export async function rawRows<Row>(
  db: Knex,
  sql: string,
  bindings: Knex.RawBinding[] | Knex.ValueDict = [],
): Promise<Row[]> {
  // The two kinds of bindings are overloads of one function; either goes through.
  const result: { rows: Row[] } = await db.raw(sql, bindings as Knex.ValueDict);
  return result.rows;
}
