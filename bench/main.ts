// `npm run bench`: measures the system that `npm start` runs, and prints one table.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { measureApi } from './api/measure-api.ts';
import { measureReads } from './api/measure-reads.ts';
import { measureChanges } from './changes.ts';
import { measureColds } from './cold.ts';
import { measureCompare } from './compare/measure-compare.ts';
import { measurePaired } from './compare/measure-paired.ts';
import { measureRuled } from './compare/measure-ruled.ts';
import { measureDashboard } from './dashboard/measure-dashboard.ts';
import { measureBodies } from './deliveries/measure-bodies.ts';
import { measureDeliveries } from './deliveries/measure-deliveries.ts';
import { measureDeliveryLatency } from './delivery-latency.ts';
import { measureDiff } from './diff/measure-diff.ts';
import { measureDripping } from './dripping.ts';
import { measureExport } from './export/measure-export.ts';
import { measureFairness } from './fairness.ts';
import { measureFleet } from './fleet/measure-fleet.ts';
import { measureLarge } from './large/measure-large.ts';
import { measureMcp } from './mcp/measure-mcp.ts';
import { measureMemoryAtRest } from './memory-at-rest.ts';
import { measureMetricsCost } from './metrics-cost.ts';
import { startOrigin } from './origin.ts';
import { measureOriginRate, RATE_SETTINGS } from './origin-rate.ts';
import { reportText, type Results } from './report.ts';
import { startSystem, type System } from './system.ts';
import { measurePartitions } from './pruning/partitions.ts';
import { measurePruning } from './pruning/measure-pruning.ts';
import { measureTables } from './tables.ts';
import { measureTemporalLoss } from './temporal-loss.ts';

/** The smallest interval that a record may have, so that plans of a fleet are never what limits. */
const FLEET_SETTINGS = {
  MIN_CHECK_SECONDS: '0.001',
  // All records share an origin.
  ORIGIN_CONCURRENCY: '1000',
  ORIGIN_SPACING_SECONDS: '0',
};

/** The interval is the one that is asked for. */
const COLD_SETTINGS = { ...FLEET_SETTINGS, MIN_CHECK_SECONDS: '1' };

/** No failed delivery is retried while the bench measures. */
const DELIVERY_SETTINGS = { DELIVERY_SCHEDULE: '3h,3h' };

interface Options {
  json?: true;
  only?: string;
  beside?: string;
  rounds: string;
  rows: string;
  changes: string;
  origins: string;
  checks: string;
  rest: string;
  records: string;
  hours: string;
  interval: string;
  shards: string;
}

const options: Options = new Command('bench')
  .option('--json', 'print JSON instead of a table')
  .option(
    '--only <part>',
    'memory, api, mcp, export, compare, rules, pairing, diff, dashboard, changes, deliveries, bodies, dripping, tables, pruning, partitions, latency, fleet, large, reads, fairness, origin-rate, metrics-cost, temporal-loss or cold',
  )
  .option(
    '--rounds <number>',
    'rounds of fleet, API, export, checks and deliveries, after one to warm up; of fairness and metrics-cost',
    '4',
  )
  .option('--rows <numbers>', 'sizes of the feeds that are compared', '10000,100000,1000000')
  .option(
    '--beside <checkout>',
    'another checkout, whose system is measured in turns: for changes, cold and large',
  )
  .option('--changes <number>', 'changes whose delivery is timed', '150')
  .option('--origins <number>', 'origins that drip while checks are timed', '300')
  .option('--checks <number>', 'unchanged checks whose rows are measured', '100000')
  .option('--rest <seconds>', 'how long the system rests before its memory is read', '60')
  .option(
    '--records <number>',
    'records that are checked cold, pruned, beside those that are read, due beside those of another account, or without a workflow',
    '20000',
  )
  .option(
    '--hours <number>',
    'hours of checks of each record that are pruned, or beside those that are read',
    '24',
  )
  .option('--interval <seconds>', 'between two cold checks of a record', '3600')
  .option('--shards <number>', 'history shards of Temporal under cold checks', '512')
  .parse()
  .opts();

const report = (text: string): void => void process.stderr.write(`… ${text}\n`);
const isWanted = (part: string): boolean => options.only === undefined || options.only === part;

