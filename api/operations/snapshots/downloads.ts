// Snapshots and delta events as files.
import { Type } from 'typebox';
import { ApiError } from '../../../core/errors.ts';
import { CSV_ESCAPES, type CsvEscape } from '../../../core/export/csv-cell.ts';
import { hasPairs, readEventColumns } from '../../../db/rows/delta-rows.ts';
import type { TrackedRecord } from '../../../db/records/records.ts';
import { findSnapshot } from '../../../db/rows/snapshots.ts';
import { invalidParameter, notFound } from '../../contract/errors.ts';
import {
  deltaFile,
  exportSchema,
  FILE_FORMATS,
  type FileFormat,
  type FileKind,
  snapshotFile,
} from '../../snapshots/export-files.ts';
import { eventReference, recordParams, snapshotParams } from '../../input/fields.ts';
import { getRecord, keyFieldsOf, openEvent } from '../../access/find-named.ts';
import { defineOperation } from '../../contract/operation.ts';
import { columnsOf, readSelection, requireColumns, selectionQuery } from '../../input/row-selection.ts';

export const kindFields = {
  format: Type.Optional(Type.Enum([...FILE_FORMATS], { description: '`csv` by default.' })),
  escape: Type.Optional(
    Type.Enum([...CSV_ESCAPES], {
      description:
        'Of CSV: `spreadsheet` puts an apostrophe before each cell that a spreadsheet could take for a formula, ' +
        'except numbers, and before those that begin with one; removing it restores the cell. `none` by default.',
    }),
  ),
};

const CSV = `CSV follows RFC 4180, in UTF-8, with \`\\n\` as line end: a header, then the rows by key, byte by byte. Missing values and null are empty cells; arrays are written as JSON text. JSON Lines contain each row as it is stored, numbers as the origin wrote them.

The file is streamed. If the connection is reset, it is incomplete: download it again. \`ETag\` and \`If-None-Match\` work, \`Accept-Encoding\` may ask for gzip or zstd; \`Range\` is not supported. An account may have eight downloads at once.`;

const SELECTION =
  'With `search` and `filter`, the file has the rows that all pages of the row listing would have, and `filtered` in its name. It is read in parts, which count as searches: if too many are waiting, the download is refused before it begins (429).';

export const downloadSnapshot = defineOperation({
  name: 'downloadSnapshot',
  tag: 'Snapshots',
  scope: 'download',
  summary: 'Download a snapshot as a CSV or JSON Lines file; `latest` for the latest one',
  description: `${CSV}

${SELECTION}`,
  errors: ['gone', 'validation_failed', 'query_too_expensive'],
  http: { method: 'GET', path: '/v1/sources/:id/snapshots/:snapshotId/download' },
  params: snapshotParams,
  query: { ...kindFields, ...selectionQuery },
  output: exportSchema,
  async run(ctx, { snapshotId, format, escape, ...selected }) {
    const record = getRecord(ctx);
    const snapshot = await findSnapshot(ctx.db, record.id, snapshotIdOf(record, snapshotId));
    if (snapshot === undefined) throw notFound();
    const kind = readKind({ format, escape });
    const selection = readSelection(selected);
    requireColumns(columnsOf(selection), snapshot.columns);
    const keyFields = keyFieldsOf(record, snapshot);
    const { credentialId } = ctx.principal;
    return snapshotFile({ ...ctx, credentialId }, record, { ...snapshot, keyFields }, kind, selection);
  },
});

export const downloadDelta = defineOperation({
  name: 'downloadDelta',
  tag: 'Changes',
  scope: 'read',
  summary: 'Download the rows of a delta event as a CSV or JSON Lines file; `latest` for the latest one',
  description:
    'JSON Lines contain the rows in the form of the listing. CSV begins with the columns `change_type`, `row` and ' +
    '`key`, followed by those of the data, the current ones first; a new row has one line (`after`), a deleted one ' +
    'too (`before`), a changed one both. If the record pairs similar rows, or the event has such pairs, ' +
    '`previous_key` follows `key`. Columns of the data keep their names: if one is named like one of these, ' +
    'that one is prefixed with underscores. Otherwise like the download of a snapshot.',
  errors: ['gone'],
  http: { method: 'GET', path: '/v1/sources/:id/delta/:deltaEventId/download' },
  params: { ...recordParams, deltaEventId: eventReference },
  query: kindFields,
  output: exportSchema,
  async run(ctx, { deltaEventId, ...given }) {
    const record = getRecord(ctx);
    const event = await openEvent(ctx, record.id, deltaEventId);
    const kind = readKind(given);
    const columns = await readEventColumns(ctx.db, event);
    const hasPreviousKey =
      kind.format === 'csv' && (record.pairing !== null || (await hasPairs(ctx.db, event, record.recordNo)));
    const { credentialId } = ctx.principal;
    return deltaFile({ ...ctx, credentialId }, record, event, { columns, hasPreviousKey }, kind);
  },
});

/** @throws ApiError invalid_parameter for `escape` with a format other than CSV */
function readKind({
  format = 'csv',
  escape = 'none',
}: {
  format?: FileFormat | undefined;
  escape?: CsvEscape | undefined;
}): FileKind {
  if (format === 'csv' || escape === 'none') return { format, escape };
  throw invalidParameter('escape', 'is for CSV only');
}

/**
 * @param reference an id, or `latest`
 * @throws ApiError not_found when there is no snapshot yet
 */
export function snapshotIdOf({ snapshotId }: TrackedRecord, reference: string): string {
  if (reference !== 'latest') return reference;
  if (snapshotId === null) throw new ApiError('not_found', 'No check of this record has found data yet.');
  return snapshotId;
}
