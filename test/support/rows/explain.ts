// Returns the plans of the statements that a function sends.
import pg from 'pg';
import { type Database, rawRows } from '../../../db/driver/knex.ts';
import { until } from '../until.ts';

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
  /** Makes PostgreSQL prefer indexes, because the tables of tests are too small for some to pay off. */
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

/** Vacuums until all pages are marked visible, which index-only scans need. A concurrent automatic analysis may delay that. */
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
    // Transaction control has no plan.
    if (!/^(BEGIN|COMMIT|ROLLBACK)/i.test(query.sql)) statements.push(query);
  };
  db.on('query', keep);
  await run();
  db.off('query', keep);
  return statements;
}

function flatten(node: PlanNode): string[] {
  const relation = node['Index Name'] ?? node['Relation Name'];
  const filter = node['Join Filter'] === undefined ? undefined : 'with filter';
  const name = [node['Node Type'], relation, filter].filter(Boolean).join(' ');
  return [name, ...(node.Plans ?? []).flatMap(flatten)];
}

export const hasSort = (nodes: readonly string[]) => nodes.some((node) => /Sort/.test(node));
/** Nested loops that read one side again for each row of the other and discard most rows. */
export const joinsByFilter = (nodes: readonly string[]) =>
  nodes.filter((node) => /^Nested Loop.* with filter$/.test(node));
export const scansWhole = (nodes: readonly string[]) => nodes.filter((node) => node.startsWith('Seq Scan'));
