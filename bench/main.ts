// `npm run bench`: measures the system that `npm start` runs, and prints one table. Takes about ten minutes.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { measureApi } from './api/measure-api.ts';
import { measureCold } from './cold.ts';
import { measureCompare } from './compare/measure-compare.ts';
import { measureDashboard } from './dashboard/measure-dashboard.ts';
import { measureDeliveries } from './deliveries/measure-deliveries.ts';
import { measureDeliveryLatency } from './delivery-latency.ts';
import { measureDripping } from './dripping.ts';
import { measureExport } from './export/measure-export.ts';
import { measureFleet } from './fleet/measure-fleet.ts';
import { measureMcp } from './mcp/measure-mcp.ts';
import { measureMemoryAtRest } from './memory-at-rest.ts';
import { startOrigin } from './origin.ts';
import { reportText, type Results } from './report.ts';
import { startSystem, type System } from './system.ts';
import { measureTables } from './tables.ts';

/** The smallest interval that a record may have, so that plans of a fleet are never what limits. */
const FLEET_SETTINGS = {
  MIN_CHECK_SECONDS: '0.001',
  // All records share an origin.
  ORIGIN_CONCURRENCY: '1000',
  ORIGIN_SPACING_SECONDS: '0',
};

/** The interval is the one that is asked for. */
const COLD_SETTINGS = { ...FLEET_SETTINGS, MIN_CHECK_SECONDS: '1' };

/** What fails waits for as long as it is looked at. */
const DELIVERY_SETTINGS = { DELIVERY_SCHEDULE: '3h,3h' };

interface Options {
  json?: true;
  only?: string;
  rounds: string;
  rows: string;
  changes: string;
  origins: string;
  checks: string;
  rest: string;
  records: string;
  interval: string;
  shards: string;
}

const options: Options = new Command('bench')
  .option('--json', 'print JSON instead of a table')
  .option(
    '--only <part>',
    'memory, api, mcp, export, compare, dashboard, deliveries, dripping, tables, latency, fleet or cold',
  )
  .option(
    '--rounds <number>',
    'rounds of fleet, API, export, checks and deliveries, after one to warm up',
    '4',
  )
  .option('--rows <numbers>', 'sizes of the feeds that are compared', '10000,100000,1000000')
  .option('--changes <number>', 'changes whose delivery is timed', '150')
  .option('--origins <number>', 'origins that drip while checks are timed', '300')
  .option('--checks <number>', 'unchanged checks whose rows are measured', '100000')
  .option('--rest <seconds>', 'how long the system rests before its memory is read', '60')
  .option('--records <number>', 'records that are checked cold', '20000')
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
    const coldOrigin = await startOrigin();
    await within(startSystem(join(folder, 'cold'), COLD_SETTINGS, shape), async (system) => {
      await assertDurable(system);
      await pauseDemo(system);
      const cold = { records: Number(options.records), intervalSeconds: Number(options.interval) };
      results.cold = await measureCold(system, coldOrigin, cold, report);
    });
    await coldOrigin.close();
  }
  if (isWanted('tables')) results.tables = await measureTables(folder, Number(options.checks), report);
  if (!isWanted('latency') && !isWanted('fleet')) return;
  const origin = await startOrigin();
  await within(startSystem(home, FLEET_SETTINGS), async (system) => {
    await assertDurable(system);
    await pauseDemo(system);
    if (isWanted('latency')) {
      report(`latency: ${options.changes} changes`);
      results.latenciesMs = await measureDeliveryLatency(system, origin, Number(options.changes));
    }
    if (isWanted('fleet')) {
      results.fleet = await measureFleet(system, origin, Number(options.rounds), report);
    }
  });
  await origin.close();
}

/** The demonstration's own checks would be measured too. */
async function pauseDemo({ api, dev }: System): Promise<void> {
  await api.call('POST', `/v1/sources/${dev.demo.sourceId}/pause`);
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
