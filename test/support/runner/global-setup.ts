// Starts the PostgreSQL that tests share, once per run, with a migrated template database.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../../cli/postgres/start-postgres.ts';
import { migrate } from '../../../db/migrate.ts';
import { freePort } from '../servers/free-port.ts';
import { shareServer, type Started } from './shared-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the server's own database: for creating and dropping others. */
    postgresUrl: string;
  }
}

export const TEMPLATE_DATABASE = 'recordwatch_template';

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { value: url, stop } = await shareServer('PostgreSQL', startWithTemplate);
  project.provide('postgresUrl', url);
  return stop;
}

async function startWithTemplate(): Promise<Started<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'recordwatch-test-'));
  const postgres = await startPostgres({
    dataDir: join(folder, 'postgres'),
    port: await freePort(),
    // Whole systems run side by side.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  });
  const template = new URL(postgres.url);
  template.pathname = TEMPLATE_DATABASE;
  const client = new pg.Client(postgres.url);
  await client.connect();
  await client.query(`create database ${TEMPLATE_DATABASE}`);
  await client.end();
  await migrate(template.href);
  return {
    value: postgres.url,
    stop: async () => {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
