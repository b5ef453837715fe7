// Formats the results as a table: each number with its target and its point of comparison.
import type { ApiResult } from './api/measure-api.ts';
import { readsRows, type ReadsResult } from './api/measure-reads.ts';
import { changesRows, type ChangesResult } from './changes.ts';
import { COLD_MODES, type ColdResult } from './cold.ts';
import type { CompareResult } from './compare/measure-compare.ts';
import { type PairedResult, pairedRows } from './compare/measure-paired.ts';
import { type RuledResult, ruledRows } from './compare/measure-ruled.ts';
import { compareRows } from './compare/report-compare.ts';
import type { DashboardResult } from './dashboard/measure-dashboard.ts';
import { dashboardRows } from './dashboard/report-dashboard.ts';
import { bodiesRows, type BodiesResult } from './deliveries/measure-bodies.ts';
import type { DeliveriesResult } from './deliveries/measure-deliveries.ts';
import { diffRows } from './diff/report-diff.ts';
import type { LatencyResult } from './delivery-latency.ts';
import type { DiffResult } from './diff/measure-diff.ts';
import { deliveryRows } from './deliveries/report-deliveries.ts';
import type { DrippingResult } from './dripping.ts';
import type { ExportResult } from './export/measure-export.ts';
import { fairnessRows, type FairnessResult } from './fairness.ts';
import type { FleetResult } from './fleet/measure-fleet.ts';
import { REAL_MODES } from './fleet/measure-fleet.ts';
import type { Rate } from './fleet/measure-rate.ts';
import type { McpResult } from './mcp/measure-mcp.ts';
import { mcpRows } from './mcp/report-mcp.ts';
import type { MemoryAtRest } from './memory-at-rest.ts';
import { largeRows } from './large/report-large.ts';
import type { LargeResult } from './large/measure-large.ts';
import { metricsCostRows, type MetricsCostResult } from './metrics-cost.ts';
import { originRateRows, type OriginRateResult } from './origin-rate.ts';
import { median, percentile } from './statistics.ts';
import { table } from './table.ts';
import type { Costs, PartitionsResult } from './pruning/partitions.ts';
import type { PruningResult } from './pruning/measure-pruning.ts';
import type { TablesResult } from './tables.ts';
import { temporalLossRows, type TemporalLossResult } from './temporal-loss.ts';

export interface Results {
  machine: string;
  api?: ApiResult;
  bodies?: BodiesResult;
  changes?: ChangesResult[];
  cold?: ColdResult[];
  compare?: CompareResult[];
  dashboard?: DashboardResult;
  deliveries?: DeliveriesResult;
  diff?: DiffResult[];
  dripping?: DrippingResult;
  export?: ExportResult;
  fairness?: FairnessResult;
  fleet?: FleetResult;
  large?: LargeResult[];
  latency?: LatencyResult;
  mcp?: McpResult;
  memory?: MemoryAtRest;
  metricsCost?: MetricsCostResult;
  originRate?: OriginRateResult;
  partitions?: PartitionsResult;
  pruning?: PruningResult;
  reads?: ReadsResult;
  ruled?: RuledResult[];
  paired?: PairedResult[];
  tables?: TablesResult;
  temporalLoss?: TemporalLossResult;
}

const MB = 1_000_000;
/** Words for what an origin does, and targets of processor time in ms and of events of Temporal for each cold check. */
const MODES = {
  'not-modified': { words: 'origin answers 304', cpu: '<= 25', events: '0' },
  'same-bytes': { words: 'origin sends the same bytes', cpu: '<= 25', events: '0' },
  changing: { words: 'one row has changed', cpu: 'none', events: 'none' },
} as const;

export function reportText(results: Results): string {
  const { machine, api, fleet, latency, memory } = results;
  return [
    machine,
    table([
      ['Measured', 'Result', 'Target', 'Beside it'],
      ...(api === undefined ? [] : apiRows(api)),
      ...(results.mcp === undefined ? [] : mcpRows(results.mcp)),
      ...(results.export === undefined ? [] : exportRows(results.export)),
      ...compareRows(results.compare ?? []),
      ...ruledRows(results.ruled ?? []),
      ...pairedRows(results.paired ?? []),
      ...(results.reads === undefined ? [] : readsRows(results.reads)),
      ...diffRows(results.diff ?? []),
      ...largeRows(results.large ?? []),
      ...(results.dashboard === undefined ? [] : dashboardRows(results.dashboard)),
      ...changesRows(results.changes ?? []),
      ...(results.deliveries === undefined ? [] : deliveryRows(results.deliveries)),
      ...(results.bodies === undefined ? [] : bodiesRows(results.bodies)),
      ...(results.dripping === undefined ? [] : drippingRows(results.dripping)),
      ...(results.partitions === undefined ? [] : partitionRows(results.partitions)),
      ...(results.pruning === undefined ? [] : pruningRows(results.pruning)),
      ...(results.tables === undefined ? [] : tablesRows(results.tables)),
      ...(fleet === undefined ? [] : fleetRows(fleet)),
      ...coldRows(results.cold ?? []),
      ...(results.fairness === undefined ? [] : fairnessRows(results.fairness)),
      ...(results.temporalLoss === undefined ? [] : temporalLossRows(results.temporalLoss)),
      ...(results.originRate === undefined ? [] : originRateRows(results.originRate)),
      ...(results.metricsCost === undefined ? [] : metricsCostRows(results.metricsCost)),
      ...(latency === undefined ? [] : latencyRows(latency)),
      ...(memory === undefined ? [] : memoryRows(memory)),
    ]),
    ...(fleet === undefined ? [] : [usageTable(fleet)]),
  ].join('\n\n');
}

