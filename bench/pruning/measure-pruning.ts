// Measures a pass of pruning over many records, on a PostgreSQL server of its own: with nothing to delete, and with
// expired checks of every record.
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { asyncLocalStorage, Context } from '@temporalio/activity';
import { pino } from 'pino';
import { createFolderBlobs } from '../../activities/blobs/folder-blobs.ts';
import type { ActivityDeps } from '../../activities/deps.ts';
import { pruneHistory } from '../../activities/housekeeping/prune-history.ts';
import { startBenchPostgres } from '../bench-postgres.ts';
import { type Database, openDatabase, rawRows } from '../../db/driver/knex.ts';
import { migrate } from '../../db/migrate.ts';
import { cpuSecondsOf } from '../processes.ts';
import { seedExpired, seedRecords } from './seed.ts';

/** As a worker has. */
const CONNECTIONS = 10;
/** A small server's. */
const SERVER = { shared_buffers: '1GB', max_wal_size: '8GB' };

export interface PruningResult {
  records: number;
  /** A pass with nothing to delete. */
  idle: Pass;
  /** A pass that deletes the checks of so many hours. */
  hours: number;
  expired: Pass;
}

interface Pass {
  deleted: number;
  seconds: number;
  /** Processor time of this process and of PostgreSQL. */
  cpuSeconds: number;
  /** The longest time without a heartbeat. */
  silentSeconds: number;
}

export async function measurePruning(
  folder: string,
  { records, hours }: { records: number; hours: number },
  report: (text: string) => void,
): Promise<PruningResult> {
  const server = await startBenchPostgres({ dataDir: join(folder, 'pruning'), settings: SERVER });
  await migrate(server.url);
  const db = openDatabase(server.url, { poolSize: CONNECTIONS, applicationName: 'bench' });
  try {
    report(`pruning: making ${records} records`);
    await seedRecords(db, records);
    report('pruning: a pass with nothing to delete');
    const idle = await prune(db, folder);
    if (idle.deleted > 0) throw new Error(`${idle.deleted} rows were deleted that are not expired`);
    report(`pruning: ${JSON.stringify(idle)}; making ${hours} expired checks of each`);
    await seedExpired(db, records, hours);
    report('pruning: a pass that deletes them');
    const expired = await prune(db, folder);
    await assertPruned(db, records);
    return { records, idle, hours, expired };
  } finally {
    await db.destroy();
    await server.stop();
  }
}

/** Runs the activity as a worker does. */
async function prune(db: Database, folder: string): Promise<Pass> {
  const unused = undefined as never;
  const cpuBefore = cpuSecondsOf(process.pid);
  const beganAt = performance.now();
  let beatAt = beganAt;
  let silentMs = 0;
  const beat = (): void => {
    silentMs = Math.max(silentMs, performance.now() - beatAt);
    beatAt = performance.now();
  };
  const context = new Context(
    {} as Context['info'],
    new Promise<never>(() => undefined),
    new AbortController().signal,
    beat as never,
    unused,
    unused,
    unused,
    {},
  );
  const deps = {
    db,
    blobs: createFolderBlobs(join(folder, 'blobs')),
    log: pino({ level: 'error' }),
  } as ActivityDeps;
  const { deleted } = await asyncLocalStorage.run(context, () => pruneHistory(deps));
  return {
    deleted,
    seconds: (performance.now() - beganAt) / 1_000,
    cpuSeconds: cpuSecondsOf(process.pid) - cpuBefore,
    silentSeconds: silentMs / 1_000,
  };
}

/** Three checks of each record are young. Of the others nothing may be left. */
async function assertPruned(db: Database, records: number): Promise<void> {
  const left = await rawRows<{ name: string; count: number }>(
    db,
    ['unchanged_checks', 'checks', 'delta_events', 'snapshots', 'row_versions', 'deliveries', 'attempts']
      .map((name) => `select '${name}' as name, count(*) from ${name}`)
      .join(' union all '),
  );
  const wanted = {
    unchanged_checks: 2,
    checks: 1,
    delta_events: 1,
    snapshots: 2,
    row_versions: 2,
    deliveries: 0,
    attempts: 0,
  };
  const found = Object.fromEntries(left.map(({ name, count }) => [name, count / records]));
  if (!isDeepStrictEqual(found, wanted)) throw new Error(`Left for each record: ${JSON.stringify(found)}`);
}
