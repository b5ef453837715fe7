// The capacity model: what a number of records takes, by measured coefficients. docs/scale.md says how each was measured, and
// shows what the model gives; test/docs/scale.test.ts holds the two together.

/** The parts that take processor time. */
const PARTS = ['workers', 'temporal', 'temporalPostgres', 'postgres'] as const;
export type Part = (typeof PARTS)[number];

interface CostOfCheck {
  /** Milliseconds of processor time by part. */
  cpuMs: Readonly<Record<Part, number>>;
  /** Updates of the workflow's state in Temporal. */
  transitions: number;
  /** What the product's database keeps of it, with indexes. */
  bytes: number;
}

/** Measured; docs/scale.md has the command for each. */
export const COEFFICIENTS = {
  /** An unchanged check of a record whose workflow is in no worker's memory. */
  unchanged: {
    cpuMs: { workers: 5.5, temporal: 10.2, temporalPostgres: 3.2, postgres: 1.4 },
    transitions: 3,
    bytes: 173,
  } satisfies CostOfCheck,
  /** A check that finds one of 200 rows changed, without deliveries. */
  changed: {
    cpuMs: { workers: 45, temporal: 43, temporalPostgres: 15, postgres: 17 },
    transitions: 15,
    bytes: 8_700,
  } satisfies CostOfCheck,
  /** Temporal's services with 512 shards at rest, and its database, in cores. */
  atRest: { workers: 0, temporal: 0.087, temporalPostgres: 0.018, postgres: 0 } satisfies Record<
    Part,
    number
  >,
  /** Cores that one worker process uses before its single thread is the limit. */
  coresOfWorker: 0.8,
  /** In MB. */
  memory: { worker: 460, api: 200, temporal: 1_130 },
  /** Bytes of a record with 200 rows, and of its workflow in Temporal's database. */
  record: { bytes: 66_000, temporalBytes: 21_000 },
  /**
   * PostgreSQL connections of a process: its pool, those that short reads share, a worker's for metrics of all records; an
   * API's for slow reads, and those that listen.
   */
  connections: { worker: 19, api: 25 },
  /** State transitions a second for each history shard: what others publish for 512 of them, not measured. */
  transitionsOfShard: 2,
} as const;

const APIS = 2;
const LEAST_WORKERS = 2;
const LEAST_SHARDS = 512;
const MOST_SHARDS = 16_384;
const MS = 1_000;
const SECONDS_A_DAY = 86_400;

export interface Load {
  records: number;
  /** Minutes between two checks of a record. */
  interval: number;
  /** Checks that find a change, in percent. */
  changeRate: number;
}

export interface CapacityEstimate extends Load {
  checksPerSecond: number;
  /** Cores in use; machines need about half as many more. */
  cores: Record<Part | 'all', number>;
  workers: number;
  shards: number;
  transitionsPerSecond: number;
  /** In MB: what the processes take, without the databases' buffers. */
  memoryMb: number;
  /** In GB: what the databases hold on the first day, and how much the product's grows each day before retention. */
  diskGb: { product: number; temporal: number; productADay: number };
  /** To the product's PostgreSQL. */
  connections: number;
  /** Null while the smallest machines are enough. */
  growFirst: Growth | null;
}

/** What the next larger load needs first. */
interface Growth {
  part: Part;
  advice: string;
}

/** Below this share of its room, no part needs to grow. */
const SMALL = 0.25;
/** The cores that one machine gives a part; for workers, one process. A part that uses more needs another. */
const ROOM: Record<Part, number> = { workers: 1.6, temporal: 4, temporalPostgres: 8, postgres: 8 };
const ADVICE: Record<Part, string> = {
  workers: 'Add workers. They share nothing.',
  temporal:
    'Add history pods, up to one for each few hundred shards. Choose the shards at the start: they are fixed.',
  temporalPostgres:
    'Give Temporal’s PostgreSQL a larger machine. When none is large enough, use several Temporal clusters, or Cassandra.',
  postgres: 'Give PostgreSQL a larger machine, then distribute the tables by record_id (Citus).',
};

