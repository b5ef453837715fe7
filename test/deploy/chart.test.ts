// Holds the Helm chart to docker-compose.yml and to the settings, by what Helm rendered when `npm run helm` ran last. Helm itself is
// not needed here.
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openBlobStore } from '../../activities/blobs/open-blob-store.ts';
import { REFUSED_IPV4, REFUSED_IPV6 } from '../../core/network/address-policy.ts';
import { COMPARED_AT_ONCE } from '../../activities/checks/check-deps.ts';
import { parseConfig, SETTINGS } from '../../core/config.ts';
import { ENTRY_BYTES } from '../../core/delta/raw/row-index.ts';
import { MOST_COLUMNS, NUMBER_BYTES } from '../../core/delta/raw/tolerant-columns.ts';
import { TIERS } from '../../core/tiers.ts';
import { GIVE_UP_AFTER_MS } from '../../outbound/connect-temporal.ts';
import { TASK_QUEUES } from '../../workflows/contract.ts';
import {
  CHART,
  chartFingerprint,
  type Container,
  type Example,
  EXAMPLES,
  type Manifest,
  RENDERED,
  renderedManifests,
} from './chart.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

interface Compose {
  services: Record<
    string,
    { command: string[]; environment: Record<string, string>; stop_grace_period?: string }
  >;
}
const { services }: Compose = parse(read('docker-compose.yml'), { merge: true });

const settingNames: string[] = Object.values(SETTINGS).map(({ name }) => name);

const WITH_PODS = ['Deployment', 'Job'];
const withPods = (example: Example): Manifest[] =>
  renderedManifests(example).filter(({ kind }) => WITH_PODS.includes(kind));

/** The pods of a component: `api`, `worker` or `migration`. */
const podsOf = (example: Example, component: string): Manifest['spec']['template'][] =>
  withPods(example)
    .map(({ spec }) => spec.template)
    .filter(({ metadata }) => metadata.labels['app.kubernetes.io/component'] === component);

function containerOf(example: Example, component: string): Container {
  const [container] = podsOf(example, component)[0]?.spec.containers ?? [];
  if (container === undefined) throw new Error(`${example} has no ${component}`);
  return container;
}

/** The fields of an operator's Secret. */
const SECRET: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://recordwatch:p4ss@postgres:5432/recordwatch',
  KEY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  BLOB_STORE: 's3://GK00:ff@recordwatch?endpoint=https://s3.example.com&region=eu',
  SMTP_URL: 'smtp://user:secret@mail.example.com:587',
  TEMPORAL_API_KEY: '',
  TEMPORAL_CODEC_KEYS: '',
};

const environmentOf = ({ env }: Container): Record<string, string> =>
  Object.fromEntries(
    env.map(({ name, value, valueFrom }) => [
      name,
      value ?? SECRET[valueFrom?.secretKeyRef.key ?? ''] ?? 'x'.repeat(40),
    ]),
  );

it('the kept renderings are of the chart as it is: run `npm run helm -- --update` after a change', () => {
  expect(readFileSync(`${RENDERED}/chart.sha256`, 'utf8')).toBe(chartFingerprint());
});

it('every file of example values is rendered', () => {
  const files = globSync('*.yaml', { cwd: `${CHART}/ci` }).map((file) => file.replace('-values.yaml', ''));
  expect(new Set(files)).toEqual(new Set(EXAMPLES));
});

const COMPONENTS = [
  ['api', 'api'],
  ['worker', 'worker'],
  ['migration', 'migrate'],
] as const;

