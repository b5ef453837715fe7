// Snapshots and delta events as files: names, tags, headers and rows.
import { hash } from 'node:crypto';
import { type CsvEscape, csvHeader } from '../../core/export/csv-cell.ts';
import { createCsvRows } from '../../core/export/csv-rows.ts';
import {
  type DeltaCsv,
  deltaCsvHeader,
  deltaCsvLines,
  deltaJsonLine,
} from '../../core/export/delta-lines.ts';
import { jsonLines } from '../../core/export/json-lines.ts';
import type { Tier } from '../../core/tiers.ts';
import { mayStillRead } from '../../db/rows/download-links.ts';
import { type DeltaRow, exportDeltaRows } from '../../db/rows/delta-rows.ts';
import type { DeltaEventRow } from '../../db/rows/delta-events.ts';
import { exportRows } from '../../db/rows/export-rows.ts';
import { exportSelectedRows } from '../../db/rows/selected-rows.ts';
import type { RowSelection } from '../../db/rows/row-filters.ts';
import type { SnapshotRow } from '../../db/rows/snapshots.ts';
import type { PublicContext } from '../contract/context.ts';
import { type FileAnswer, fileAnswer, fileSchema } from '../http/files.ts';
import { readFileSlowly } from '../capacity/slow-reads.ts';
import { isEverything } from '../input/row-selection.ts';

export const FILE_FORMATS = ['csv', 'jsonl'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export interface FileKind {
  format: FileFormat;
  /** Of CSV only. */
  escape: CsvEscape;
}

const MEDIA_TYPES = { csv: 'text/csv', jsonl: 'application/jsonl' } as const;

/** The version of the file format. It is part of the entity tag: increment it with each change of the bytes. */
const WRITING = 1;

/** Output schema of operations that respond with these files. */
export const exportSchema = fileSchema(Object.values(MEDIA_TYPES));

interface Owner {
  recordNo: number;
  accountId: string;
  slug: string;
  tier: Tier;
}

type Piece = string | Uint8Array;

type Exported = Pick<
  SnapshotRow,
  'id' | 'generation' | 'sequence' | 'createdAt' | 'totalRows' | 'columns' | 'bytes'
> & {
  /** The key columns; empty if unknown. */
  keyFields: readonly string[];
};

interface Reading extends Pick<PublicContext, 'db' | 'heavyDb' | 'capacity' | 'signal'> {
  /** The credential that the file is sent to. */
  credentialId: string;
}

/** @param selection its columns are in the snapshot */
export function snapshotFile(
  reading: Reading,
  owner: Owner,
  snapshot: Exported,
  { format, escape }: FileKind,
  selection: RowSelection,
): FileAnswer {
  const { id, sequence, columns, createdAt: at } = snapshot;
  const ref = { ...snapshot, recordNo: owner.recordNo };
  const isWhole = isEverything(selection);
  async function* lines(): AsyncGenerator<Piece> {
    const toLines = format === 'csv' ? createCsvRows(columns, escape) : jsonLines;
    const pages = isWhole
      ? exportRows(reading.heavyDb, ref)
      : exportSelectedRows(readFileSlowly(reading, owner), ref, selection);
    for await (const page of pages) yield toLines(page);
  }
  const open = () => (format === 'csv' ? after(csvHeader(columns, escape), lines()) : lines());
  const content = isWhole ? id : `${id}.${hash('sha256', JSON.stringify(selection), 'base64url')}`;
  // The name shows that the file is not the whole snapshot.
  const label = isWhole ? String(sequence) : `${sequence}-filtered`;
  return describe(reading, owner, { format, escape }, { id: content, label, at, open });
}

/** How the rows of an event are written as CSV, whatever the escape. */
type DeltaColumns = Pick<DeltaCsv, 'columns' | 'hasPreviousKey'>;

/** @param shape its columns are those of the snapshots before and after */
export function deltaFile(
  reading: Reading,
  owner: Owner,
  event: DeltaEventRow,
  shape: DeltaColumns,
  { format, escape }: FileKind,
): FileAnswer {
  const { id, recordId, newCount, changedCount, deletedCount, number, detectedAt } = event;
  const rowCount = event.isNoChange ? 0 : newCount + changedCount + deletedCount;
  const ref = { id, recordId, recordNo: owner.recordNo, rowCount };
  const csv = { ...shape, escape };
  const toLines = (row: DeltaRow) => (format === 'csv' ? deltaCsvLines(row, csv) : deltaJsonLine(row));
  async function* lines(): AsyncGenerator<Piece> {
    for await (const rows of exportDeltaRows(reading.heavyDb, ref)) yield rows.map(toLines).join('');
  }
  // The setting of the record adds the column also to files of past events.
  const content = shape.hasPreviousKey ? `${id}.pairs` : id;
  const open = () => (format === 'csv' ? after(deltaCsvHeader(csv), lines()) : lines());
  return describe(
    reading,
    owner,
    { format, escape },
    { id: content, label: `changes-${number}`, at: detectedAt, open },
  );
}

/** Sends the header only once the first piece is ready: until then an error still gets an error response. */
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
  { db, signal, credentialId }: Reading,
  { slug, accountId, recordNo, tier }: Owner,
  { format, escape }: FileKind,
  { id, label, at, open }: { id: string; label: string; at: Date; open: FileAnswer['open'] },
): FileAnswer {
  return fileAnswer({
    contentType: `${MEDIA_TYPES[format]}; charset=utf-8`,
    fileName: `${slug}-${label}-${at.toISOString().slice(0, 10)}.${format}`,
    etag: [id, `v${WRITING}`, format, ...(escape === 'none' ? [] : [escape])].join('.'),
    owner: { accountId, isAnonymous: tier === 'anonymous' },
    closing: signal,
    open: () => stopWhenRevoked(open(), () => mayStillRead(db, { recordNo, credentialId })),
  });
}

const EVERY_MS = 2_000;

/** @throws Error when access was revoked meanwhile */
async function* stopWhenRevoked<T>(
  pieces: AsyncIterable<T>,
  isAllowed: () => Promise<boolean>,
): AsyncGenerator<T> {
  let askedAtMs = performance.now();
  for await (const piece of pieces) {
    if (performance.now() - askedAtMs > EVERY_MS) {
      if (!(await isAllowed())) throw new Error('The credential of the download has ended');
      askedAtMs = performance.now();
    }
    yield piece;
  }
}
