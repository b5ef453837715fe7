// `npm run soak -- --hours 2`: runs a cluster under a steady load, and says of memory, open files, histories, workflows and
// tables whether they level off. docs/reliability.md has the figures.
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { Command } from 'commander';
import { cpuSecondsOf } from '../processes.ts';
import { startSystem, type System } from '../system.ts';
import { startSoakLoad } from './load.ts';
import { findProgram, startUsualPrometheus } from '../../test/support/servers/prometheus.ts';
import { judge, soakTable } from './report.ts';
import { type Sample, takeSample } from './sample.ts';

interface Options {
  hours: string;
  records: string;
  interval: string;
  every: string;
  apis: string;
  workers: string;
  shards: string;
  out: string;
  alerts?: true;
}

const options: Options = new Command('soak')
  .option('--hours <number>', 'how long', '2')
  .option('--records <number>', 'records that are checked', '60')
  .option('--interval <seconds>', 'between two checks of a record', '20')
  .option('--every <seconds>', 'between two samples', '30')
  .option('--apis <number>', 'APIs', '2')
  .option('--workers <number>', 'workers', '2')
  .option('--shards <number>', 'history shards of Temporal', '64')
  .option('--alerts', 'run Prometheus with the alert rules beside it; an alert that fires is a failure')
  .option('--out <file>', 'gets a line of JSON for each sample', 'soak.jsonl')
  .parse()
  .opts();

const prometheusProgram = findProgram('prometheus');
if (options.alerts && prometheusProgram === undefined) throw new Error('Prometheus is not installed');

const folder = mkdtempSync(join(tmpdir(), 'recordwatch-soak-'));
const settings = {
  MIN_CHECK_SECONDS: '1',
  // All records share an origin.
  ORIGIN_CONCURRENCY: '1000',
  ORIGIN_SPACING_SECONDS: '0',
  RATE_LIMIT_FACTOR: '1000',
};
const { apis, workers, shards } = options;
const shape = ['cluster', '--apis', apis, '--workers', workers, '--shards', shards] as const;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const system = await startSystem(join(folder, 'home'), settings, shape);
try {
  await soak(system);
} finally {
  await system.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function soak({ dev, ...rest }: System): Promise<void> {
  const connection = await Connection.connect({ address: dev.temporalAddress });
  const temporal = new Client({ connection, namespace: dev.temporalNamespace });
  const given = { records: Number(options.records), intervalSeconds: Number(options.interval) };
  const load = await startSoakLoad({ dev, ...rest }, given);
  const samples: Sample[] = [];
  const prometheus =
    options.alerts && prometheusProgram !== undefined
      ? await startUsualPrometheus(prometheusProgram, join(rest.home, 'metrics-targets.json'))
      : undefined;
  const startedAtMs = Date.now();
  const endAtMs = startedAtMs + Number(options.hours) * 3_600_000;
  const cpuSeconds = () => Object.values(dev.pids).reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
  const cpuBefore = cpuSeconds();
  do {
    const sample = await takeSample({ dev, ...rest }, temporal);
    samples.push(sample);
    appendFileSync(options.out, `${JSON.stringify(sample)}\n`);
    await pause(Number(options.every) * 1_000);
  } while (Date.now() < endAtMs);
  const seconds = (Date.now() - startedAtMs) / 1_000;
  const checks = (samples.at(-1)?.checks ?? 0) - (samples[0]?.checks ?? 0);
  const fired = await prometheus?.fired();
  await prometheus?.stop();
  await load.stop();
  await connection.close();
  const verdicts = judge(samples);
  console.log(soakTable(verdicts));
  console.log(
    [
      `${(seconds / 60).toFixed(0)} minutes, ${checks} checks (${(checks / seconds).toFixed(1)} a second)`,
      `${load.deliveries()} deliveries, ${load.calls()} calls, ${load.failures()} of them failed`,
      `${((cpuSeconds() - cpuBefore) / seconds).toFixed(2)} cores used by the cluster`,
    ].join(', '),
  );
  if (fired !== undefined) console.log(`Alerts that fired: ${fired.join(', ') || 'none'}`);
  if (verdicts.some(({ isLevel }) => !isLevel) || load.failures() > 0 || (fired ?? []).length > 0)
    process.exitCode = 1;
}