/** @param beside of another checkout */
function coldRows([cold, beside]: readonly ColdResult[]): string[][] {
  if (cold === undefined) return [];
  if (beside === undefined) return coldRowsOf(cold);
  const ratios = COLD_MODES.map((mode) => [
    `Cold check, ${MODES[mode].words}: CPU to that of the other checkout`,
    (cold[mode].cpuMsPerCheck / beside[mode].cpuMsPerCheck).toFixed(2),
    '',
    `${cold[mode].cpuMsPerCheck.toFixed(1)} to ${beside[mode].cpuMsPerCheck.toFixed(1)} ms, at the same time`,
  ]);
  return [...coldRowsOf(cold), ...ratios];
}

function coldRowsOf(cold: ColdResult): string[][] {
  const coresAtRest = Object.values(cold.coresAtRest).reduce((sum, cores) => sum + cores, 0);
  const partsOf = ({ cpuMs }: ColdResult['empty']): string =>
    Object.entries(cpuMs)
      .map(([name, ms]) => `${name} ${ms.toFixed(1)}`)
      .join(', ');
  const empty = ['Attempt of an activity that does nothing', cold.empty.cpuMsPerCheck.toFixed(1), 'none'];
  const rows = COLD_MODES.flatMap((mode) => {
    const { words, cpu, events } = MODES[mode];
    const { checks, cpuMsPerCheck, eventsPerCheck, temporalRowsPerCheck, temporalCommitsPerCheck } =
      cold[mode];
    return [
      [
        `Cold check, ${words}: ms of CPU, all processes`,
        cpuMsPerCheck.toFixed(1),
        cpu,
        `${checks} checks of ${cold.records} records, beyond ${coresAtRest.toFixed(2)} cores at rest; ${partsOf(cold[mode])}`,
      ],
      [
        `Cold check, ${words}: events of Temporal`,
        eventsPerCheck.toFixed(2),
        events,
        `${temporalRowsPerCheck.toFixed(1)} rows written, ${temporalCommitsPerCheck.toFixed(1)} commits in its database`,
      ],
    ];
  });
  return [...rows, [...empty, partsOf(cold.empty)]];
}

function apiRows(api: ApiResult): string[][] {
  return Object.entries(api).flatMap(([read, { ratio, p99Ms, bareP99Ms, slowdown }]) => [
    [
      `API, ${read}: requests/s to those of a bare server`,
      ratio.toFixed(2),
      '>= 0.70',
      `p99 of 32 connections ${p99Ms.toFixed(0)} ms to ${bareP99Ms.toFixed(0)} ms`,
    ],
    [`API, ${read}: 100 records to 10,000`, slowdown.toFixed(2), '<= 1.20', '1,000 events each'],
  ]);
}

function exportRows({
  ratio,
  rowsPerSecond,
  bytes,
  cpuSeconds,
  memoryGrowthBytes,
}: ExportResult): string[][] {
  return [
    [
      'Export of 1,000,000 rows as CSV: rows/s to those of COPY',
      ratio.toFixed(2),
      '>= 0.50',
      `${(rowsPerSecond / 1_000).toFixed(0)} thousand rows/s, ${(bytes / MB).toFixed(0)} MB, ${cpuSeconds.toFixed(1)} s of CPU in the API`,
    ],
    ['Export: growth of the API’s memory', `${(memoryGrowthBytes / 2 ** 20).toFixed(0)} MiB`, '< 64 MiB', ''],
  ];
}

function drippingRows({ origins, aloneMs, besideMs }: DrippingResult): string[][] {
  return [
    [
      `Check of another account beside ${origins} dripping origins, to one alone`,
      (besideMs / aloneMs).toFixed(2),
      '<= 1.30',
      `medians: ${besideMs.toFixed(0)} ms to ${aloneMs.toFixed(0)} ms`,
    ],
  ];
}

function partitionRows({ plain, partitioned }: PartitionsResult): string[][] {
  const row = (what: string, figure: (costs: Costs) => number, target: string): string[] => [
    `Monthly partitions: ${what}, as a ratio`,
    (figure(partitioned) / figure(plain)).toFixed(2),
    target,
    `${figure(partitioned).toPrecision(3)} to ${figure(plain).toPrecision(3)}, ${plain.rows} rows`,
  ];
  return [
    row('bytes', ({ bytes }) => bytes, '<= 1'),
    row('ms of CPU for writing 1,000 rows', ({ writingMs }) => writingMs, '<= 1'),
    row('ms of CPU for retention of 1,000 rows', ({ retentionMs }) => retentionMs, '<= 1'),
    ...Object.keys(plain.readsMs).map((read) =>
      row(`ms of CPU for the ${read}`, ({ readsMs }) => readsMs[read] ?? Number.NaN, '<= 1.2'),
    ),
  ];
}

