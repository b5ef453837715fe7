// The reads that the bench measures, with the answer and the statements of each.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { buildApp } from '../../api/app.ts';
import { parseConfig } from '../../core/config.ts';
import { createCursorCodec } from '../../core/crypto/cursor.ts';
import type { Database } from '../../db/driver/knex.ts';
import type { System } from '../system.ts';
import type { Target } from './seed.ts';

export const READS = {
  'GET delta/latest': 'delta/latest',
  'a delta page of 50': 'delta?limit=50',
  '100 snapshot rows': 'snapshot-rows?limit=100',
} as const;

export type Read = keyof typeof READS;

export const pathOf = (read: Read, { recordId }: Target): string => `/v1/sources/${recordId}/${READS[read]}`;

export interface Statement {
  /** Of a prepared one. */
  name?: string;
  text: string;
  values: unknown[];
}

/** What a bare server does in the place of the product: the same statements, then the same bytes. */
export interface BareRoute {
  path: string;
  statements: Statement[];
  body: string;
}

/** The statements of some reads. */
export async function captureReads(
  db: Database,
  { apiKey }: Target,
  paths: readonly string[],
): Promise<{ path: string; statements: Statement[] }[]> {
  const app = openApp(db);
  const headers = { authorization: `Bearer ${apiKey}` };
  const reads = [];
  for (const path of paths) {
    // Once a minute the use of a key is noted; that is not what is measured.
    await app.inject({ url: path, headers });
    reads.push({ path, statements: await statementsOf(() => app.inject({ url: path, headers })) });
  }
  await app.close();
  return reads;
}

function openApp(db: Database) {
  const keyEncryptionKeys = new Map([['bench', randomBytes(32)]]);
  return buildApp({
    db,
    heavyDb: db,
    // No read has to do with workflows.
    temporal: undefined as never,
    clock: Date.now,
    log: pino({ level: 'silent' }),
    config: { ...parseConfig({}), keyEncryptionKeys },
    cursors: createCursorCodec(keyEncryptionKeys),
    reach: { account: [], anonymous: [] },
  });
}

/** @throws Error when a read takes more than two statements */
export async function bareRoutes(system: System, targets: readonly Target[]): Promise<BareRoute[]> {
  const app = openApp(system.db);
  const routes: BareRoute[] = [];
  for (const target of targets) {
    const headers = { authorization: `Bearer ${target.apiKey}` };
    // Once a minute the use of a key is noted; that is not what is measured.
    await app.inject({ url: pathOf('GET delta/latest', target), headers });
    for (const read of namesOf(READS)) {
      const path = pathOf(read, target);
      const statements = await statementsOf(() => app.inject({ url: path, headers }));
      if (statements.length > 2) throw new Error(`${read} takes ${statements.length} statements`);
      const answer = await fetch(`${system.dev.baseUrl}${path}`, { headers });
      if (!answer.ok) throw new Error(`${path} answers ${answer.status}`);
      routes.push({ path, statements, body: await answer.text() });
    }
  }
  await app.close();
  return routes;
}

export const namesOf = <K extends string>(table: Readonly<Record<K, unknown>>): K[] =>
  // Its keys are the K that it is made of.
  Object.keys(table) as K[];

/** The statements that reach PostgreSQL while `work` runs, as the driver sends them. */
async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const { prototype } = pg.Client;
  // Looked up for one call: it is put back below, and called with the client as it was.
  // oxlint-disable-next-line typescript/unbound-method
  const { query } = prototype;
  prototype.query = function note(this: pg.Client, ...given: unknown[]) {
    const [config, values] = given as [string | Statement, unknown[] | undefined];
    const statement = typeof config === 'string' ? { text: config, values: values ?? [] } : config;
    // A pool asks a connection that rested whether it still works.
    if (!/^select 1\b/i.test(statement.text)) statements.push(copyOf(statement));
    return Reflect.apply(query, this, given);
  } as typeof query;
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return statements;
}

const copyOf = ({
  name,
  text,
  values = [],
}: Omit<Statement, 'values'> & { values?: unknown[] }): Statement => ({
  ...(name === undefined ? {} : { name }),
  text,
  values: [...values],
});
