// Previews of rules: the API asks, a worker answers by reading the record's stored body, and the answer is read once.
import type { CheckWarning } from '../../core/checks.ts';
import type { Quoting } from '../../core/delta/model.ts';
import type { ColumnRules } from '../../core/delta/rules/column-rules.ts';
import type { CheckErrorCode } from '../../core/errors.ts';
import { type Database, rawRows } from '../driver/knex.ts';

/** The rule to preview. */
export interface PreviewedRule {
  /** Null means chosen from the data. */
  keyFields: string[] | null;
  ignoreFields: string[];
  rules: ColumnRules;
  /** Null means detected in the data. */
  headerRow: number | null;
  quoting: Quoting;
}

export type PreviewResult =
  /** The result that a check would have. */
  | {
      kind: 'read';
      /** Null in JSON formats. */
      headerRow: number | null;
      /** Missing in answers of earlier versions, which know no other than `double`. */
      quoting?: Quoting;
      keyFields: string[];
      keyEvidence: unknown;
      columns: string[];
      rowCount: number;
      warnings: CheckWarning[];
    }
  | { kind: 'failed'; code: CheckErrorCode; detail: string }
  | { kind: 'too-slow' };

export async function askPreview(
  db: Database,
  id: string,
  recordId: string,
  rule: PreviewedRule,
): Promise<void> {
  await db('rule_previews').insert({ id, recordId, rule: JSON.stringify(rule) });
}

export async function findPreview(
  db: Database,
  id: string,
): Promise<{ recordId: string; rule: PreviewedRule } | undefined> {
  return db('rule_previews').select('recordId', 'rule').where({ id }).first();
}

export async function answerPreview(db: Database, id: string, result: PreviewResult): Promise<void> {
  await db('rule_previews')
    .where({ id })
    .update({ result: JSON.stringify(result) });
}

/** Reads an answer and deletes it. @returns undefined when there is none */
export async function takePreview(db: Database, id: string): Promise<PreviewResult | undefined> {
  const [row] = await rawRows<{ result: PreviewResult | null }>(
    db,
    'delete from rule_previews where id = ? returning result',
    [id],
  );
  return row?.result ?? undefined;
}
