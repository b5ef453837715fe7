// Upgrades a cluster under load and goes back, as docs/operations.md says: `npm run upgrade-drill`. No request fails, no
// workflow task is non-deterministic, and no event or delivery is lost or doubled.
//
// UPGRADE_FROM names the commit to start from and to go back to; UPGRADE_VERSIONED=1 gives the workers of this version build
// ids, and adds a move to another build and back; UPGRADE_ROUNDS (1) repeats all; UPGRADE_SEED (1) sets the random tables.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Database, openDatabase } from '../../db/driver/knex.ts';
import { type ChangingRecords, watchChangingRecords } from '../support/checks/changing-records.ts';
import { until } from '../support/until.ts';
import { type Deployed, type DrillCluster, startDrillCluster } from './cluster.ts';
import { expectPromisesKept, expectUpgraded } from './expect-upgraded.ts';
import { createCall } from '../support/plain-call.ts';
import { type Load, startLoad } from './load.ts';
import { obtainVersion, PRESENT, type Version } from './version.ts';

const FROM = process.env['UPGRADE_FROM'] ?? '';
const IS_VERSIONED = process.env['UPGRADE_VERSIONED'] === '1';
const ROUNDS = Number(process.env['UPGRADE_ROUNDS'] ?? 1);
const SEED = Number(process.env['UPGRADE_SEED'] ?? 1);
const RECORDS = 10;
const MINUTE_MS = 60_000;

let old: Version;
let cluster: DrillCluster;
let db: Database;
let apiKey: string;
let records: ChangingRecords;
let load: Load;
/** One line for each step, for the table. */
const steps: Record<string, string | number>[] = [];

beforeAll(async () => {
  if (FROM === '') throw new Error('UPGRADE_FROM must name the commit to upgrade from.');
  old = await obtainVersion(FROM);
  cluster = await startDrillCluster();
  cluster.command(old, ['migrate']);
  const account = cluster.command(old, ['account', 'create', '--name', 'Drill', '--json']);
  apiKey = (JSON.parse(account) as { apiKey: { key: string } }).apiKey.key;
  db = openDatabase(cluster.databaseUrl, { poolSize: 5, statementTimeoutMs: MINUTE_MS });
  await cluster.startAll({ version: old });
  const amount = { seed: SEED, records: RECORDS, webhooks: 2, checkSeconds: 2 };
  records = await watchChangingRecords(subject(), amount);
}, 30 * MINUTE_MS);

afterAll(async () => {
  await load?.stop();
  await records?.close();
  await db?.destroy();
  await cluster?.stop();
}, 5 * MINUTE_MS);

const subject = () => ({ call, database: { db } });

const call = createCall(() => ({ baseUrl: cluster.baseUrl, apiKey }));

const countChecks = async (): Promise<number> => {
  const [heads] = await db('record_heads').sum<{ sum: string }[]>({ sum: 'check_number' });
  return Number(heads?.sum);
};

/** Does a step under load, and continues until records have been checked and callers been answered after it. */
async function step(name: string, work: () => Promise<unknown>): Promise<void> {
  const before = { sent: load.sent(), failed: load.failures.length, checks: await countChecks() };
  const startedAtMs = Date.now();
  await work();
  const after = { sent: load.sent(), checks: await countChecks() };
  await until('records are checked', async () => (await countChecks()) > after.checks + 2 * RECORDS);
  await until('callers are answered', () => load.sent() > after.sent + 50);
  steps.push({
    step: name,
    seconds: Math.round((Date.now() - startedAtMs) / 1_000),
    requests: load.sent() - before.sent,
    failed: load.failures.length - before.failed,
    checks: (await countChecks()) - before.checks,
  });
}

async function upgrade(deployed: Deployed): Promise<void> {
  await step('migrate', async () => cluster.command(deployed.version, ['migrate']));
  await step('APIs to the new version', () => cluster.replaceApis(deployed));
  await step('workers to the new version', () => cluster.replaceWorkers(deployed));
}

async function rollBack(deployed: Deployed): Promise<void> {
  await step('workers back', () => cluster.replaceWorkers(deployed));
  await step('APIs back', () => cluster.replaceApis(deployed));
  await step('migrate of the old version', async () => cluster.command(deployed.version, ['migrate']));
}

async function runRound(): Promise<void> {
  await step('only the old version', () => pause(10_000));
  if (!IS_VERSIONED) await upgrade({ version: PRESENT });
  else {
    await upgrade({ version: PRESENT, buildId: 'first' });
    const to = (buildId: string) => () => cluster.replaceWorkers({ version: PRESENT, buildId });
    await step('workers to a second build', to('second'));
    await step('workers back to the first build', to('first'));
  }
  await step('only the new version', () => pause(10_000));
  await rollBack({ version: old });
}

describe(`from ${FROM} to this version and back`, () => {
  it(
    'no request fails, and every change is on record and delivered once',
    { timeout: 60 * MINUTE_MS },
    async () => {
      records.stir();
      load = startLoad(
        call,
        records.watched.map(({ id }) => id),
        records.stillUrl,
      );
      for (let round = 1; round <= ROUNDS; round += 1) await runRound();
      console.table(steps);
      await expectUpgraded(subject(), { load, records, histories: cluster, report: console.log });
    },
  );

  it('every record that was created and every check that was promised is there', () =>
    expectPromisesKept(subject(), load, records));
});