function pruningRows({ records, idle, hours, expired }: PruningResult): string[][] {
  return (
    [
      ['nothing to delete', idle],
      [`the checks of ${hours} hours to delete`, expired],
    ] as const
  ).map(([what, pass]) => [
    `Pruning ${records} records, ${what}: seconds`,
    pass.seconds.toFixed(0),
    '<= 600 for 1,000,000',
    `${pass.deleted} rows, ${pass.cpuSeconds.toFixed(0)} s of CPU, heartbeats at most ${pass.silentSeconds.toFixed(1)} s apart`,
  ]);
}

function tablesRows({ checks, bytesPerCheck, heads, hotShare }: TablesResult): string[][] {
  const growth = (sizes: readonly number[]): string =>
    sizes.map((bytes) => (bytes / MB).toFixed(2)).join(', ');
  return [
    [
      'Tables: bytes of an unchanged check, with indexes',
      bytesPerCheck.toFixed(0),
      '<= 200',
      `${checks} checks`,
    ],
    [
      'Tables: updates of heads that wrote no index',
      `${(hotShare * 100).toFixed(1)} %`,
      '>= 95 %',
      `MB before and after each fifth: heads ${growth(heads.tableBytes)}; their indexes ${growth(heads.indexBytes)}`,
    ],
  ];
}

function fleetRows({ rates, comparisons }: FleetResult): string[][] {
  const rate = (list: readonly Rate[]) => middle(list, ({ checksPerSecond }) => checksPerSecond).toFixed(0);
  return REAL_MODES.map((mode) => {
    const { rateRatio, cpuRatio, rounds, isDisturbed } = comparisons[mode];
    const words = isDisturbed ? 'NEIGHBOURS BUSY in each' : 'quiet';
    return [
      `Fleet, ${MODES[mode].words}: rate to that of empty activities`,
      rateRatio.toFixed(2),
      '>= 0.70',
      `${cpuRatio.toFixed(2)} by CPU per check; ${rounds} rounds, ${words}; ${rate(rates[mode])} to ${rate(rates.empty)} checks/s`,
    ];
  });
}

function latencyRows({ webhookMs, polledMs, bareMs }: LatencyResult): string[][] {
  const row = (what: string, latenciesMs: readonly number[], percent: number, target: string) => [
    `Commit to ${what}, ${percent === 50 ? 'median' : `${percent}th percentile`}`,
    `${percentile(latenciesMs, percent).toFixed(0)} ms`,
    target,
    `${latenciesMs.length} changes`,
  ];
  return [
    row('webhook arrival', webhookMs, 50, '< 100 ms'),
    row('webhook arrival', webhookMs, 99, ''),
    row('answered long poll', polledMs, 50, '< 100 ms'),
    row('answered long poll', polledMs, 99, ''),
    [
      'The same, to a program that listens on the database',
      (median(polledMs) / median(bareMs)).toFixed(2),
      '',
      `medians; ${median(bareMs).toFixed(0)} ms for the program`,
    ],
  ];
}

function memoryRows({ processes, total }: MemoryAtRest): string[][] {
  const cells = ({ pssBytes, rssBytes }: MemoryAtRest['total']) =>
    [`${(pssBytes / MB).toFixed(0)} MB`, `RSS ${(rssBytes / MB).toFixed(0)} MB`] as const;
  return [...processes, { name: 'whole system', count: 0, memory: total }].map(({ name, count, memory }) => {
    const [pss, rss] = cells(memory);
    const what = count > 1 ? `${name} (${count} processes)` : name;
    return [`Memory at rest (PSS), ${what}`, pss, count === 0 ? '< 900 MB' : '', rss];
  });
}

/** Processor time by process, and how often the database commits. */
function usageTable({ rates }: FleetResult): string {
  const modes = Object.entries(rates);
  const names = Object.keys(rates.empty[0]?.cores ?? {});
  return table([
    ['Cores in use while the fleet runs', ...modes.map(([mode]) => mode)],
    ...names.map((name) => [
      name,
      ...modes.map(([, list]) => middle(list, ({ cores }) => cores[name] ?? 0).toFixed(2)),
    ]),
    [
      'CPU per check, ms (without others)',
      ...modes.map(([, list]) => middle(list, ({ cpuMsPerCheck }) => cpuMsPerCheck).toFixed(1)),
    ],
    [
      'transactions per check',
      ...modes.map(([, list]) => middle(list, ({ transactionsPerCheck }) => transactionsPerCheck).toFixed(2)),
    ],
  ]);
}

const middle = (rates: readonly Rate[], of: (rate: Rate) => number): number => median(rates.map(of));
