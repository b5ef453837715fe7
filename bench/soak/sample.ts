// Samples that a soak takes at intervals: memory, open files, histories, workflows, tables.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { connectOnce } from '../../db/driver/connect-once.ts';
import { memoryOf } from '../processes.ts';
import type { System } from '../system.ts';

export interface Sample {
  atMs: number;
  checks: number;
  /** By name; the name begins with the kind: `memory worker-1`. */
  values: Record<string, number>;
}

/** The longest histories are looked at in so many records, because each asks Temporal once. */
const HISTORIES = 20;

export async function takeSample(system: System, temporal: Client): Promise<Sample> {
  const { db, dev } = system;
  const heads = await db('record_heads').sum<{ sum: string }[]>({ sum: 'check_number' });
  const values = {
    ...processValues(system),
    ...(await heapValues(system.home)),
    ...(await temporalValues(system, temporal)),
    ...(await tableValues(dev.databaseUrl, '')),
    ...(await tableValues(dev.temporalDatabaseUrl ?? '', 'Temporal ')),
  };
  return { atMs: Date.now(), checks: Number(heads[0]?.sum), values };
}

function processValues(system: System): Record<string, number> {
  const values: Record<string, number> = {};
  for (const [name, pids] of Object.entries(system.processes())) {
    if (name === 'npm' || name === 'runner') continue;
    values[`memory ${name}`] = memoryOf(pids).pssBytes;
    // A session of PostgreSQL keeps the files of all tables open that it has read, so sessions are counted.
    const isDatabase = name.includes('postgresql');
    values[`handles ${name}`] = isDatabase
      ? pids.length
      : pids.reduce((sum, pid) => sum + countFiles(pid), 0);
  }
  return values;
}

/** Files and sockets. */
function countFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

/** Of APIs and workers, from their metrics. */
async function heapValues(home: string): Promise<Record<string, number>> {
  // Written by the cluster.
  const groups: { targets: string[]; labels: { job: string } }[] = JSON.parse(
    readFileSync(join(home, 'metrics-targets.json'), 'utf8'),
  );
  const values: Record<string, number> = {};
  for (const { targets, labels } of groups.filter(({ labels: { job } }) => !job.endsWith('sdk'))) {
    for (const [index, target] of targets.entries()) {
      const text = await fetch(`http://${target}/metrics`).then(
        (answer) => answer.text(),
        () => '',
      );
      const used = [...text.matchAll(/^v8js_memory_heap_used(?:_bytes)?\{[^}]*\} (\S+)/gm)];
      const name = `heap ${labels.job.replace('recordwatch-', '')}-${index + 1}`;
      values[name] = used.reduce((sum, [, bytes]) => sum + Number(bytes), 0);
    }
  }
  return values;
}

async function temporalValues({ db }: System, temporal: Client): Promise<Record<string, number>> {
  const { count } = await temporal.workflow.count(`ExecutionStatus = 'Running'`);
  const ids: string[] = await db('records')
    .whereNull('deleted_at')
    .limit(HISTORIES)
    .orderBy('id')
    .pluck('id');
  const found = await Promise.all(ids.map((id) => temporal.workflow.getHandle(`record/${id}`).describe()));
  return {
    'workflows running': count,
    'history longest, events': Math.max(...found.map(({ historyLength }) => historyLength)),
    'history longest, bytes': Math.max(...found.map(({ historySize }) => historySize ?? 0)),
  };
}

/** Bytes of each table, and of its indexes. */
function tableValues(url: string, prefix: string): Promise<Record<string, number>> {
  return connectOnce(url, async (client) => {
    const { rows } = await client.query<{ name: string; table: string; indexes: string }>(
      `select relname as name, pg_table_size(relid) as table, pg_indexes_size(relid) as indexes
       from pg_stat_user_tables`,
    );
    return Object.fromEntries(
      rows.flatMap(({ name, table, indexes }) => [
        [`table ${prefix}${name}`, Number(table)],
        [`indexes ${prefix}${name}`, Number(indexes)],
      ]),
    );
  });
}
