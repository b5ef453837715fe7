// Creates a database for one test file, a clone of the migrated template, and drops it afterwards.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../../db/driver/knex.ts';
import { TEMPLATE_DATABASE } from '../runner/global-setup.ts';

export interface TestDatabase {
  db: Database;
  url: string;
  drop: () => Promise<void>;
}

/** @param template `template0` for an empty database */
export async function createTestDatabase(template: string = TEMPLATE_DATABASE): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(`create database ${name} template ${template}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = name;
  const db = openDatabase(url.href, { poolSize: 5, statementTimeoutMs: 60_000 });
  return {
    db,
    url: url.href,
    drop: async () => {
      await db.destroy();
      await administer(`drop database ${name} with (force)`);
    },
  };
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client(inject('postgresUrl'));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
