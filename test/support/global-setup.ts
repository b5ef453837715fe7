// Starts the servers that tests share, once per run: a PostgreSQL with a migrated template database.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../cli/postgres/start-postgres.ts';
import { migrate } from '../../db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the server's own database: for creating and dropping others. */
    postgresUrl: string;
  }
}

export const TEMPLATE_DATABASE = 'recordwatch_template';

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'recordwatch-test-'));
  const postgres = await startPostgres({
    dataDir: join(folder, 'postgres'),
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  });
  const template = new URL(postgres.url);
  template.pathname = TEMPLATE_DATABASE;
  const client = new pg.Client(postgres.url);
  await client.connect();
  await client.query(`create database ${TEMPLATE_DATABASE}`);
  await client.end();
  await migrate(template.href);
  project.provide('postgresUrl', postgres.url);
  return async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
