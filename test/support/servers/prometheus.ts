// Prometheus as a process, on machines that have it, with the rules of deploy/observability: at the speed of a test, or as they are.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../../../cli/programs/cache.ts';
import { programsOnPath } from '../../../cli/programs/on-path.ts';
import { startChild } from '../../../cli/process/start-child.ts';
import { freePort } from './free-port.ts';
import { until } from '../until.ts';

export const ALERT_RULES = new URL('../../../deploy/observability/alerts.yml', import.meta.url);

/** On PATH, or Debian's package unpacked in the cache folder (docs/operations.md). */
export function findProgram(name: 'prometheus' | 'promtool'): string | undefined {
  const unpacked = join(cacheFolder(), 'prometheus', 'usr', 'bin', name);
  return programsOnPath(name)[0] ?? (existsSync(unpacked) ? unpacked : undefined);
}

export interface Prometheus {
  /** Names of the alerts that fire now. */
  firing: () => Promise<Set<string>>;
  /** Names of the alerts that have fired since it started. */
  fired: () => Promise<string[]>;
  stop: () => Promise<void>;
}

/** @param targets addresses by job */
export const startPrometheus = (
  command: string,
  targets: Readonly<Record<string, string>>,
): Promise<Prometheus> =>
  start(command, {
    interval: '1s',
    rules: quickened(readFileSync(ALERT_RULES, 'utf8')),
    jobs: Object.entries(targets).map(([job, target]) => ({
      job_name: job,
      static_configs: [{ targets: [target] }],
    })),
  });

/** With the rules and the intervals that operators have. @param targetFile as `npm run cluster` writes it */
export const startUsualPrometheus = (command: string, targetFile: string): Promise<Prometheus> =>
  start(command, {
    interval: '15s',
    rules: readFileSync(ALERT_RULES, 'utf8'),
    jobs: [{ job_name: 'cluster', file_sd_configs: [{ files: [targetFile] }] }],
  });

interface Settings {
  /** Between two scrapes, and between two evaluations of the rules. */
  interval: string;
  /** YAML. */
  rules: string;
  jobs: readonly object[];
}

async function start(command: string, { interval, rules, jobs }: Settings): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'recordwatch-prometheus-'));
  const port = await freePort();
  // JSON is YAML.
  const config = {
    global: { scrape_interval: interval, scrape_timeout: '1s', evaluation_interval: interval },
    rule_files: ['alerts.yml'],
    scrape_configs: jobs,
  };
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  writeFileSync(join(folder, 'alerts.yml'), rules);
  const child = await startChild({
    name: 'Prometheus',
    command,
    args: [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    env: {},
    logFile: join(folder, 'prometheus.log'),
  });
  const base = `http://127.0.0.1:${port}`;
  await until('Prometheus is ready', () =>
    fetch(`${base}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    firing: async () => {
      const answer = (await (await fetch(`${base}/api/v1/alerts`)).json()) as AlertsAnswer;
      const active = answer.data.alerts.filter(({ state }) => state === 'firing');
      return new Set(active.map(({ labels }) => labels.alertname));
    },
    fired: async () => {
      const query = 'count by (alertname) (count_over_time(ALERTS{alertstate="firing"}[1w]))';
      const answer = (await (
        await fetch(`${base}/api/v1/query?query=${encodeURIComponent(query)}`)
      ).json()) as FiredAnswer;
      return answer.data.result.map(({ metric }) => metric.alertname);
    },
    stop: async () => {
      await child.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface AlertsAnswer {
  data: { alerts: { state: string; labels: { alertname: string } }[] };
}

interface FiredAnswer {
  data: { result: { metric: { alertname: string } }[] };
}

/** Rates over five seconds instead of minutes, and no wait before an alert fires. Thresholds stay. */
const quickened = (rules: string): string =>
  rules
    // Reconciling runs once a minute.
    .replaceAll(/(reconcile"\})\[\w+\]/g, '$1[70s]')
    // Tests prune every 20 seconds.
    .replaceAll(/(?<start>pruneHistory"\}(?:\[| offset ))3h/g, '$<start>30s')
    .replaceAll(/\[\d+m\]/g, '[5s]')
    .replaceAll(/offset \d+m/g, 'offset 5s')
    .replaceAll(/for: \w+/g, 'for: 0s');
