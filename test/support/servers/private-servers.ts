// A PostgreSQL and a Temporal server for one test, which may kill them. Their data are on disk and survive.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { startPostgres } from '../../../cli/postgres/start-postgres.ts';
import { findTemporalServer } from '../../../cli/temporal/find-server.ts';
import { startTemporalServer } from '../../../cli/temporal/start-server.ts';
import { openDatabase } from '../../../db/driver/knex.ts';
import { migrate } from '../../../db/migrate.ts';
import type { TestDatabase } from './database.ts';
import { freePort } from './free-port.ts';
import type { TestTemporal } from './temporal.ts';

export interface PrivateServers {
  database: TestDatabase;
  temporal: TestTemporal;
  /** Kills a server without a chance to finish anything. Resolves when it is gone. */
  kill: (server: ServerName) => Promise<void>;
  start: (server: ServerName) => Promise<void>;
  stop: () => Promise<void>;
}

type ServerName = 'postgres' | 'temporal';

interface Running {
  pid: number;
  ended: Promise<Error | undefined>;
  stop: () => Promise<void>;
}

export async function startPrivateServers(): Promise<PrivateServers> {
  const folder = mkdtempSync(join(tmpdir(), 'recordwatch-private-'));
  const ports = { postgres: await freePort(), temporal: await freePort() };
  const { path } = await findTemporalServer({ report: () => undefined });
  const servers = new Map<ServerName, Running>();
  let url = '';
  const start = async (name: ServerName): Promise<void> => {
    if (name === 'temporal') {
      const options = { path, folder: join(folder, 'temporal'), port: ports.temporal };
      servers.set(name, await startTemporalServer(options));
    } else {
      const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), port: ports.postgres });
      ({ url } = postgres);
      servers.set(name, postgres);
    }
  };
  await start('postgres');
  await start('temporal');
  await migrate(url);
  const db = openDatabase(url, { poolSize: 3, statementTimeoutMs: 60_000 });
  const connection = await Connection.connect({ address: `127.0.0.1:${ports.temporal}` });
  const client = new Client({ connection, namespace: 'default' });
  return {
    database: { db, url, drop: () => db.destroy() },
    temporal: { address: `127.0.0.1:${ports.temporal}`, namespace: 'default', connection, client },
    start,
    kill: async (name) => {
      const server = servers.get(name);
      if (server === undefined) throw new Error(`${name} does not run`);
      // PostgreSQL's immediate shutdown. After a kill of the postmaster alone, its children would run on for a while.
      process.kill(server.pid, name === 'postgres' ? 'SIGQUIT' : 'SIGKILL');
      await server.ended;
    },
    stop: async () => {
      for (const server of servers.values()) await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
