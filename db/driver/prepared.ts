// Statements that do not go through knex: those that most calls run. They share connections, and most are prepared:
// PostgreSQL parses and plans a prepared one once per connection, which would otherwise take longer than running it.
import { hash } from 'node:crypto';
import type { Client, QueryConfig } from 'pg';
import { rowsOf } from './described-once.ts';
import { type Database, type Knex, sideConnectionsOf } from './knex.ts';

/**
 * Rows of a statement with parameters `$1`, `$2`… that an index answers at once, whatever the data. Outside of transactions
 * only. Name every column: a prepared `select *` breaks when a migration adds one.
 * @param sql one of few texts, because each stays prepared as long as its connection lives
 */
export function lookUp<Row extends object>(
  db: Database,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return sideConnectionsOf(db).lookUps.rows<Row>(prepared(db, sql, values));
}

/** Like lookUp, for a page of a list. How long it takes depends on the data, so only other pages may wait for it. */
export function preparedPage<Row extends object>(
  db: Database,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return sideConnectionsOf(db).pages.rows<Row>(prepared(db, sql, values));
}

/** Like preparedPage, but planned for these values: for a statement whose best plan depends on them. */
export function plannedPage<Row extends object>(
  db: Database,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return sideConnectionsOf(db).pages.rows<Row>(announced(db, sql, values));
}

/** Runs a statement that writes or may wait for a lock. It gets a connection of the pool, so that no other waits behind it. */
export async function preparedWrite<Row extends object>(
  db: Database,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  // knex offers no prepared statements. Its connections are clients of pg.
  const connection = (await db.client.acquireConnection()) as Client;
  try {
    return await rowsOf<Row>(connection, prepared(db, sql, values));
  } finally {
    await db.client.releaseConnection(connection);
  }
}

/** Runs a statement with parameters `$1`, `$2`… in a transaction. @param sql one of few texts, as for lookUp */
export async function preparedRows<Row extends object>(
  trx: Knex.Transaction,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  // A knex transaction gives its only connection, which is a client of pg.
  const connection = (await trx.client.acquireConnection()) as Client;
  return rowsOf<Row>(connection, prepared(trx, sql, values));
}

/** Like preparedRows, for a statement with parameters by name, or one that knex has built. */
export function preparedBuilt<Row extends object>(
  trx: Knex.Transaction,
  statement: Knex.Raw | Knex.QueryBuilder,
): Promise<Row[]> {
  const { sql, bindings } = statement.toSQL().toNative();
  return preparedRows<Row>(trx, sql, bindings);
}

function prepared(db: Database, sql: string, values: readonly unknown[]): QueryConfig {
  return { name: nameOf(sql), ...announced(db, sql, values) };
}

/** Emits knex's event for a statement, so that its listeners see these statements too. */
function announced(db: Database, sql: string, values: readonly unknown[]): QueryConfig {
  db.client.emit('query', { sql, bindings: values });
  return { text: sql, values: [...values] };
}

/** Names by text. */
const statementNames = new Map<string, string>();

function nameOf(sql: string): string {
  const known = statementNames.get(sql);
  if (known !== undefined) return known;
  const name = hash('sha256', sql).slice(0, 32);
  statementNames.set(sql, name);
  return name;
}
