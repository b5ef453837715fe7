// Holds the Helm chart to Helm and to Kubernetes: `npm run helm`. Helm reads and renders it with each file of example values, and
// kubeconform checks what comes out against the schemas of Kubernetes, KEDA and the Prometheus operator. What Helm renders is kept
// in test/fixtures/helm, where chart.test.ts reads it; after a change of the chart, `npm run helm -- --update` writes it again.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runStep } from '../../cli/process/run-step.ts';
import type { GoProgram } from '../../cli/programs/build.ts';
import { obtainProgram } from '../../cli/programs/obtain.ts';
import { CHART, chartFingerprint, type Example, EXAMPLES, parseManifests, RENDERED } from './chart.ts';
import { KUBERNETES_VERSION, moduleSources, writeSchemas } from './kubernetes-schemas.ts';

const MINUTE_MS = 60_000;
/** The oldest that Chart.yaml allows, and the one whose schemas are used. */
const VERSIONS = ['1.29.0', KUBERNETES_VERSION];

/** tools/helm/go.mod requires the same versions. */
const PROGRAMS = {
  helm: { version: '3.22.0', package: 'helm.sh/helm/v3/cmd/helm' },
  kubeconform: { version: '0.8.0', package: 'github.com/yannh/kubeconform/cmd/kubeconform' },
} as const;

let folder: string;
let helm: string;
let kubeconform: string;
let schemas: string;
const rendered = new Map<string, string>();

const obtain = (name: keyof typeof PROGRAMS): Promise<string> => {
  const moduleFolder = fileURLToPath(new URL('../../tools/helm', import.meta.url));
  const program: GoProgram = { name, moduleFolder, ...PROGRAMS[name] };
  return obtainProgram(program, { report: () => undefined });
};

/** @returns standard output @throws Error with the end of standard error */
async function run(command: string, ...args: string[]): Promise<string> {
  const lines: string[] = [];
  const note = (line: string): void => void lines.push(line);
  await runStep(command, args, { onOutput: note });
  return `${lines.join('\n')}\n`;
}

const valuesOf = (example: Example): string => join(CHART, 'ci', `${example}-values.yaml`);

const render = (example: Example, version: string, ...more: string[]): Promise<string> => {
  const of = ['--kube-version', version, '--values', valuesOf(example)];
  return run(helm, 'template', 'recordwatch', CHART, '--namespace', 'recordwatch', ...of, ...more);
};

async function conforms(manifests: string): Promise<string> {
  const file = join(folder, 'manifests.yaml');
  writeFileSync(file, manifests);
  return run(kubeconform, '-strict', '-summary', '-schema-location', schemas, file);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recordwatch-helm-'));
  helm = await obtain('helm');
  kubeconform = await obtain('kubeconform');
  for (const example of EXAMPLES) {
    for (const version of VERSIONS) {
      rendered.set(`${example} ${version}`, await render(example, version));
    }
  }
  const kinds = [...rendered.values()].flatMap((text) => parseManifests(text).map(({ kind }) => kind));
  schemas = await writeSchemas(folder, new Set(kinds));
}, 30 * MINUTE_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(EXAMPLES)('with the values %s', (example) => {
  it('Helm finds nothing to complain about', async () => {
    expect(await run(helm, 'lint', '--strict', CHART, '--values', valuesOf(example))).toContain(
      '0 chart(s) failed',
    );
  });

  it.each(VERSIONS)('all objects are valid on Kubernetes %s', async (version) => {
    const manifests = rendered.get(`${example} ${version}`) ?? '';
    const count = parseManifests(manifests).length;
    expect(count).toBeGreaterThan(4);
    expect(await conforms(manifests)).toContain(`Valid: ${count}, Invalid: 0, Errors: 0, Skipped: 0`);
  });

  it('the kept rendering is this one', async () => {
    const manifests = rendered.get(`${example} ${KUBERNETES_VERSION}`) ?? '';
    await expect(manifests).toMatchFileSnapshot(join(RENDERED, `${example}.yaml`));
  });
});

it('the kept renderings are of these files', async () => {
  await expect(chartFingerprint()).toMatchFileSnapshot(join(RENDERED, 'chart.sha256'));
});

