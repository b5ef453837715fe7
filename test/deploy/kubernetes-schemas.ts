// JSON schemas of Kubernetes' objects, as kubeconform reads them. They are made of the descriptions in Go modules, because the
// collections of ready schemas are in no package registry: Kubernetes' own OpenAPI document, and the resource definitions of KEDA and
// of the Prometheus operator.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { runStep } from '../../cli/process/run-step.ts';

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  [keyword: string]: unknown;
}

interface Kind {
  group: string;
  kind: string;
  version: string;
}

/** The sums are those of the public checksum database. */
const MODULES = {
  kubernetes: { path: 'k8s.io/kubernetes@v1.37.2', sum: 'h1:A2VDEiObzkYqFTKhSsn0ZEb0RlLEXpHWj93gi2HqEwE=' },
  keda: {
    path: 'github.com/kedacore/keda/v2@v2.21.0',
    sum: 'h1:R6z2HZvstK4RLUMxroNACzBj74xGxt3kG59b5Xc+Xps=',
  },
  prometheus: {
    path: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    sum: 'h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=',
  },
} as const;

export const KUBERNETES_VERSION = '1.37.2';

/**
 * The folder of a Go module's sources, fetched if it is missing.
 * @throws Error when the sum differs
 */
export async function moduleSources(name: keyof typeof MODULES): Promise<string> {
  const { path, sum } = MODULES[name];
  const lines: string[] = [];
  await runStep('go', ['mod', 'download', '-json', path], { onOutput: (line) => lines.push(line) });
  const { Dir, Sum } = JSON.parse(lines.join('\n')) as { Dir: string; Sum: string };
  if (Sum !== sum) throw new Error(`${path} has the sum ${Sum} and not ${sum}`);
  return Dir;
}

/** @param kinds of Kubernetes' own objects, such as `Service` @returns kubeconform's --schema-location */
export async function writeSchemas(folder: string, kinds: ReadonlySet<string>): Promise<string> {
  const kubernetes = await moduleSources('kubernetes');
  const text = readFileSync(join(kubernetes, 'api/openapi-spec/swagger.json'), 'utf8');
  const { definitions } = JSON.parse(text) as { definitions: Record<string, Schema> };
  for (const [name, schema] of Object.entries(definitions)) {
    for (const kind of (schema['x-kubernetes-group-version-kind'] ?? []) as Kind[]) {
      if (kinds.has(kind.kind)) write(folder, kind, strict(withDefinitions(name, definitions)));
    }
  }
  const keda = join(await moduleSources('keda'), 'config/crd/bases');
  const prometheus = join(await moduleSources('prometheus'), 'example/prometheus-operator-crd');
  writeResource(folder, join(keda, 'keda.sh_scaledobjects.yaml'));
  writeResource(folder, join(prometheus, 'monitoring.coreos.com_podmonitors.yaml'));
  writeResource(folder, join(prometheus, 'monitoring.coreos.com_prometheusrules.yaml'));
  return join(folder, '{{ .ResourceKind }}{{ .KindSuffix }}.json');
}

/** Of a custom resource definition. */
function writeResource(folder: string, file: string): void {
  const { spec } = parse(readFileSync(file, 'utf8')) as {
    spec: {
      group: string;
      names: { kind: string };
      versions: { name: string; schema: { openAPIV3Schema: Schema } }[];
    };
  };
  for (const { name, schema } of spec.versions) {
    const kind = { group: spec.group, kind: spec.names.kind, version: name };
    write(folder, kind, strict(schema.openAPIV3Schema));
  }
}

/** Under the name by which kubeconform looks for it. */
function write(folder: string, { group, kind, version }: Kind, schema: Schema): void {
  const parts = [kind, ...(group === '' ? [] : [group.split('.')[0]]), version];
  writeFileSync(join(folder, `${parts.join('-').toLowerCase()}.json`), JSON.stringify(schema));
}

/** A definition with all those that it refers to. */
function withDefinitions(name: string, definitions: Readonly<Record<string, Schema>>): Schema {
  const needed = new Set([name]);
  for (const each of needed) {
    const text = JSON.stringify(definitions[each]);
    for (const [, other = ''] of text.matchAll(/"#\/definitions\/([^"]+)"/g)) needed.add(other);
  }
  return {
    $ref: `#/definitions/${name}`,
    definitions: Object.fromEntries([...needed].map((each) => [each, definitions[each] ?? {}])),
  };
}

/** Refuses unknown fields, as `kubectl --validate=strict` does, and reads Kubernetes' own formats. */
function strict(schema: Schema): Schema {
  const isEither = schema.format === 'int-or-string' || schema['x-kubernetes-int-or-string'] === true;
  if (isEither) return { type: ['string', 'integer'] as never };
  const isQuantity =
    typeof schema['description'] === 'string' &&
    schema['description'].startsWith('Quantity is a fixed-point');
  if (isQuantity) return { type: ['string', 'number'] as never };
  const isOpen =
    schema.additionalProperties !== undefined || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const each = (schemas: Record<string, Schema>): Record<string, Schema> =>
    Object.fromEntries(Object.entries(schemas).map(([name, inner]) => [name, strict(inner)]));
  return {
    ...schema,
    ...(schema.properties && { properties: each(schema.properties) }),
    ...(schema.properties && !isOpen && { additionalProperties: false }),
    ...(schema.items && { items: strict(schema.items) }),
    ...(typeof schema.additionalProperties === 'object' && {
      additionalProperties: strict(schema.additionalProperties),
    }),
    ...('definitions' in schema && { definitions: each(schema['definitions'] as Record<string, Schema>) }),
  };
}
