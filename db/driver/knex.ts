// Opens the connection pool. Two traps: knex does not map the column names of raw statements (alias them: `as "recordId"`),
// and it does not map a digit after an underscore back (so no column has such a name).
import createKnex, { type Knex } from 'knex';
import { knexSnakeCaseMappers } from 'objection';
import pg from 'pg';
import { createPipelines, type Pipelines } from './pipelines.ts';
import { countStatements } from './pulse.ts';
import { type ConnectionWatch, watchConnections } from './watch-connections.ts';

export type Database = Knex;
export type { Knex };

export interface DatabaseOptions {
  poolSize: number;
  /** Ends any statement that runs longer; 0 means no limit. */
  statementTimeoutMs?: number;
  applicationName?: string;
  /** How long PostgreSQL may be unreachable before a waiting connection is closed. */
  patienceMs?: number;
  /** Receives problems with connections, as text. The statements on them fail with their own errors. */
  report?: (words: string) => void;
}

const ACQUIRE_TIMEOUT_MS = 15_000;
const PATIENCE_MS = 60_000;
/** The share of the patience that one attempt to connect may take. */
const CONNECT_PART = 1 / 4;

/** The connections beside the pool. They belong to the database handle and end with it. */
interface SideConnections {
  lookUps: Pipelines;
  /** Separate from the lookups, because a page may take long. */
  pages: Pipelines;
  watch: ConnectionWatch;
}

/** As docs/operations.md requires. */
const OLDEST_POSTGRES = '18';
const KEEP_ALIVE_SECONDS = 10;
/**
 * PostgreSQL notices a vanished client within a minute; the system's default is two hours. It compiles no statement (jit): rarely
 * used parts make short ones look expensive.
 */
const SERVER_SETTINGS =
  '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3 -c jit=off';

/** For each kind. More than the usual two are opened only when some are held up. */
const MAX_PIPELINES = 4;

const INT8: number = pg.types.builtins.INT8;

/** Reads bigint as a number: counts and byte sizes stay far below 2^53, and a string would sort and add wrongly. */
const types = {
  getTypeParser: (oid: number, format?: string) =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format === 'binary' ? format : 'text'),
};

/** Opens a pool, which connects on first use. `database.destroy()` closes it. */
export function openDatabase(connectionString: string, options: DatabaseOptions): Database {
  const { patienceMs = PATIENCE_MS, report = () => undefined } = options;
  const connection = {
    connectionString,
    application_name: options.applicationName ?? 'recordwatch',
    connectionTimeoutMillis: patienceMs * CONNECT_PART,
    // Finds connections that the network has dropped, so that they do not keep their slots in the pool.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_SECONDS * 1_000,
    options: SERVER_SETTINGS,
    statement_timeout: options.statementTimeoutMs ?? 0,
    // A worker that vanished during a commit must not hold the record's lock for long.
    idle_in_transaction_session_timeout: 60_000,
    types,
  };
  const watch = watchConnections(connection, { patienceMs, report });
  const tell = (message: unknown): void => report(String(message));
  const db = createKnex({
    client: 'pg',
    // Without it, knex asks the first connection for the version before the connection is watched.
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
    // By default knex puts the values of the statement into the messages of errors.
    compileSqlOnError: false,
    // By default knex writes to standard output.
    log: { warn: tell, error: tell, deprecate: tell, debug: tell },
    ...knexSnakeCaseMappers(),
  });
  countStatements(db);
  const max = Math.min(MAX_PIPELINES, options.poolSize);
  const open = (): Pipelines => createPipelines(connection, { max, onConnect: watch.add });
  const side: SideConnections = { lookUps: open(), pages: open(), watch };
  db.userParams = { side };
  db.client.pool.on('poolDestroyRequest', () => void Promise.all([side.lookUps.end(), side.pages.end()]));
  return db;
}

/** How many connections of the pool are in use and idle, how many it may hold, and how many callers wait for one. */
export function poolCounts(db: Database): { used: number; idle: number; max: number; pending: number } {
  const pool: {
    numUsed: () => number;
    numFree: () => number;
    max: number;
    numPendingAcquires: () => number;
  } = db.client.pool;
  return { used: pool.numUsed(), idle: pool.numFree(), max: pool.max, pending: pool.numPendingAcquires() };
}

/** @throws Error for a transaction, whose statements belong on its own connection */
export function sideConnectionsOf(db: Database): SideConnections {
  // knex types its user parameters as any. Only openDatabase sets this one.
  const side = db.userParams['side'] as SideConnections | undefined;
  if (side === undefined || db.isTransaction === true) {
    throw new Error('Pipelines belong to a database that openDatabase opened, outside of transactions');
  }
  return side;
}

/** Rows of a raw statement. The caller states their shape and aliases every column to it. */
export async function rawRows<Row>(
  db: Knex,
  sql: string,
  bindings: Knex.RawBinding[] | Knex.ValueDict = [],
): Promise<Row[]> {
  // The two kinds of bindings are overloads of one function, which accepts either.
  const result: { rows: Row[] } = await db.raw(sql, bindings as Knex.ValueDict);
  return result.rows;
}

const CODES = {
  uniqueViolation: '23505',
  undefinedTable: '42P01',
  lockNotAvailable: '55P03',
  queryCancelled: '57014',
} as const;

/** Tells which failure an error of PostgreSQL is: https://www.postgresql.org/docs/18/errcodes-appendix.html */
export function isPostgresError(error: unknown, kind: keyof typeof CODES): error is PostgresError {
  return error instanceof Error && 'code' in error && error.code === CODES[kind];
}

interface PostgresError extends Error {
  /** The constraint that was violated, if it was one. */
  constraint?: string;
}