/** Part by part, so that one that fails does not cost what was measured before it. */
async function measure(folder: string, results: Results): Promise<void> {
  const home = join(folder, 'home');
  if (isWanted('memory')) {
    await within(startSystem(home), async (system) => {
      report(`memory: ${options.rest} s at rest`);
      results.memory = await measureMemoryAtRest(system, Number(options.rest));
    });
  }
  if (isWanted('api')) {
    await within(startSystem(join(folder, 'api')), async (system) => {
      await pauseDemo(system);
      results.api = await measureApi(system, Number(options.rounds), report);
    });
  }
  if (isWanted('mcp')) {
    await within(startSystem(join(folder, 'mcp')), async (system) => {
      await pauseDemo(system);
      results.mcp = await measureMcp(system, Number(options.rounds), report);
    });
  }
  if (isWanted('export')) {
    await within(startSystem(join(folder, 'export')), async (system) => {
      await pauseDemo(system);
      results.export = await measureExport(system, Number(options.rounds), report);
    });
  }
  if (isWanted('deliveries')) {
    await within(startSystem(join(folder, 'deliveries'), DELIVERY_SETTINGS), async (system) => {
      await assertDurable(system);
      await pauseDemo(system);
      results.deliveries = await measureDeliveries(system, Number(options.rounds), report);
    });
  }
  if (isWanted('bodies')) {
    await within(startSystem(join(folder, 'bodies'), DELIVERY_SETTINGS), async (system) => {
      await assertDurable(system);
      await pauseDemo(system);
      results.bodies = await measureBodies(system, Number(options.rounds), report);
    });
  }
  if (isWanted('changes')) {
    const changing = await startOrigin();
    const settings = { ...COLD_SETTINGS, RATE_LIMIT_FACTOR: '1000' };
    await withBoth(folder, 'changes', settings, async (systems) => {
      results.changes = await measureChanges(systems, changing, Number(options.rounds), report);
    });
    await changing.close();
  }
  if (isWanted('dashboard')) {
    await within(startSystem(join(folder, 'dashboard')), async (system) => {
      await pauseDemo(system);
      results.dashboard = await measureDashboard(system, folder, Number(options.rounds), report);
    });
  }
  if (isWanted('compare')) {
    await within(startSystem(join(folder, 'compare')), async (system) => {
      await pauseDemo(system);
      results.compare = [];
      for (const rows of options.rows.split(',').map(Number)) {
        for (const format of ['csv', 'jsonl'] as const) {
          const size = { rows, format, rounds: Number(options.rounds) };
          results.compare.push(await measureCompare(system, folder, size, report));
        }
      }
    });
  }
  if (options.only === 'rules') {
    await within(startSystem(join(folder, 'rules')), async (system) => {
      await pauseDemo(system);
      results.ruled = [];
      for (const rows of options.rows.split(',').map(Number)) {
        for (const format of ['csv', 'jsonl'] as const) {
          const size = { rows, format, rounds: Number(options.rounds) };
          results.ruled.push(await measureRuled(system, folder, size, report));
        }
      }
    });
  }
  if (options.only === 'pairing') {
    await within(startSystem(join(folder, 'pairing')), async (system) => {
      await pauseDemo(system);
      results.paired = [];
      for (const rows of options.rows.split(',').map(Number)) {
        for (const format of ['csv', 'jsonl'] as const) {
          const size = { rows, format, rounds: Number(options.rounds) };
          results.paired.push(await measurePaired(system, folder, size, report));
        }
      }
    });
  }
  if (isWanted('dripping')) {
    const keys = `bench:${randomBytes(32).toString('base64')}`;
    const settings = {
      ...FLEET_SETTINGS,
      RATE_LIMIT_FACTOR: '1000',
      KEY_ENCRYPTION_KEYS: keys,
      // A third of the origins drip for anonymous records.
      ANONYMOUS_ADDRESSES: '127.0.0.0/8',
    };
    await within(startSystem(join(folder, 'dripping'), settings), async (system) => {
      await pauseDemo(system);
      results.dripping = await measureDripping(system, { keys, origins: Number(options.origins) }, report);
    });
  }
  // Hours: only when it is asked for.
  if (options.only === 'cold') {
    const shape = ['cluster', '--apis', '1', '--workers', '1', '--shards', options.shards] as const;
    const cold = { records: Number(options.records), intervalSeconds: Number(options.interval) };
    const work = async (systems: System[]): Promise<void> => {
      results.cold = await measureColds(systems, cold, report);
    };
    await withBoth(folder, 'cold', COLD_SETTINGS, work, shape);
  }
  if (options.only === 'temporal-loss') {
    const settings = { ...COLD_SETTINGS, RATE_LIMIT_FACTOR: '1000' };
    const shape = ['cluster', '--apis', '1', '--workers', '1'] as const;
    await within(startSystem(join(folder, 'temporal-loss'), settings, shape), async (system) => {
      await assertDurable(system);
      await pauseDemo(system);
      results.temporalLoss = await measureTemporalLoss(system, Number(options.records), report);
    });
  }
  await measureLong(folder, results);
  if (isWanted('tables')) results.tables = await measureTables(folder, Number(options.checks), report);
  if (!isWanted('latency') && !isWanted('fleet')) return;
  const origin = await startOrigin();
  await within(startSystem(home, FLEET_SETTINGS), async (system) => {
    await assertDurable(system);
    await pauseDemo(system);
    if (isWanted('latency')) {
      report(`latency: ${options.changes} changes`);
      results.latency = await measureDeliveryLatency(system, origin, Number(options.changes));
    }
    if (isWanted('fleet')) {
      results.fleet = await measureFleet(system, origin, Number(options.rounds), report);
    }
  });
  await origin.close();
}

