// Statements that every call runs: PostgreSQL parses and plans each once per connection and not once per call, which
// would cost more than running it.
import { hash } from 'node:crypto';
import type { Client } from 'pg';
import type { Database } from './knex.ts';

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
    // As knex does, so that whoever watches its statements sees these too.
    db.client.emit('query', { sql, bindings: values });
    const { rows } = await connection.query<Row>({ name: nameOf(sql), text: sql, values: [...values] });
    return rows;
  } finally {
    await db.client.releaseConnection(connection);
  }
}

function nameOf(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = hash('sha256', sql).slice(0, 32);
  names.set(sql, name);
  return name;
}
