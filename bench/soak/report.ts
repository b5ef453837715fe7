// Judges the samples of a soak, and shows them.
import { table } from '../table.ts';
import type { Sample } from './sample.ts';
import { type Point, trendOf } from './trend.ts';

export interface Verdict {
  name: string;
  first: number;
  last: number;
  /** Per hour over the second half, as a share. */
  growthPerHour: number;
  /** Bytes for each check in the second half; null where history is not kept on purpose. */
  bytesPerCheck: number | null;
  isLevel: boolean;
}

/** A series that grows by less than this in an hour, or by less than the bytes, levels off. */
const LEVEL_SHARE = 0.05;
const LEVEL_BYTES = 4 * 1024 * 1024;
const LEVEL_COUNT = 4;
/** Twice the length from which on a run continues as new. */
const LONGEST_HISTORY = 800;
/** The second half may take so much more for a check than the first. */
const SAME_PER_CHECK = 1.25;

/**
 * Tables that keep something of each check, change, delivery or workflow for as long as retention says. They have to grow with the
 * work, so what is judged is how much each check adds.
 */
const KEPT = [
  'checks',
  'unchanged_checks',
  'delta_events',
  'snapshots',
  'row_versions',
  'deliveries',
  'attempts',
  'audit_entries',
  'usage_counters',
  // Closed runs are kept for days.
  'Temporal executions',
  'Temporal current_executions',
  'Temporal history_node',
  'Temporal history_tree',
];
const isKept = (name: string): boolean =>
  KEPT.some((table) => name === `table ${table}` || name === `indexes ${table}`);

export function judge(samples: readonly Sample[]): Verdict[] {
  const names = Object.keys(samples.at(-1)?.values ?? {}).toSorted();
  return names.map((name) => {
    const points = samples.map(({ atMs, values }) => ({ atMs, value: values[name] ?? 0 }));
    const trend = trendOf(points);
    if (!isKept(name)) return { name, ...trend, bytesPerCheck: null, isLevel: isLevel(name, points, trend) };
    const middle = Math.floor(samples.length / 2);
    const [before, after] = [
      perCheck(samples.slice(0, middle + 1), name),
      perCheck(samples.slice(middle), name),
    ];
    // Tables grow by whole pages and segments.
    const isSteady = after <= Math.max(before * SAME_PER_CHECK, before + 100);
    return { name, ...trend, bytesPerCheck: after, isLevel: isSteady };
  });
}

function isLevel(
  name: string,
  points: readonly Point[],
  { growthPerHour }: { growthPerHour: number },
): boolean {
  const half = points.slice(Math.floor(points.length / 2));
  if (name === 'history longest, events') return half.every(({ value }) => value <= LONGEST_HISTORY);
  const grown = (half.at(-1)?.value ?? 0) - (half[0]?.value ?? 0);
  const isCount = /^(handles|workflows|history)/.test(name) && !name.endsWith('bytes');
  return growthPerHour < LEVEL_SHARE || grown <= (isCount ? LEVEL_COUNT : LEVEL_BYTES);
}

function perCheck(samples: readonly Sample[], name: string): number {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return 0;
  return ((last.values[name] ?? 0) - (first.values[name] ?? 0)) / Math.max(1, last.checks - first.checks);
}

/** Leaves out tables that never hold anything. */
export const soakTable = (verdicts: readonly Verdict[]): string =>
  table([
    ['Series', 'At first', 'At the end', 'An hour, second half', 'A check', 'Levels off'],
    ...verdicts
      .filter(({ name, first, last }) => !/^(table|indexes)/.test(name) || last > 256 * 1024 || last > first)
      .map(({ name, first, last, growthPerHour, bytesPerCheck, isLevel: level }) => [
        name,
        amount(name, first),
        amount(name, last),
        bytesPerCheck === null ? `${(growthPerHour * 100).toFixed(1)} %` : '',
        bytesPerCheck === null ? '' : `${bytesPerCheck.toFixed(0)} B`,
        level ? 'yes' : 'NO',
      ]),
  ]);

const amount = (name: string, value: number): string =>
  /^(handles|workflows)/.test(name) || name.endsWith('events')
    ? String(value)
    : `${(value / 1024 / 1024).toFixed(2)} MiB`;
