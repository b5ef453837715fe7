// Upgrades a cluster under load and goes back, as docs/operations.md says: `npm run upgrade-drill`. No request fails, no
// workflow task is non-deterministic, and no event or delivery is lost or doubled.
//
// UPGRADE_FROM names the commit to start from and to go back to; UPGRADE_VERSIONED=1 gives the workers of this version build
// ids, and adds a move to another build and back; UPGRADE_ROUNDS (1) repeats all; UPGRADE_SEED (1) sets the random tables.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../db/driver/knex.ts';
import { shortChecksSql, shortRowsSql } from '../../db/unchanged-checks.ts';
import { type ChangingRecords, watchChangingRecords } from '../support/checks/changing-records.ts';
import {
  expectNothingStuck,
  expectOneEventPerCheck,
  expectTrueDeliveries,
  expectTrueEvents,
} from '../support/checks/expect-truth.ts';
import { type Answer, readAll } from '../support/servers/system.ts';
import { until } from '../support/until.ts';
import { type Deployed, type DrillCluster, startDrillCluster } from './cluster.ts';
import { failedTasks } from './failed-tasks.ts';
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

/** Not the tests' own: the answers of another version are not those that this one declares. */
async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${cluster.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(MINUTE_MS),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? {} : JSON.parse(text),
  };
}

const countChecks = async (): Promise<number> => {
  const [heads] = await db('record_heads').sum<{ sum: string }[]>({ sum: 'check_number' });
  return Number(heads?.sum);
};

/** Does a step under load, and goes on until records have been checked and callers been answered after it. */
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
      await load.stop();
      records.rest();
      await until('all is on record and delivered', records.isOnRecord, { everyMs: 1_000 });
      await expectNothingStuck(subject(), cluster.temporal, records);
      await records.endChecks();
      let changes = 0;
      for (const one of records.watched) {
        changes += (await expectTrueEvents(subject(), one)).length - 1;
        await expectOneEventPerCheck(subject(), one);
      }
      await expectTrueDeliveries(subject(), records);
      const failed = await failedTasks(cluster);
      console.table(steps);
      console.log({ changes, deliveries: records.accepted.size, ...failed, failures: load.failures });
      expect(changes).toBeGreaterThan(RECORDS);
      expect(load.failures).toEqual([]);
      expect(failed).toMatchObject({ nonDeterministic: 0, restarted: 0 });
    },
  );

  it('every record that was created and every check that was promised is there', async () => {
    expect(load.created.length).toBeGreaterThan(10);
    for (const id of load.created) {
      const events = await readAll({ call }, `/v1/sources/${id}/delta`, 'events');
      expect(events).toMatchObject([{ number: 1, totalCount: 1 }]);
    }
    expect(load.promised.length).toBeGreaterThan(10);
    const made = new Set<string>();
    for (const { id } of records.watched) {
      const checks = await db.raw<{ rows: { id: string }[] }>(
        `select id from checks where record_id = :id
         union all select id from (${shortChecksSql(shortRowsSql(':id'), ':id')}) short`,
        { id },
      );
      for (const check of checks.rows) made.add(check.id);
    }
    expect(load.promised.filter((id) => !made.has(id))).toEqual([]);
  });
});
