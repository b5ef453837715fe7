// The connection pool. Two traps: results of knex.raw are not name-mapped (queries alias their columns,
// `as "recordId"`), and a digit after an underscore does not survive the mapping (so no such column names).
import createKnex, { type Knex } from 'knex';
import { knexSnakeCaseMappers } from 'objection';
import pg from 'pg';
import { createLanes, type Lanes } from './lanes.ts';

export type Database = Knex;
export type { Knex };

// Counts and byte sizes stay far below 2^53, and a string would sort and add wrongly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface DatabaseOptions {
  poolSize: number;
  /** Ends any statement that runs longer; 0 means no limit. */
  statementTimeoutMs?: number;
  applicationName?: string;
}

const CONNECT_TIMEOUT_MS = 15_000;

/** Connections beside the pool, which statements share. */
interface DatabaseLanes {
  lookUps: Lanes;
  /** Apart from the others, because one of them may take its time. */
  pages: Lanes;
}

/** Of each kind; more than the usual two only when some are held up. */
const MAX_LANES = 4;
const lanesByDatabase = new WeakMap<Database, DatabaseLanes>();

/** Opens a pool; `database.destroy()` closes it. Connects on first use. */
export function openDatabase(connectionString: string, options: DatabaseOptions): Database {
  const connection = {
    connectionString,
    application_name: options.applicationName ?? 'recordwatch',
    // A connection that the network has swallowed is found out, and does not keep its place in the pool.
    keepAlive: true,
    statement_timeout: options.statementTimeoutMs ?? 0,
    // A worker that vanished in the middle of a commit must not hold the record's lock for hours.
    idle_in_transaction_session_timeout: 600_000,
  };
  const db = createKnex({
    client: 'pg',
    connection,
    pool: { min: 0, max: options.poolSize },
    acquireConnectionTimeout: CONNECT_TIMEOUT_MS,
    ...knexSnakeCaseMappers(),
  });
  const settings = { ...connection, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
  const max = Math.min(MAX_LANES, options.poolSize);
  const lanes = { lookUps: createLanes(settings, { max }), pages: createLanes(settings, { max }) };
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
