// What a snapshot and a delta event are as files.
import { type CsvEscape, csvHeader } from '../core/export/csv-cell.ts';
import { createCsvRows } from '../core/export/csv-rows.ts';
import { deltaCsvHeader, deltaCsvLines, deltaJsonLine } from '../core/export/delta-lines.ts';
import { jsonLines } from '../core/export/json-lines.ts';
import type { Tier } from '../core/tiers.ts';
import type { DeltaRow } from '../db/delta-rows.ts';
import type { DeltaEventRow } from '../db/delta-events.ts';
import { exportDeltaRows } from '../db/export-delta-rows.ts';
import { exportRows } from '../db/export-rows.ts';
import type { SnapshotRow } from '../db/snapshots.ts';
import type { PublicContext } from './context.ts';
import { type FileAnswer, fileAnswer, fileSchema } from './file-answer.ts';

export const FILE_FORMATS = ['csv', 'jsonl'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export interface FileKind {
  format: FileFormat;
  /** Of CSV only. */
  escape: CsvEscape;
}

const MEDIA_TYPES = { csv: 'text/csv', jsonl: 'application/jsonl' } as const;

/** How rows are written. Another number for each change, so that no entity tag ever names two contents. */
const WRITING = 1;

/** Output schema of what answers with these files. */
export const exportSchema = fileSchema(Object.values(MEDIA_TYPES));

interface Owner {
  recordNo: number;
  accountId: string;
  slug: string;
  tier: Tier;
}

type Piece = string | Uint8Array;

type Exported = Pick<SnapshotRow, 'id' | 'generation' | 'sequence' | 'createdAt' | 'totalRows' | 'columns'>;

type Reading = Pick<PublicContext, 'heavyDb' | 'signal'>;

export function snapshotFile(
  { heavyDb, signal }: Reading,
  owner: Owner,
  snapshot: Exported,
  { format, escape }: FileKind,
): FileAnswer {
  const { id, generation, sequence, totalRows, columns, createdAt } = snapshot;
  const place = { recordNo: owner.recordNo, generation, sequence, totalRows };
  async function* lines(): AsyncGenerator<Piece> {
    const toLines = format === 'csv' ? createCsvRows(columns, escape) : jsonLines;
    for await (const page of exportRows(heavyDb, place)) yield toLines(page);
  }
  const open = () => (format === 'csv' ? after(csvHeader(columns, escape), lines()) : lines());
  return describe(owner, { format, escape }, { id, label: String(sequence), at: createdAt, open, signal });
}

/** @param columns of the versions before and after it */
export function deltaFile(
  { heavyDb, signal }: Reading,
  owner: Owner,
  event: DeltaEventRow,
  columns: readonly string[],
  { format, escape }: FileKind,
): FileAnswer {
  const { id, recordId, newCount, changedCount, deletedCount, number, detectedAt } = event;
  const rowCount = event.isNoChange ? 0 : newCount + changedCount + deletedCount;
  const place = { id, recordId, recordNo: owner.recordNo, rowCount };
  const toLines = (row: DeltaRow) =>
    format === 'csv' ? deltaCsvLines(row, columns, escape) : deltaJsonLine(row);
  async function* lines(): AsyncGenerator<Piece> {
    for await (const rows of exportDeltaRows(heavyDb, place)) yield rows.map(toLines).join('');
  }
  const open = () => (format === 'csv' ? after(deltaCsvHeader(columns, escape), lines()) : lines());
  return describe(
    owner,
    { format, escape },
    { id, label: `changes-${number}`, at: detectedAt, open, signal },
  );
}

/** Not before there is a first piece, or none: until then, what goes wrong can still be answered. */
async function* after(header: string, pieces: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
  let isBegun = false;
  for await (const piece of pieces) {
    if (!isBegun) yield header;
    isBegun = true;
    yield piece;
  }
  if (!isBegun) yield header;
}

function describe(
  { slug, accountId, tier }: Owner,
  { format, escape }: FileKind,
  {
    id,
    label,
    at,
    open,
    signal,
  }: { id: string; label: string; at: Date; open: FileAnswer['open']; signal: AbortSignal },
): FileAnswer {
  return fileAnswer({
    contentType: `${MEDIA_TYPES[format]}; charset=utf-8`,
    fileName: `${slug}-${label}-${at.toISOString().slice(0, 10)}.${format}`,
    etag: [id, `v${WRITING}`, format, ...(escape === 'none' ? [] : [escape])].join('.'),
    owner: { accountId, isAnonymous: tier === 'anonymous' },
    closing: signal,
    open,
  });
}
