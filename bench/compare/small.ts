// Checks of a small feed by the activities alone, in a process of its own: what each costs and how many statements it
// sends. `node bench/compare/small.ts DATABASE_URL POSTGRES_PID FOLDER` prints a SmallResult.
import { join } from 'node:path';
import { asyncLocalStorage, Context } from '@temporalio/activity';
import pg from 'pg';
import { pino } from 'pino';
import { createFolderBlobs } from '../../activities/blobs/folder-blobs.ts';
import { createActivities } from '../../activities/create-activities.ts';
import type { ActivityDeps } from '../../activities/deps.ts';
import { createGuard } from '../../outbound/guard.ts';
import { parseConfig } from '../../core/config.ts';
import { makeId } from '../../core/ids.ts';
import { parseAllowedNetworks } from '../../core/network/address-policy.ts';
import { openDatabase } from '../../db/driver/knex.ts';
import { insertRecord } from '../../db/records/records.ts';
import { cpuSecondsOf } from '../processes.ts';
import { startFileOrigin } from './file-origin.ts';
import { writeFeed } from './make-feed.ts';

export type SmallResult = Record<'unchanged' | 'changed', SmallCost>;

interface SmallCost {
  statements: number;
  workerCpuMs: number;
  postgresCpuMs: number;
}

const ROWS = 500;
const CHECKS = 200;
const [databaseUrl = '', postgres = '', folder = ''] = process.argv.slice(2);
const files = [join(folder, 'small-1.csv'), join(folder, 'small-2.csv')] as const;
for (const version of [1, 2] as const) {
  await writeFeed(files[version - 1] ?? '', { rows: ROWS, format: 'csv', version });
}

let statements = 0;
// Called with the client that it was called on.
// oxlint-disable-next-line typescript/unbound-method
const send = pg.Client.prototype.query;
// Every statement passes here, COPY and the ends of transactions too.
pg.Client.prototype.query = function query(this: pg.Client, ...args: unknown[]) {
  statements += 1;
  return Reflect.apply(send, this, args) as unknown;
} as typeof send;

const db = openDatabase(databaseUrl, { poolSize: 2 });
const origin = await startFileOrigin('text/csv');
const deps: ActivityDeps = {
  db,
  blobs: createFolderBlobs(join(folder, 'small-blobs')),
  guard: createGuard(parseAllowedNetworks(['127.0.0.0/8'])),
  anonymousGuard: createGuard(parseAllowedNetworks([])),
  config: parseConfig({}),
  log: pino({ level: 'silent' }),
  temporal: undefined as never, // only reconciling has use for it
  spoolDir: join(folder, 'small-spool'),
};
const { fetchSource, recordDelta } = createActivities(deps);
const newId = (kind: 'record' | 'check') => makeId(kind, Date.now(), crypto.randomUUID());
const recordId = newId('record');
const accountId = String(await db('accounts').limit(1).pluck('id'));
await insertRecord(db, {
  id: recordId, accountId, slug: 'small', name: 'Small', url: origin.url, tier: 'max', format: 'csv',
  delimiter: null, rowsPath: null, keyFields: ['id'], ignoreFields: [], checkIntervalSeconds: 3_600,
}); // prettier-ignore

async function check(file: string): Promise<void> {
  origin.serve(file);
  const input = { recordId, checkId: newId('check'), trigger: 'schedule' } as const;
  const fetched = await fetchSource(input);
  if (fetched.kind === 'fetched') await recordDelta({ ...input, ...fetched });
}

async function costOf(fileOf: (round: number) => string): Promise<SmallCost> {
  for (let round = 0; round < CHECKS / 4; round++) await check(fileOf(round));
  statements = 0;
  const [began, postgresBegan] = [process.cpuUsage(), cpuSecondsOf(Number(postgres))];
  for (let round = 0; round < CHECKS; round++) await check(fileOf(round));
  const { user, system } = process.cpuUsage(began);
  return {
    statements: statements / CHECKS,
    workerCpuMs: (user + system) / 1_000 / CHECKS,
    postgresCpuMs: ((cpuSecondsOf(Number(postgres)) - postgresBegan) * 1_000) / CHECKS,
  };
}

/** What the activities use of it: attempt, heartbeat, cancellation. */
const context = new Context(
  { attempt: 1 } as Context['info'],
  new Promise<never>(() => undefined),
  new AbortController().signal,
  () => undefined,
  undefined,
  undefined as never,
  undefined as never,
  {},
);
await asyncLocalStorage.run(context, async () => {
  const changed = await costOf((round) => files[round % 2 === 0 ? 0 : 1]);
  const unchanged = await costOf(() => files[0]);
  const result: SmallResult = { unchanged, changed };
  console.log(JSON.stringify(result));
});
await db('records').where({ id: recordId }).delete();
await db.destroy();
await origin.close();
