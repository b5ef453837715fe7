// After a loss of Temporal's data no record has a workflow. Measures how fast reconciling starts them, in which order, what each
// costs, and how long the API takes meanwhile.
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, rawRows } from '../db/driver/knex.ts';
import { startOrigin } from './origin.ts';
import { cpuSecondsOf } from './processes.ts';
import { percentile } from './statistics.ts';
import type { System } from './system.ts';

export interface TemporalLossResult {
  records: number;
  /** Records that were checked before the measurement ended. */
  checked: number;
  startsPerSecond: number;
  /** Processor time for each start with its check, in milliseconds, by process, beyond what the process takes at rest. */
  cpuMs: Record<string, number>;
  /** Of the tenth that began first, the share that belongs to the most overdue tenth of all that began. */
  inOrder: number;
  quiet: Latencies;
  starting: Latencies;
}

interface Latencies {
  medianMs: number;
  p99Ms: number;
}

const QUIET_MS = 60_000;
const WITHIN_MS = 10 * 60_000;
const LOOK_EVERY_MS = 1_000;
const READ_EVERY_MS = 20;
const INTERVAL_MINUTES = 600;
/** Overdue beyond the grace of reconciling, and by an hour at most. */
const OVERDUE = `now() - interval '10 minutes' - random() * interval '50 minutes'`;
/** They answer reads, whose number does not depend on the starts. */
const READERS = ['api', 'proxy'];

export async function measureTemporalLoss(
  system: System,
  records: number,
  report: (text: string) => void,
): Promise<TemporalLossResult> {
  const { api, db } = system;
  const origin = await startOrigin();
  const body = { url: `${origin.url}/feed`, keyFields: ['id'], checkIntervalMinutes: INTERVAL_MINUTES };
  const created = await api.call('POST', '/v1/sources', body, { prefer: 'wait=30' });
  const pattern = String(created['id']);
  const done = async (): Promise<number> =>
    Number((await db('unchanged_checks').count({ n: '*' }).first())?.['n']);

  report(`Temporal lost: ${QUIET_MS / 1_000} s at rest`);
  const atRest = cpuByProcess(system);
  const quiet = await readUntil(system, pattern, () => pause(QUIET_MS));
  const rested = cpuByProcess(system);
  const coresAtRest = (name: string): number =>
    ((rested[name] ?? 0) - (atRest[name] ?? 0)) / (QUIET_MS / 1_000);

  report(`Temporal lost: ${records} overdue records without workflows`);
  await copyRecord(db, pattern, records);
  while ((await done()) === 0) await pause(LOOK_EVERY_MS);
  const [before, beganMs] = [cpuByProcess(system), performance.now()];
  const starting = await readUntil(system, pattern, async () => {
    while ((await done()) < records && performance.now() - beganMs < WITHIN_MS) await pause(LOOK_EVERY_MS);
  });
  const [after, seconds] = [cpuByProcess(system), (performance.now() - beganMs) / 1_000];
  const checked = await done();
  const cpuMs = Object.fromEntries(
    Object.entries(after)
      .filter(([name]) => !READERS.some((reader) => name.startsWith(reader)))
      .map(([name, used]) => [
        name,
        ((used - (before[name] ?? 0) - coresAtRest(name) * seconds) * 1_000) / checked,
      ]),
  );
  const inOrder = await shareInOrder(db);
  await origin.close();
  return { records, checked, startsPerSecond: checked / seconds, cpuMs, inOrder, quiet, starting };
}

/** Reads through the API at a steady pace until the work is done. */
async function readUntil(
  { api }: System,
  recordId: string,
  work: () => Promise<unknown>,
): Promise<Latencies> {
  const takenMs: number[] = [];
  const done = new AbortController();
  const read = async (): Promise<void> => {
    const beganMs = performance.now();
    await api.call('GET', `/v1/sources/${recordId}/snapshot-rows?limit=10`);
    takenMs.push(performance.now() - beganMs);
  };
  const reading = (async () => {
    const reads: Promise<void>[] = [];
    while (!done.signal.aborted) {
      reads.push(read());
      await pause(READ_EVERY_MS);
    }
    await Promise.all(reads);
  })();
  await work();
  done.abort();
  await reading;
  return { medianMs: percentile(takenMs, 50), p99Ms: percentile(takenMs, 99) };
}

