// How PostgreSQL would carry out the statements that a function sends.
import pg from 'pg';
import type { Database } from '../../db/knex.ts';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
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
  const name = [node['Node Type'], node['Index Name'] ?? node['Relation Name']].filter(Boolean).join(' ');
  return [name, ...(node.Plans ?? []).flatMap(flatten)];
}

export const hasSort = (nodes: readonly string[]) => nodes.some((node) => /Sort/.test(node));
export const scansWhole = (nodes: readonly string[]) => nodes.filter((node) => node.startsWith('Seq Scan'));
