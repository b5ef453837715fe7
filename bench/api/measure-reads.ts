// Reads of the API on two systems in turns, one with 100 records and one with many more: the processor time of API and PostgreSQL
// for a request. The plans of the reads are looked at with many: none may read a large table as a whole.
import { rawRows } from '../../db/driver/knex.ts';
import { median } from '../statistics.ts';
import type { System } from '../system.ts';
import { cpuSecondsOf } from '../processes.ts';
import { load } from './load.ts';
import { captureReads, type Statement } from './reads.ts';
import { seedTargets, type Target } from './seed.ts';
import { type OtherRecords, seedOthers } from './seed-others.ts';

const READS = [
  'delta/latest',
  'delta?limit=50',
  'snapshot-rows?limit=100',
  'checks?limit=50',
  'snapshots?limit=50',
  'activity',
] as const;
const PATHS: Readonly<Record<string, (target: Target) => string>> = {
  'a record': ({ recordId }) => `/v1/sources/${recordId}`,
  'an account’s records': () => '/v1/sources?limit=50',
  ...Object.fromEntries(
    READS.map((read) => [read, ({ recordId }: Target) => `/v1/sources/${recordId}/${read}`]),
  ),
};
const SECONDS = 4;
/** A table below this is read as a whole faster than by an index. */
const LARGE_ROWS = 10_000;

export interface ReadsResult extends OtherRecords {
  reads: Record<string, { few: Cost; many: Cost }>;
  /** Rows in the tables with many, in millions. */
  tables: Record<string, number>;
  databaseBytes: number;
}

/** The median of a request, in milliseconds of processor time. */
interface Cost {
  api: number;
  postgresql: number;
}

interface Side {
  system: System;
  targets: Target[];
}

/**
 * @param systems one that stays as it is, and one that gets the fleet
 * @throws Error when a plan reads a large table as a whole
 */
export async function measureReads(
  systems: { few: System; many: System },
  fleet: OtherRecords,
  rounds: number,
  report: (text: string) => void,
): Promise<ReadsResult> {
  const few = { system: systems.few, targets: await seedTargets(systems.few.db) };
  const many = { system: systems.many, targets: await seedTargets(systems.many.db) };
  await seedOthers(many.system.db, fleet, report);
  const reads: ReadsResult['reads'] = {};
  for (const [name, pathOf] of Object.entries(PATHS)) {
    const costs: Record<'few' | 'many', Cost[]> = { few: [], many: [] };
    for (let round = 0; round <= rounds; round += 1) {
      const pair = { few: await costOf(few, pathOf), many: await costOf(many, pathOf) };
      report(`reads, ${name}, round ${round}: ${words(pair.few)}; with many ${words(pair.many)}`);
      // The first round fills caches.
      if (round === 0) continue;
      costs.few.push(pair.few);
      costs.many.push(pair.many);
    }
    reads[name] = { few: medianOf(costs.few), many: medianOf(costs.many) };
  }
  await requireIndexes(many, report);
  return { ...fleet, reads, ...(await sizesOf(many.system)) };
}

const medianOf = (costs: readonly Cost[]): Cost => ({
  api: median(costs.map(({ api }) => api)),
  postgresql: median(costs.map(({ postgresql }) => postgresql)),
});

const words = ({ api, postgresql }: Cost): string =>
  `API ${api.toFixed(2)}, PostgreSQL ${postgresql.toFixed(2)} ms a request`;

async function costOf({ system: { dev }, targets }: Side, pathOf: (target: Target) => string): Promise<Cost> {
  const { api = 0, postgresql = 0 } = dev.pids;
  const look = (): Cost => ({ api: cpuSecondsOf(api), postgresql: cpuSecondsOf(postgresql) });
  const calls = targets.map((target) => ({
    path: pathOf(target),
    headers: { authorization: `Bearer ${target.apiKey}` },
  }));
  const before = look();
  const { requests } = await load(dev.baseUrl, calls, SECONDS);
  const after = look();
  const msOf = (part: keyof Cost): number => ((after[part] - before[part]) * 1_000) / requests;
  return { api: msOf('api'), postgresql: msOf('postgresql') };
}

async function sizesOf({ db }: System): Promise<Pick<ReadsResult, 'tables' | 'databaseBytes'>> {
  const rows = await rawRows<{ name: string; millions: number }>(
    db,
    `select relname as name, (reltuples / 1e6)::float8 as millions from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= 100000 order by reltuples desc`,
  );
  const [size] = await rawRows<{ bytes: number }>(db, 'select pg_database_size(current_database()) as bytes');
  return {
    tables: Object.fromEntries(rows.map(({ name, millions }) => [name, millions])),
    databaseBytes: size?.bytes ?? Number.NaN,
  };
}

/** As EXPLAIN prints it. */
interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

async function requireIndexes(
  { system: { db }, targets }: Side,
  report: (text: string) => void,
): Promise<void> {
  const [target] = targets;
  if (target === undefined) throw new Error('There is no record to read');
  const large = new Set<string>(
    await db('pg_class').where('relkind', 'r').where('reltuples', '>', LARGE_ROWS).pluck('relname'),
  );
  let looked = 0;
  const captured = await captureReads(
    db,
    target,
    Object.values(PATHS).map((pathOf) => pathOf(target)),
  );
  for (const { path, statements } of captured) {
    for (const statement of statements) {
      const whole = scansOf(await planOf(db, statement)).filter((table) => large.has(table));
      if (whole.length > 0) throw new Error(`${path} reads all of ${whole.join(', ')}: ${statement.text}`);
      looked += 1;
    }
  }
  report(`reads: ${looked} plans use indexes`);
}

async function planOf(db: System['db'], { text, values }: Statement): Promise<Plan> {
  // The driver's own placeholders, which knex would not know.
  const client = await db.client.acquireConnection();
  try {
    const { rows } = (await client.query(`explain (format json) ${text}`, values)) as {
      rows: { 'QUERY PLAN': { Plan: Plan }[] }[];
    };
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    if (plan === undefined) throw new Error('PostgreSQL explains nothing');
    return plan;
  } finally {
    await db.client.releaseConnection(client);
  }
}

const scansOf = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap(scansOf),
];

const sumOf = ({ api, postgresql }: Cost): number => api + postgresql;

export function readsRows({ records, reads, tables, databaseBytes }: ReadsResult): string[][] {
  const sizes = Object.entries(tables).map(([name, millions]) => `${name} ${millions.toPrecision(2)}`);
  const held = `${(databaseBytes / 1e9).toFixed(1)} GB; millions of rows: ${sizes.join(', ')}`;
  return [
    ...Object.entries(reads).map(([name, { few, many }]) => [
      `API, ${name}: ${records.toLocaleString('en')} records to 100, by processor time`,
      (sumOf(many) / sumOf(few)).toFixed(2),
      '<= 1.20',
      `${words(many)}; with 100: ${words(few)}`,
    ]),
    ['API: the tables with that many records', '', '', held],
  ];
}