/** Copies a checked record, with head and snapshot, so that a check of each copy finds nothing new. */
export async function copyRecord(db: Database, recordId: string, copies: number): Promise<void> {
  const id = `'src_' || lpad(to_hex(n), 32, '0')`;
  const due = `jsonb_build_object('record_id', ${id}, 'next_check_at', ${OVERDUE})`;
  const changes: Record<string, string> = {
    records: `jsonb_build_object('id', ${id}, 'slug', 'copy-' || n)`,
    snapshots: `jsonb_build_object('record_id', ${id}, 'id', 'snap_' || n)`,
    record_heads: `${due} || jsonb_build_object('snapshot_id', 'snap_' || n)`,
  };
  await db.transaction(async (trx) => {
    for (const [table, changed] of Object.entries(changes)) {
      const columns: string[] = await trx('information_schema.columns')
        .where({ tableName: table, isIdentity: 'NO', isGenerated: 'NEVER' })
        .pluck('column_name');
      const own = table === 'records' ? 'id' : 'record_id';
      const names = columns.map((name) => `"${name}"`).join(', ');
      await rawRows(
        trx,
        `insert into ${table} (${names})
         select ${columns.map((name) => `made."${name}"`).join(', ')}
         from ${table}, generate_series(1, :copies) n,
           jsonb_populate_record(null::${table}, to_jsonb(${table}) || ${changed}) made
         where ${table}.${own} = :recordId`,
        { copies, recordId },
      );
    }
  });
  await db.raw('create table bench_due as select record_no, next_check_at as due_at from record_heads');
  await db.raw('analyze records, record_heads, bench_due');
}

/** The order in which checks began, beside that in which they were due. */
async function shareInOrder(db: Database): Promise<number> {
  const [share] = await rawRows<{ inOrder: number }>(
    db,
    `with began as (
       select ntile(10) over (order by started_at) as tenth, ntile(10) over (order by due_at) as due_tenth
       from unchanged_checks join bench_due using (record_no))
     select avg((due_tenth = 1)::int)::float8 as "inOrder" from began where tenth = 1`,
  );
  return share?.inOrder ?? Number.NaN;
}

const cpuByProcess = ({ dev }: System): Record<string, number> =>
  Object.fromEntries(
    Object.entries(dev.pids).flatMap(([name, pid]) => (name === 'runner' ? [] : [[name, cpuSecondsOf(pid)]])),
  );

export function temporalLossRows(result: TemporalLossResult): string[][] {
  const { records, checked, startsPerSecond, cpuMs, inOrder, quiet, starting } = result;
  const all = Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0);
  const parts = Object.entries(cpuMs).map(([name, ms]) => `${name} ${ms.toFixed(1)}`);
  const words = ({ medianMs, p99Ms }: Latencies): string =>
    `${medianMs.toFixed(1)} ms, p99 ${p99Ms.toFixed(0)} ms`;
  return [
    [
      'Temporal lost: ms of CPU to start a workflow and make its check',
      all.toFixed(1),
      'none',
      `${parts.join(', ')}; ${checked} of ${records} records, ${startsPerSecond.toFixed(0)} a second`,
    ],
    ['Temporal lost: cores for a million records within an hour', (all / 3.6).toFixed(1), 'none', ''],
    ['Temporal lost: most overdue first', `${(inOrder * 100).toFixed(0)} %`, '>= 90 %', 'of the first tenth'],
    [
      'Temporal lost: latency of the API while workflows start, to that at rest, median',
      (starting.medianMs / quiet.medianMs).toFixed(2),
      '<= 1.50',
      `${words(starting)} to ${words(quiet)}`,
    ],
  ];
}
