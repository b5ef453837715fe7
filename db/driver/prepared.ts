// Statements past knex: those of most calls, over shared connections, and prepared ones, which PostgreSQL parses and plans
// once per connection and not once per call, which would cost more than running them.
import { hash } from 'node:crypto';
import type { Client, QueryConfig } from 'pg';
import { rowsOf } from './described-once.ts';
import { type Database, lanesOf } from './knex.ts';

const names = new Map<string, string>();

/**
 * Rows of a statement with `$1`, `$2`… in it that an index answers at once, whatever the data. Outside of transactions
 * only. Name every column: a prepared `select *` breaks when a migration adds one.
 * @param sql one of few texts: each stays prepared as long as its connection lives
 */
export function lookUp<Row extends object>(
  db: Database,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return lanesOf(db).lookUps.rows<Row>(prepared(db, sql, values));
}

/** The same for a page of a list: how long that takes depends on the data, so only other pages may wait for it. */
export function preparedPage<Row extends object>(
  db: Database,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return lanesOf(db).pages.rows<Row>(prepared(db, sql, values));
}

/** A page whose best plan depends on the values: it is planned for these. */
export function plannedPage<Row extends object>(
  db: Database,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return lanesOf(db).pages.rows<Row>(noted(db, sql, values));
}

/** A statement that writes, or may wait for a lock: on a connection of the pool, so that no other waits behind it. */
export async function preparedWrite<Row extends object>(
  db: Database,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  // knex has no word for prepared statements; its connections are those of pg.
  const connection = (await db.client.acquireConnection()) as Client;
  try {
    return await rowsOf<Row>(connection, prepared(db, sql, values));
  } finally {
    await db.client.releaseConnection(connection);
  }
}

function prepared(db: Database, sql: string, values: readonly unknown[]): QueryConfig {
  return { name: nameOf(sql), ...noted(db, sql, values) };
}

/** Tells of a statement as knex does, so that whoever watches its statements sees these too. */
function noted(db: Database, sql: string, values: readonly unknown[]): QueryConfig {
  db.client.emit('query', { sql, bindings: values });
  return { text: sql, values: [...values] };
}

function nameOf(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = hash('sha256', sql).slice(0, 32);
  names.set(sql, name);
  return name;
}
