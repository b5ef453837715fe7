// Measures the cost of history: a check with 200 earlier versions beside one with few, and the space of 50 checks.
import { join } from 'node:path';
import { rawRows } from '../../db/driver/knex.ts';
import { cpuSecondsOf } from '../processes.ts';
import { median } from '../statistics.ts';
import type { System } from '../system.ts';
import type { FileOrigin } from './file-origin.ts';
import { writeFeed } from './make-feed.ts';
import { watchRecord, type WatchedRecord } from './watched-record.ts';

export interface HistoryResult {
  rows: number;
  /** Costs of checks that each change 2 % of the rows. */
  fewVersions: Cost;
  manyVersions: Cost;
  /** Size of the table with its indexes: after the first check, and after 50 more that change 1 % each. */
  snapshotBytes: number;
  bytesAfterChecks: number;
}

interface Cost {
  ms: number;
  /** Of worker and PostgreSQL. */
  cpuMs: number;
}

const VERSIONS = 200;
const CHECKS = 50;

export async function measureHistory(
  system: System,
  origin: FileOrigin,
  { folder, rows, rounds }: { folder: string; rows: number; rounds: number },
): Promise<HistoryResult> {
  const feed = async (percent: number): Promise<string> => {
    const file = join(folder, 'percent.csv');
    await writeFeed(file, { rows, format: 'csv', version: 1, changedPercent: percent });
    return file;
  };
  const emptyBytes = await sizeOfRows(system);
  const record = await watchRecord(system, origin, { format: 'csv' });
  await record.check(await feed(0));
  const snapshotBytes = (await sizeOfRows(system)) - emptyBytes;
  for (let percent = 1; percent <= CHECKS; percent++) await record.check(await feed(percent));
  const bytesAfterChecks = (await sizeOfRows(system)) - emptyBytes;
  await record.remove();

  const files = [join(folder, '1.csv'), join(folder, '2.csv')] as const;
  const few = await watchRecord(system, origin, { format: 'csv' });
  const many = await watchRecord(system, origin, { format: 'csv' });
  for (const { check } of [few, many]) await check(files[0]);
  await addVersions(system, many);
  const costs: [Cost[], Cost[]] = [[], []];
  for (let round = 1; round <= 2 * rounds; round++) {
    const file = files[round % 2 === 0 ? 0 : 1];
    costs[0].push(await costOf(system, () => few.check(file)));
    costs[1].push(await costOf(system, () => many.check(file)));
  }
  await few.remove();
  await many.remove();
  return {
    rows,
    fewVersions: middle(costs[0]),
    manyVersions: middle(costs[1]),
    snapshotBytes,
    bytesAfterChecks,
  };
}

/** As if 1 % of the rows, by turns, had changed with each of so many versions. */
async function addVersions({ db }: System, { id }: WatchedRecord): Promise<void> {
  await db('record_heads').where({ recordId: id }).update({ sequence: VERSIONS });
  const numbered = `select row_versions.*, row_number() over (order by row_key) as n
    from row_versions where record_no = (select record_no from record_heads where record_id = :id)`;
  await db.raw(
    `insert into row_versions (record_no, generation, row_key, first_seq, last_seq, row_hash, data)
     select record_no, generation, row_key, -version, -version, sha256(row_hash), data
     from (${numbered}) numbered join generate_series(1, ${VERSIONS}) version on n % 100 = version % 100`,
    { id },
  );
  await db.raw('vacuum analyze row_versions');
}

async function costOf(system: System, check: () => Promise<number>): Promise<Cost> {
  const { dev } = system;
  const cpu = () => cpuSecondsOf(dev.pids['worker'] ?? 0) + cpuSecondsOf(dev.pids['postgresql'] ?? 0);
  const began = cpu();
  const ms = await check();
  return { ms, cpuMs: (cpu() - began) * 1_000 };
}

const middle = (costs: readonly Cost[]): Cost => ({
  ms: median(costs.map(({ ms }) => ms)),
  cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
});

async function sizeOfRows({ db }: System): Promise<number> {
  const [size] = await rawRows<{ bytes: number }>(
    db,
    `select pg_total_relation_size('row_versions') as bytes`,
  );
  return size?.bytes ?? NaN;
}
