// The connection pool. Two traps: results of knex.raw are not name-mapped (queries alias their columns,
// `as "recordId"`), and a digit after an underscore does not survive the mapping (so no such column names).
import createKnex, { type Knex } from 'knex';
import { knexSnakeCaseMappers } from 'objection';
import pg from 'pg';

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

/** Opens a pool; `database.destroy()` closes it. Connects on first use. */
export function openDatabase(connectionString: string, options: DatabaseOptions): Database {
  return createKnex({
    client: 'pg',
    connection: {
      connectionString,
      application_name: options.applicationName ?? 'recordwatch',
      // A connection that the network has swallowed is found out, and does not keep its place in the pool.
      keepAlive: true,
      statement_timeout: options.statementTimeoutMs ?? 0,
      // A worker that vanished in the middle of a commit must not hold the record's lock for hours.
      idle_in_transaction_session_timeout: 600_000,
    },
    pool: { min: 0, max: options.poolSize },
    acquireConnectionTimeout: 15_000,
    ...knexSnakeCaseMappers(),
  });
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