/** Long ones: only when they are asked for. */
async function measureLong(folder: string, results: Results): Promise<void> {
  if (options.only === 'pruning') {
    const size = { records: Number(options.records), hours: Number(options.hours) };
    results.pruning = await measurePruning(folder, size, report);
  }
  if (options.only === 'large') {
    await withBoth(folder, 'large', {}, async (systems) => {
      results.large = [];
      for (const rows of options.rows.split(',').map(Number)) {
        const size = { rows, rounds: Number(options.rounds) };
        results.large.push(await measureLarge(systems, folder, size, report));
      }
    });
  }
  if (options.only === 'reads') {
    await within(startSystem(join(folder, 'reads-few')), async (few) => {
      await within(startSystem(join(folder, 'reads-many')), async (many) => {
        for (const system of [few, many]) await pauseDemo(system);
        const fleet = { records: Number(options.records), checks: Number(options.hours), rows: 20 };
        results.reads = await measureReads({ few, many }, fleet, Number(options.rounds), report);
      });
    });
  }
  await measureWorkers(folder, results);
  if (options.only === 'diff') {
    results.diff = [];
    for (const rows of options.rows.split(',').map(Number)) {
      const size = { rows, rounds: Number(options.rounds) };
      results.diff.push(await measureDiff(folder, size, report));
    }
  }
  if (options.only === 'partitions') results.partitions = await measurePartitions(folder, report);
}

/** What several workers or accounts do to each other: only when it is asked for. */
async function measureWorkers(folder: string, results: Results): Promise<void> {
  const keys = `bench:${randomBytes(32).toString('base64')}`;
  const rounds = Number(options.rounds);
  const run = async (
    base: Record<string, string>,
    work: (system: System, settings: Record<string, string>) => Promise<void>,
  ) => {
    const settings = { ...base, KEY_ENCRYPTION_KEYS: keys };
    await within(startSystem(join(folder, 'workers'), settings), async (system) => {
      await assertDurable(system);
      await pauseDemo(system);
      await work(system, settings);
    });
  };
  if (options.only === 'fairness') {
    await run(FLEET_SETTINGS, async (system) => {
      const size = { records: Number(options.records), rounds, keys };
      results.fairness = await measureFairness(system, size, report);
    });
  }
  if (options.only === 'origin-rate') {
    await run(RATE_SETTINGS, async (system, settings) => {
      results.originRate = await measureOriginRate(system, settings, report);
    });
  }
  if (options.only === 'metrics-cost') {
    await run(FLEET_SETTINGS, async (system, settings) => {
      results.metricsCost = await measureMetricsCost(system, settings, rounds, report);
    });
  }
}

/** The demonstration's own checks would be measured too. */
async function pauseDemo({ api, dev }: System): Promise<void> {
  await api.call('POST', `/v1/sources/${dev.demo.sourceId}/pause`);
}

/** Runs this checkout's system, and the one of the other checkout if there is one. */
async function withBoth(
  folder: string,
  name: string,
  settings: Record<string, string>,
  work: (systems: System[]) => Promise<void>,
  script?: readonly [string, ...string[]],
): Promise<void> {
  const { beside } = options;
  await within(startSystem(join(folder, name), settings, script), async (system) => {
    await assertDurable(system);
    await pauseDemo(system);
    if (beside === undefined) return work([system]);
    const besideFolder = join(folder, `${name}-beside`);
    await within(startSystem(besideFolder, settings, script, resolve(beside)), async (other) => {
      await pauseDemo(other);
      await work([system, other]);
    });
  });
}

/** Stops the system also when the work fails. */
async function within(starting: Promise<System>, work: (system: System) => Promise<void>): Promise<void> {
  report('starting the system');
  const system = await starting;
  try {
    await work(system);
  } finally {
    await system.stop();
  }
}

/** A rate without durable commits would say nothing. @throws Error when a setting is off */
async function assertDurable({ db }: System): Promise<void> {
  const wanted = ['fsync', 'synchronous_commit', 'full_page_writes'];
  const off = await db('pg_settings').whereIn('name', wanted).where('setting', 'off').pluck('name');
  if (off.length > 0) throw new Error(`PostgreSQL is not durable: ${off.join(', ')} is off`);
}

function describeMachine(): string {
  const [cpu] = cpus();
  const gib = (totalmem() / 1024 ** 3).toFixed(0);
  return `${cpus().length} × ${cpu?.model ?? 'CPU'}, ${gib} GiB, Linux ${release()}, Node ${process.version}`;
}

if (process.platform !== 'linux') throw new Error('It reads /proc, which only Linux has');
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const folder = mkdtempSync(join(tmpdir(), 'recordwatch-bench-'));
const results: Results = { machine: describeMachine() };
try {
  await measure(folder, results);
} finally {
  console.log(options.json ? JSON.stringify(results, null, 2) : `\n${reportText(results)}`);
  rmSync(folder, { recursive: true, force: true });
}