describe.each(EXAMPLES)('the chart with the values %s', (example) => {
  it.each(COMPONENTS)('runs as %s what docker-compose.yml runs', (component, service) => {
    expect(containerOf(example, component).command).toEqual(services[service]?.command);
  });

  it.each(COMPONENTS)('gives %s only existing settings, each once', (component) => {
    const names = containerOf(example, component).env.map(({ name }) => name);
    expect(names).toHaveLength(new Set(names).size);
    const foreign = names.filter((name) => !settingNames.includes(name));
    expect(foreign).toEqual(example === 'full' ? ['OTEL_EXPORTER_OTLP_HEADERS'] : []);
  });

  it.each(COMPONENTS)('gives %s values that its settings accept', (component) => {
    const config = parseConfig(environmentOf(containerOf(example, component)));
    expect(config.databaseUrl).toBe(SECRET['DATABASE_URL']);
    if (component === 'migration') return;
    expect(config.keyEncryptionKeys.size).toBe(1);
    expect(config.blobStore).toBe(component === 'worker' ? SECRET['BLOB_STORE'] : '');
    expect(() => openBlobStore(config.blobStore, config.home)).not.toThrow();
    expect(config.allowAddresses).toEqual([]);
  });

  it('writes no secret into an object', () => {
    const text = readFileSync(`${RENDERED}/${example}.yaml`, 'utf8');
    expect(text).not.toMatch(/:\/\/\w+:[^@/\s:]+@/);
    const secret = containerOf(example, 'worker').env.filter(({ name }) => name in SECRET);
    expect(secret.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(SECRET)));
    for (const { name, value, valueFrom } of secret) {
      expect(value).toBeUndefined();
      expect(valueFrom?.secretKeyRef).toMatchObject({ name: 'recordwatch', key: name });
    }
  });

  it.each(['api', 'migration'])('regression: gives %s no keys of the blob store', (component) => {
    expect(containerOf(example, component).env.map(({ name }) => name)).not.toContain('BLOB_STORE');
  });

  it('regression: gives the API no account through which workers reach the blob store', () => {
    const accountOf = (component: string) =>
      podsOf(example, component).map(({ spec }) => spec.serviceAccountName);
    const [ofApi] = accountOf('api');
    expect(ofApi).toMatch(/./);
    expect(accountOf('worker')).not.toContain(ofApi);
    const made = renderedManifests(example).filter(({ kind }) => kind === 'ServiceAccount');
    const annotated = made.filter(({ metadata }) => metadata.annotations !== undefined);
    expect(annotated.map(({ metadata }) => metadata.name)).not.toContain(ofApi);
  });

  it('gives no container rights or a file system to write to', () => {
    const templates = withPods(example).map(({ spec }) => spec.template.spec);
    expect(templates.length).toBeGreaterThan(2);
    for (const { securityContext, automountServiceAccountToken, containers } of templates) {
      expect(automountServiceAccountToken).toBe(false);
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const container of containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });

  it('mounts volumes that exist, over no folder that the image fills', () => {
    for (const { spec } of withPods(example).map(({ spec: { template } }) => template)) {
      const volumes = spec.volumes.map(({ name }) => name);
      for (const { volumeMounts } of spec.containers) {
        expect(volumes).toEqual(expect.arrayContaining(volumeMounts.map(({ name }) => name)));
        const paths = volumeMounts.map(({ mountPath }) => mountPath);
        expect(paths.filter((path) => /^\/app|^\/var\/lib\/recordwatch(\/cache)?$/.test(path))).toEqual([]);
      }
    }
  });

  it('migrates before API and workers of the version start', () => {
    const [job] = withPods(example).filter(({ kind }) => kind === 'Job');
    expect(job?.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    const hooks = renderedManifests(example).filter(({ metadata }) => metadata.annotations?.['helm.sh/hook']);
    // Nothing that the job needs is made after it.
    expect(hooks).toHaveLength(1);
    expect(job?.spec.template.spec).not.toHaveProperty('serviceAccountName');
  });

  it.each(['api', 'worker'] as const)('gives a stopping %s as long as docker-compose.yml', (component) => {
    for (const { spec } of podsOf(example, component)) {
      expect(`${spec.terminationGracePeriodSeconds}s`).toBe(services[component]?.stop_grace_period);
    }
  });

  it('asks the API how it is where it answers, and as long as a stopping one takes requests', () => {
    const { livenessProbe, readinessProbe } = containerOf(example, 'api');
    const routes = read('api/pages/health.ts');
    for (const probe of [livenessProbe, readinessProbe]) {
      const [path] = (probe?.httpGet.path ?? '').split('?');
      expect(routes).toContain(`'${path}'`);
    }
    expect(livenessProbe?.httpGet.path).toBe('/healthz');
    expect(readinessProbe?.httpGet.path).toBe('/readyz?exclude=database&exclude=temporal');
  });
});

it.each(EXAMPLES)(
  'regression: in %s a worker that cannot connect fails before an old one ends',
  (example) => {
    const workers = withPods(example).filter(({ metadata }) => metadata.name.includes('-worker'));
    expect(workers).not.toEqual([]);
    const { databasePatienceSeconds } = parseConfig(environmentOf(containerOf(example, 'worker')));
    const failsAfter = databasePatienceSeconds + GIVE_UP_AFTER_MS / 1_000;
    for (const { spec } of workers) {
      expect(spec['minReadySeconds']).toBeGreaterThan(failsAfter);
      // Kubernetes refuses it otherwise.
      expect(spec['progressDeadlineSeconds']).toBeGreaterThan(Number(spec['minReadySeconds']));
    }
  },
);

/** What pods of a component may reach. */
const egressOf = (example: Example, component: string) =>
  renderedManifests(example)
    .filter(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name.endsWith(`-${component}`))
    .flatMap(({ spec }) => spec['egress'] as { ports?: { port: number }[]; to?: Peer[] }[]);

interface Peer {
  ipBlock?: { cidr: string; except: string[] };
}

describe('the network policy', () => {
  it.each(['api', 'worker'])(
    'regression: keeps %s from the networks that the outbound guard refuses',
    (of) => {
      const blocks = egressOf('minimal', of).flatMap(({ to = [] }) => to.map(({ ipBlock }) => ipBlock));
      expect(blocks.map((block) => block?.cidr)).toEqual(['0.0.0.0/0', '::/0']);
      const [v4, v6] = blocks.map((block) => block?.except);
      expect(v4).toEqual(REFUSED_IPV4);
      const translated = ['64:ff9b::/96', '64:ff9b:1::/48'];
      const local = ['::/127', 'fc00::/7', 'fe80::/10', 'ff00::/8'];
      expect(new Set(v6)).toEqual(new Set([...REFUSED_IPV6, ...translated, ...local]));
    },
  );

  it('regression: lets no pod reach private addresses on the ports of the web', () => {
    const anywhere = ['api', 'worker', 'migration']
      .flatMap((component) => egressOf('minimal', component))
      .filter(({ to }) => to === undefined)
      .flatMap(({ ports = [] }) => ports.map(({ port }) => port));
    expect(anywhere).toContain(5432);
    expect(anywhere.filter((port) => [80, 443, 8080, 8443].includes(port))).toEqual([]);
  });
});

describe('the chart', () => {
  it('gives the spool room for row indexes beyond SPOOL_MAX_MB, so that no worker is evicted', () => {
    const [worker] = podsOf('full', 'worker');
    const spool = worker?.spec.volumes.find(({ name }) => name === 'spool')?.emptyDir as {
      sizeLimit: string;
    };
    const { SPOOL_MAX_MB: spoolMaxMb } = environmentOf(containerOf('full', 'worker'));
    const indexBytes = COMPARED_AT_ONCE * TIERS.max.maxRows * (ENTRY_BYTES + MOST_COLUMNS * NUMBER_BYTES);
    const room = Number(spool.sizeLimit.replace(/Mi$/, '')) - Number(spoolMaxMb);
    expect(room * 1024 * 1024).toBeGreaterThanOrEqual(indexBytes);
  });

  it('has the version of the product', () => {
    const { version }: { version: string } = JSON.parse(read('package.json'));
    expect(parse(readFileSync(`${CHART}/Chart.yaml`, 'utf8'))).toMatchObject({
      version,
      appVersion: version,
    });
  });

  it.each(['api', 'worker'] as const)('can set for %s what docker-compose.yml sets', (component) => {
    const given = containerOf('full', component).env.map(({ name }) => name);
    // Of Temporal's SDK, in workers only.
    const wanted = Object.keys(services[component]?.environment ?? {}).filter(
      (name) => component === 'worker' || name !== SETTINGS.temporalMetricsAddress.name,
    );
    expect(given).toEqual(expect.arrayContaining(wanted));
  });

  it('takes every setting, from its own values or by name', () => {
    const schema: { properties: { settings: { propertyNames: { enum: string[] } } } } = JSON.parse(
      readFileSync(`${CHART}/values.schema.json`, 'utf8'),
    );
    const byName = schema.properties.settings.propertyNames.enum;
    const own = EXAMPLES.flatMap((example) =>
      ['api', 'worker'].flatMap((component) => containerOf(example, component).env.map(({ name }) => name)),
    ).filter((name) => settingNames.includes(name) && !byName.includes(name));
    // The image sets its home.
    expect(new Set([...own, ...byName, SETTINGS.home.name])).toEqual(new Set(settingNames));
  });

  it('shows metrics where the alerts expect them', () => {
    const { METRICS_ADDRESS: api } = environmentOf(containerOf('full', 'api'));
    const worker = environmentOf(containerOf('full', 'worker'));
    for (const address of [api, worker['METRICS_ADDRESS']]) expect(address).toBe('0.0.0.0:9464');
    expect(containerOf('full', 'worker').ports).toEqual([
      { name: 'metrics', containerPort: 9464 },
      { name: 'sdk-metrics', containerPort: Number(worker['TEMPORAL_METRICS_ADDRESS']?.split(':')[1]) },
    ]);
    const jobs = renderedManifests('full')
      .filter(({ kind }) => kind === 'PodMonitor')
      .flatMap(({ spec }) => spec['podMetricsEndpoints'] as { relabelings: { replacement: string }[] }[])
      .flatMap(({ relabelings }) => relabelings.map(({ replacement }) => replacement));
    const { scrape_configs: configs }: { scrape_configs: { job_name: string }[] } = parse(
      read('deploy/observability/prometheus.yml'),
    );
    expect(jobs).toEqual(configs.map(({ job_name }) => job_name));
  });

  it('has the alerts of deploy/observability', () => {
    const rules = renderedManifests('full').find(({ kind }) => kind === 'PrometheusRule');
    expect(rules?.spec).toEqual(parse(read('deploy/observability/alerts.yml')));
  });

  it('scales workers by the tasks that wait in both queues', () => {
    const triggers = (example: Example) =>
      renderedManifests(example)
        .filter(({ kind }) => kind === 'ScaledObject')
        .map(({ spec }) => spec['triggers'] as { type: string; metadata: Record<string, string> }[]);
    const queues = Object.values(TASK_QUEUES);
    expect(triggers('full').length).toBe(3);
    for (const each of triggers('full'))
      expect(each.map(({ metadata }) => metadata['taskQueue'])).toEqual(queues);
    expect(
      triggers('cloud')
        .flat()
        .map(({ metadata }) => metadata['query']),
    ).toEqual([
      `sum(approximate_backlog_count{namespace="recordwatch.a1b2c",taskqueue=~"${queues.join('|')}"})`,
    ]);
  });

  it('has workers for each version, whose build id is the tag of their image', () => {
    const versions = podsOf('full', 'worker').map(({ spec: { containers } }) => {
      const [container] = containers;
      const environment = container === undefined ? {} : environmentOf(container);
      return [container?.image.split(/[:@]/)[1], environment['TEMPORAL_WORKER_BUILD_ID']];
    });
    expect(versions).toEqual([
      ['0.2.0', '0.2.0'],
      ['0.1.1', '0.1.1'],
      ['0.1.0', undefined],
    ]);
    expect(containerOf('full', 'api').image).toMatch(/:0\.2\.0@sha256:[0-9a-f]{64}$/);
  });

  it('has a copy of the alert rules that is up to date', () => {
    expect(read('deploy/helm/files/alerts.yml')).toBe(read('deploy/observability/alerts.yml'));
  });
});

it('asks for a KEDA that scales each version of workers by its own tasks', () => {
  expect(read(`${RENDERED}/full.yaml`)).toContain('workerDeploymentBuildId');
  for (const file of ['deploy/helm/values.yaml', 'docs/operations.md'])
    expect(read(file)).toMatch(/KEDA\b.* \(?2\.20 or newer/);
});
