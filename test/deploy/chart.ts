// The Helm chart, as tests see it: its files, and what Helm makes of it with each file of example values.
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

export const CHART = fileURLToPath(new URL('../../deploy/helm', import.meta.url));
export const RENDERED = fileURLToPath(new URL('../fixtures/helm', import.meta.url));

/** Names of the files in deploy/helm/ci, without `-values.yaml`. */
export const EXAMPLES = ['minimal', 'full', 'cloud'] as const;
export type Example = (typeof EXAMPLES)[number];

export interface Container {
  name: string;
  image: string;
  command: string[];
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[];
  ports?: { name: string; containerPort: number }[];
  securityContext: Record<string, unknown>;
  livenessProbe?: { httpGet: { path: string } };
  readinessProbe?: { httpGet: { path: string } };
  volumeMounts: { name: string; mountPath: string }[];
}

interface PodSpec {
  serviceAccountName?: string;
  securityContext: Record<string, unknown>;
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds?: number;
  containers: Container[];
  volumes: { name: string; emptyDir?: object; secret?: object }[];
}

/** The parts of a manifest that tests look at. */
export interface Manifest {
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: { replicas?: number; template: { metadata: { labels: Record<string, string> }; spec: PodSpec } } & {
    [field: string]: unknown;
  };
}

export const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document): Manifest | null => document.toJS())
    .filter((manifest) => manifest !== null);

const read = new Map<Example, Manifest[]>();

/** The manifests that the last run of `npm run helm` made of an example. */
export function renderedManifests(example: Example): Manifest[] {
  const manifests = read.get(example) ?? parseManifests(readFileSync(`${RENDERED}/${example}.yaml`, 'utf8'));
  read.set(example, manifests);
  return manifests;
}

/** Changes whenever a file of the chart does. */
export function chartFingerprint(): string {
  const hash = createHash('sha256');
  const files = globSync('**/*', { cwd: CHART, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  for (const path of files.map(({ parentPath, name }) => `${parentPath}/${name}`).sort()) {
    hash.update(`\0${path.slice(CHART.length)}\0`).update(readFileSync(path));
  }
  return `${hash.digest('hex')}\n`;
}
