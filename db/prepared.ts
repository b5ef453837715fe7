// Statements that every call runs: PostgreSQL parses and plans each once per connection and not once per call, which
// would cost more than running it.
import { hash } from 'node:crypto';
import type { Client, QueryConfig } from 'pg';
import { type Database, lanesOf } from './knex.ts';

const names = new Map<string, string>();

/**
 * Rows of a statement with `$1`, `$2`… in it. Outside of transactions only. Name every column: a prepared `select *`
 * breaks when a migration adds one.
 * @param sql one of few texts: each stays prepared as long as its connection lives
 */
export async function preparedRows<Row extends object>(
  db: Database,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  // knex has no word for prepared statements; its connections are those of pg.
  const connection = (await db.client.acquireConnection()) as Client;
  try {
    const { rows } = await connection.query<Row>(statementOf(db, sql, values));
    return rows;
  } finally {
    await db.client.releaseConnection(connection);
  }
}

/** The same for what an index finds at once, whatever the data: many of these share a connection. */
export function lookUp<Row extends object>(
  db: Database,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return lanesOf(db).rows<Row>(statementOf(db, sql, values));
}

function statementOf(db: Database, sql: string, values: readonly unknown[]): QueryConfig {
  // As knex does, so that whoever watches its statements sees these too.
  db.client.emit('query', { sql, bindings: values });
  return { name: nameOf(sql), text: sql, values: [...values] };
}

function nameOf(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = hash('sha256', sql).slice(0, 32);
  names.set(sql, name);
  return name;
}
