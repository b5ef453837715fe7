// Collects, as texts, everything in which a running system may leave a secret.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isGrpcServiceError, type WorkflowHandle } from '@temporalio/client';
import { to as copyTo } from 'pg-copy-streams';
import pg from 'pg';
import { rawRows } from '../../../db/driver/knex.ts';
import type { System } from '../servers/system.ts';

/** gRPC's status code. */
const NOT_FOUND = 5;

/** All tables as COPY writes them. */
export async function dumpDatabase({ database }: Pick<System, 'database'>): Promise<string> {
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const parts: string[] = [];
    for (const { name } of rows) {
      parts.push(`-- ${name}\n`);
      for await (const chunk of client.query(copyTo(`copy ${name} to stdout`))) parts.push(String(chunk));
    }
    return parts.join('');
  } finally {
    await client.end();
  }
}

/** The server's log, for all databases. */
export async function readDatabaseLog({ database }: Pick<System, 'database'>): Promise<string> {
  const [row] = await rawRows<{ folder: string }>(
    database.db,
    `select current_setting('data_directory') as folder`,
  );
  return readFileSync(`${row?.folder}.log`, 'utf8');
}

/** Histories of all workflows with their payloads, and what operators see of running ones. */
export async function readWorkflows({ temporal: { client } }: Pick<System, 'temporal'>): Promise<string> {
  const parts: string[] = [];
  for await (const { workflowId, runId, memo, searchAttributes, status } of client.workflow.list()) {
    const handle = client.workflow.getHandle(workflowId, runId);
    parts.push(JSON.stringify({ workflowId, memo, searchAttributes }), await readHistory(handle));
    if (status.name !== 'RUNNING') continue;
    // A workflow without a worker does not answer.
    const details = await client.withDeadline(Date.now() + 2_000, () =>
      handle.query('__temporal_workflow_metadata').catch(() => null),
    );
    parts.push(JSON.stringify(details));
  }
  return parts.join('\n');
}

/** Empty for a run that was just erased but is still listed. */
async function readHistory(handle: WorkflowHandle): Promise<string> {
  try {
    return textOf((await handle.fetchHistory()).events);
  } catch (error) {
    const code: number | undefined = isGrpcServiceError(error) ? error.code : undefined;
    if (code === NOT_FOUND) return '';
    throw error;
  }
}

/** The content of a history, with decoded payloads. */
function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, member]) => `${name}: ${textOf(member)}`)
    .join('\n');
}

/** Contents and names of all files under a folder. */
export function readFolder(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const path = join(folder, name);
      return `${name}\n${statSync(path).isFile() ? readFileSync(path, 'latin1') : ''}`;
    })
    .join('\n');
}
