// Reads metrics in Prometheus's text format.

export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** @param address host:port */
export async function scrape(address: string): Promise<{ samples: Sample[]; types: Map<string, string> }> {
  const response = await fetch(`http://${address}/metrics`);
  if (!response.ok) throw new Error(`The metrics at ${address} answered ${response.status}`);
  const lines = (await response.text()).split('\n');
  const samples = lines.filter((line) => line !== '' && !line.startsWith('#')).map(readSample);
  const types = lines.flatMap((line): [string, string][] => {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    return name === undefined || type === undefined ? [] : [[name, type]];
  });
  return { samples, types: new Map(types) };
}

function readSample(line: string): Sample {
  const [, name = '', labels = '', value = ''] = /^([\w:]+)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
  if (name === '') throw new Error(`Not a line of metrics: ${line}`);
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [
    key,
    text,
  ]);
  return { name, labels: Object.fromEntries(pairs), value: Number(value.replace('+Inf', 'Infinity')) };
}

/** The sum of the samples of a name that have all of these labels. */
export function total(samples: readonly Sample[], name: string, labels: Record<string, string> = {}): number {
  return samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([key, text]) => sample.labels[key] === text))
    .reduce((sum, { value }) => sum + value, 0);
}
