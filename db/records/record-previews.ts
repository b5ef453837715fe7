// Previews of records that do not exist yet: the API asks, a worker answers by fetching the URL, and the answer is read once.
import type { CheckWarning, Format } from '../../core/checks.ts';
import type { Quoting } from '../../core/delta/model.ts';
import type { Pairing } from '../../core/delta/pair-similar.ts';
import type { ColumnRules } from '../../core/delta/rules/column-rules.ts';
import type { CheckErrorCode } from '../../core/errors.ts';
import type { AuthType } from '../../core/source-credentials.ts';
import type { Tier } from '../../core/tiers.ts';
import { type Database, rawRows } from '../driver/knex.ts';

/** The settings that a record would have. Null means detected. */
export interface PreviewedSettings {
  url: string;
  tier: Tier;
  authType: AuthType;
  format: Format | null;
  delimiter: string | null;
  rowsPath: string | null;
  headerRow: number | null;
  quoting: Quoting;
  keyFields: string[] | null;
  ignoreFields: string[];
  rules: ColumnRules;
  /** Shown in the answer: one body has no changes. */
  pairing: Pairing | null;
}

export type RecordPreviewResult =
  /** The result that a first check would have. */
  | {
      kind: 'read';
      format: Format;
      delimiter: string | null;
      rowsPath: string | null;
      /** Null in JSON formats. */
      headerRow: number | null;
      /** Missing in answers of earlier versions, which know no other than `double`. */
      quoting?: Quoting;
      keyFields: string[];
      keyEvidence: unknown;
      columns: string[];
      rowCount: number;
      sizeBytes: number;
      /** The first rows, as JSON object texts. */
      rows: { key: string; data: string }[];
      warnings: CheckWarning[];
    }
  | { kind: 'failed'; code: CheckErrorCode; detail: string }
  | { kind: 'too-slow' };

export async function askRecordPreview(
  db: Database,
  id: string,
  accountId: string,
  { settings, sealed }: { settings: PreviewedSettings; sealed: Buffer | null },
): Promise<void> {
  await db('record_previews').insert({ id, accountId, settings: JSON.stringify(settings), sealed });
}

export interface AskedPreview {
  accountId: string;
  /** What opens the sealed credentials. */
  wrappedDataKey: Buffer;
  settings: PreviewedSettings;
  sealed: Buffer | null;
}

export async function findRecordPreview(db: Database, id: string): Promise<AskedPreview | undefined> {
  const [found] = await rawRows<AskedPreview>(
    db,
    `select account_id as "accountId", wrapped_data_key as "wrappedDataKey", settings, sealed
     from record_previews join accounts on accounts.id = account_id where record_previews.id = ?`,
    [id],
  );
  return found;
}

export async function answerRecordPreview(
  db: Database,
  id: string,
  result: RecordPreviewResult,
): Promise<void> {
  await db('record_previews')
    .where({ id })
    .update({ result: JSON.stringify(result) });
}

/** Reads an answer, and deletes it with its question. @returns undefined when there is none */
export async function popRecordPreview(db: Database, id: string): Promise<RecordPreviewResult | undefined> {
  const [row] = await rawRows<{ result: RecordPreviewResult | null }>(
    db,
    'delete from record_previews where id = ? returning result',
    [id],
  );
  return row?.result ?? undefined;
}