export function capacityOf({ records, interval, changeRate }: Load): CapacityEstimate {
  const { unchanged, changed, atRest, record, memory, connections } = COEFFICIENTS;
  const checksPerSecond = records / (interval * 60);
  const changes = (checksPerSecond * changeRate) / 100;
  const others = checksPerSecond - changes;
  const each = (of: (cost: CostOfCheck) => number): number => others * of(unchanged) + changes * of(changed);
  const coresOf = (part: Part): number => each(({ cpuMs }) => cpuMs[part]) / MS + atRest[part];
  const byPart = {
    workers: coresOf('workers'),
    temporal: coresOf('temporal'),
    temporalPostgres: coresOf('temporalPostgres'),
    postgres: coresOf('postgres'),
  };
  const workers = Math.max(LEAST_WORKERS, Math.ceil(byPart.workers / COEFFICIENTS.coresOfWorker));
  const transitionsPerSecond = each(({ transitions }) => transitions);
  const [part] = PARTS.toSorted((a, b) => byPart[b] / ROOM[b] - byPart[a] / ROOM[a]);
  return {
    records,
    interval,
    changeRate,
    checksPerSecond,
    cores: { ...byPart, all: PARTS.reduce((sum, name) => sum + byPart[name], 0) },
    workers,
    shards: shardsFor(transitionsPerSecond),
    transitionsPerSecond,
    memoryMb: workers * memory.worker + APIS * memory.api + memory.temporal,
    diskGb: {
      product: (records * record.bytes) / 1e9,
      temporal: (records * record.temporalBytes) / 1e9,
      productADay: (each(({ bytes }) => bytes) * SECONDS_A_DAY) / 1e9,
    },
    connections: workers * connections.worker + APIS * connections.api,
    growFirst:
      part === undefined || byPart[part] / ROOM[part] < SMALL ? null : { part, advice: ADVICE[part] },
  };
}

/** A power of two. */
function shardsFor(transitionsPerSecond: number): number {
  const wanted = transitionsPerSecond / COEFFICIENTS.transitionsOfShard;
  return Math.min(MOST_SHARDS, Math.max(LEAST_SHARDS, 2 ** Math.ceil(Math.log2(Math.max(1, wanted)))));
}

/** The loads that docs/scale.md shows. */
export const SHOWN: readonly Load[] = [10_000, 100_000, 1_000_000, 10_000_000].map((records) => ({
  records,
  interval: 60,
  changeRate: 1,
}));

/** Rows of a table: what is counted, and its value for each load. */
export function capacityRows(capacities: readonly CapacityEstimate[]): string[][] {
  const row = (name: string, value: (capacity: CapacityEstimate) => number): string[] => [
    name,
    ...capacities.map((capacity) => inWords(value(capacity))),
  ];
  return [
    row('Checks a second', ({ checksPerSecond }) => checksPerSecond),
    row('Cores in use', ({ cores }) => cores.all),
    row('of them workers', ({ cores }) => cores.workers),
    row('of them Temporal’s services', ({ cores }) => cores.temporal),
    row('of them Temporal’s PostgreSQL', ({ cores }) => cores.temporalPostgres),
    row('of them the product’s PostgreSQL', ({ cores }) => cores.postgres),
    row('Worker processes', ({ workers }) => workers),
    row('History shards of Temporal', ({ shards }) => shards),
    row('State transitions of Temporal a second', ({ transitionsPerSecond }) => transitionsPerSecond),
    row('Memory of the processes, MB', ({ memoryMb }) => memoryMb),
    row('Product’s database at the start, GB', ({ diskGb }) => diskGb.product),
    row('its growth a day before retention, GB', ({ diskGb }) => diskGb.productADay),
    row('Temporal’s database, GB', ({ diskGb }) => diskGb.temporal),
    row('Connections to the product’s PostgreSQL', ({ connections }) => connections),
    [
      'Grow first',
      ...capacities.map(({ growFirst }) => (growFirst === null ? 'nothing' : WORDS[growFirst.part])),
    ],
  ];
}

/** Rows of a table: what a check costs, by part. */
export function costRows(): string[][] {
  const { unchanged, changed } = COEFFICIENTS;
  const row = (name: string, value: (cost: CostOfCheck) => number): string[] => [
    name,
    inWords(value(unchanged)),
    inWords(value(changed)),
  ];
  return [
    ...PARTS.map((part) => row(`CPU of ${WORDS[part]}, ms`, ({ cpuMs }) => cpuMs[part])),
    row('State transitions of Temporal', ({ transitions }) => transitions),
    row('Bytes in the product’s database', ({ bytes }) => bytes),
  ];
}

const WORDS: Record<Part, string> = {
  workers: 'workers',
  temporal: 'Temporal’s services',
  temporalPostgres: 'Temporal’s PostgreSQL',
  postgres: 'the product’s PostgreSQL',
};

/** Two significant digits, whole numbers from 10 up. */
const inWords = (value: number): string =>
  Number.isInteger(value) || value >= 10
    ? Math.round(value).toLocaleString('en-US')
    : String(Number(value.toPrecision(2)));