describe('what is not valid is refused:', () => {
  it.each([
    ['an unknown field', (text: string) => text.replace('minReadySeconds:', 'minimumReadySeconds:')],
    ['a wrong type', (text: string) => text.replace(/replicas: \d/, 'replicas: two')],
    ['an unknown field of KEDA', (text: string) => text.replace('maxReplicaCount:', 'mostReplicas:')],
  ])('%s', async (_name, change) => {
    const manifests = rendered.get(`full ${KUBERNETES_VERSION}`) ?? '';
    const more = rendered.get(`minimal ${KUBERNETES_VERSION}`) ?? '';
    const changed = change(`${manifests}${more}`);
    expect(changed).not.toBe(`${manifests}${more}`);
    await expect(conforms(changed)).rejects.toThrow('kubeconform failed');
  });

  it.each([
    ['no image', ['image.repository='], 'image.repository'],
    ['no address of the API', ['baseUrl='], 'baseUrl'],
    ['no Secret', ['secrets.existingSecret='], 'secrets.existingSecret'],
    ['no Temporal', ['temporal.address='], 'temporal.address'],
    ['no proxy', ['trustedProxies=null'], 'trustedProxies'],
    ['a misspelt setting', ['settings.LOG_LEVLE=info'], 'LOG_LEVLE'],
    ['a misspelt value', ['worker.replica=3'], 'replica'],
    ['a client certificate without its Secret', ['temporal.tls.clientCertificate=true'], 'existingSecret'],
  ])('%s', async (_name, given, words) => {
    const changes = given.flatMap((value) => ['--set', value]);
    await expect(render('minimal', KUBERNETES_VERSION, ...changes)).rejects.toThrow(words);
  });
});

describe('regression:', () => {
  const TAG = '2026.11.28-release-candidate-';
  const set = (...values: string[]): string[] => values.flatMap((value) => ['--set', value]);
  const versioned = [
    ...set('workerVersioning.enabled=true', `image.tag=${TAG}2`),
    '--set-json',
    `workerVersioning.otherTags=["${TAG}1"]`,
  ];

  it('what the network policy allows no port for is not allowed on all ports', async () => {
    const closed = ['mail', 'collector', 'blobs'].flatMap((of) => [
      '--set-json',
      `networkPolicy.${of}.ports=[]`,
    ]);
    const manifests = parseManifests(await render('minimal', KUBERNETES_VERSION, ...closed));
    const rules = manifests
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .flatMap(({ spec }) => spec['egress'] as { ports?: unknown[] | null; to?: unknown[] }[]);
    expect(rules.length).toBeGreaterThan(6);
    expect(rules.filter(({ ports, to }) => !ports?.length && !to?.length)).toEqual([]);
  });

  it('workers of long tags have different names', async () => {
    const names = parseManifests(await render('minimal', KUBERNETES_VERSION, ...versioned))
      .filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name.includes('worker'))
      .map(({ metadata }) => metadata.name);
    expect(new Set(names).size).toBe(2);
  });

  it('an account that workers and API share is rendered once', async () => {
    const given = set(
      'serviceAccount.name=shared',
      'serviceAccount.apiName=shared',
      'serviceAccount.annotations.role=s3',
    );
    const accounts = parseManifests(await render('minimal', KUBERNETES_VERSION, ...given))
      .filter(({ kind }) => kind === 'ServiceAccount')
      .map(({ metadata }) => metadata);
    expect(accounts).toMatchObject([{ name: 'shared', annotations: { role: 's3' } }]);
  });

  it('tags that would have one name are refused', async () => {
    const alike = ['--set-json', 'workerVersioning.otherTags=["1-2-0"]', '--set', 'image.tag=1.2.0'];
    const refused = render('minimal', KUBERNETES_VERSION, '--set', 'workerVersioning.enabled=true', ...alike);
    await expect(refused).rejects.toThrow('too much like another one');
  });

  it('large numbers and hosts with a star are written as Kubernetes reads them', async () => {
    const given = set(
      'migration.deadlineSeconds=1000000',
      'ingress.enabled=true',
      'ingress.host=*.example.com',
      'worker.autoscaling.enabled=true',
      'worker.autoscaling.backlogPerWorker=1000000',
    );
    const manifests = await render('minimal', KUBERNETES_VERSION, ...given);
    expect(manifests).not.toContain('1e+06');
    expect(manifests).toContain('activeDeadlineSeconds: 1000000');
    expect(manifests).toContain('host: "*.example.com"');
    expect(await conforms(manifests)).toContain('Invalid: 0, Errors: 0');
  });

  it('KEDA sends an API key over TLS', async () => {
    const given = ['--set', 'worker.autoscaling.enabled=true'];
    const auth = ['--set', 'worker.autoscaling.authenticationRef=temporal'];
    expect(await render('minimal', KUBERNETES_VERSION, ...given, ...auth)).not.toContain(
      'enableTLS: "false"',
    );
  });
});

it('KEDA knows what the trigger for Temporal says', async () => {
  const source = readFileSync(join(await moduleSources('keda'), 'pkg/scalers/temporal_scaler.go'), 'utf8');
  const known = [...source.matchAll(/keda:"name=(\w+),[^"]*"/g)].filter(
    ([tag]) => !tag.includes('deprecated'),
  );
  const used = parseManifests(rendered.get(`full ${KUBERNETES_VERSION}`) ?? '')
    .filter(({ kind }) => kind === 'ScaledObject')
    .flatMap(({ spec }) => spec['triggers'] as { metadata: object }[])
    .flatMap(({ metadata }) => Object.keys(metadata));
  expect(used.length).toBeGreaterThan(10);
  expect(known.map(([, name]) => name)).toEqual(expect.arrayContaining(used));
});
