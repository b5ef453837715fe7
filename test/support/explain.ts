// Shows how PostgreSQL would run the statements that a function sends.
import pg from 'pg';
import { type Database, rawRows } from '../../db/driver/knex.ts';
import { until } from './until.ts';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Join Filter'?: string;
  Plans?: PlanNode[];
}

export interface Explainer {
  /** Nodes of all plans: `Index Scan records_pkey` and so on. */
  plansOf: (run: () => Promise<unknown>) => Promise<string[]>;
  /** Tables here are too small for some indexes to pay: from now on one is taken where there is one. */
  preferIndexes: () => Promise<unknown>;
  end: () => Promise<void>;
}

export async function openExplainer(db: Database, url: string): Promise<Explainer> {
  const client = new pg.Client(url);
  await client.connect();
  return {
    plansOf: async (run) => {
      const nodes: string[] = [];
      for (const { sql, bindings } of await statementsOf(db, run)) {
        const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
          `explain (format json) ${sql}`,
          bindings,
        );
        nodes.push(...(rows[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => flatten(Plan)));
      }
      return nodes;
    },
    preferIndexes: () => client.query('set enable_seqscan = off'),
    end: () => client.end(),
  };
}

/** Until an index alone will do: the server's own analysis that runs at the moment hides rows from the first attempt. */
export const vacuum = (db: Database, table: string): Promise<unknown> =>
  until(`all of ${table} is visible to all`, async () => {
    await db.raw('vacuum analyze ??', [table]);
    const [state] = await rawRows<{ isDone: boolean }>(
      db,
      `select relallvisible >= relpages as "isDone" from pg_class where oid = ?::regclass`,
      [table],
    );
    return state?.isDone;
  });

interface Statement {
  sql: string;
  bindings: unknown[];
}

async function statementsOf(db: Database, run: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const keep = (query: Statement): void => {
    // What frames a transaction has no plan.
    if (!/^(BEGIN|COMMIT|ROLLBACK)/i.test(query.sql)) statements.push(query);
  };
  db.on('query', keep);
  await run();
  db.off('query', keep);
  return statements;
}

function flatten(node: PlanNode): string[] {
  const place = node['Index Name'] ?? node['Relation Name'];
  const filter = node['Join Filter'] === undefined ? undefined : 'with filter';
  const name = [node['Node Type'], place, filter].filter(Boolean).join(' ');
  return [name, ...(node.Plans ?? []).flatMap(flatten)];
}

export const hasSort = (nodes: readonly string[]) => nodes.some((node) => /Sort/.test(node));
/** Reads one side again for each line of the other, and throws most of it away. */
export const joinsByFilter = (nodes: readonly string[]) =>
  nodes.filter((node) => /^Nested Loop.* with filter$/.test(node));
export const scansWhole = (nodes: readonly string[]) => nodes.filter((node) => node.startsWith('Seq Scan'));
