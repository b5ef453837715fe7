// Download links: creates one for the selected rows, and follows it.
import { Type } from 'typebox';
import { type DownloadGrant, openDownload, sealDownload } from '../../../core/crypto/download-token.ts';
import type { RowSelection } from '../../../db/rows/row-filters.ts';
import type { TrackedRecord } from '../../../db/records/records.ts';
import type { Context } from '../../contract/context.ts';
import { invalidField, notFound } from '../../contract/errors.ts';
import { getRecord, openSnapshot } from '../../access/find-named.ts';
import {
  columnsOf,
  isEverything,
  readSelection,
  requireColumns,
  selectionQuery,
} from '../../input/row-selection.ts';
import { ApiError } from '../../../core/errors.ts';
import { findDownload, startDownload } from '../../../db/rows/download-links.ts';
import { exportSchema, snapshotFile } from '../../snapshots/export-files.ts';
import { snapshotParams } from '../../input/fields.ts';
import { defineOperation, definePublicOperation } from '../../contract/operation.ts';
import { time } from '../../resources/shapes.ts';
import { kindFields, snapshotIdOf } from './downloads.ts';

/** Some programs accept URLs of at most 2,083 characters. Encrypted, this takes about two thirds of that. */
const MAX_BYTES = 1_100;

type Asked = Parameters<typeof readSelection>[0];

/**
 * The selection for the link; null for all rows.
 * @throws ApiError validation_failed for columns that the snapshot lacks, and for a selection that is too long for a URL
 */
async function sealableSelection(
  ctx: Pick<Context, 'db'>,
  record: TrackedRecord,
  snapshotId: string,
  asked: Asked,
): Promise<DownloadGrant['selection']> {
  if (asked.search === undefined && (asked.field ?? []).length > 0) {
    throw invalidField('/field', 'invalid_value', 'needs search, because it says where to search');
  }
  const selection = readSelection(asked);
  if (isEverything(selection)) return null;
  const text = JSON.stringify(selection);
  if (Buffer.byteLength(text) > MAX_BYTES) throw tooLong(asked);
  const { columns } = await openSnapshot(ctx, record, snapshotId);
  const named = columnsOf(selection, 'body').map(({ pointer, column }) => ({
    pointer: pointer === 'field' ? '/field' : pointer,
    column,
  }));
  requireColumns(named, columns);
  return text;
}

function selectionOf({ selection }: Pick<DownloadGrant, 'selection'>): RowSelection {
  if (selection === null) return readSelection({});
  // A link is authenticated, so this is what was sealed.
  const found: RowSelection = JSON.parse(selection);
  return found;
}

function tooLong(asked: Asked) {
  const [[name] = ['filter']] = Object.entries(asked)
    .map(([member, value]) => [member, JSON.stringify(value).length] as const)
    .toSorted(([, left], [, right]) => right - left);
  const detail = 'is too long for a link: select less, or download with a credential';
  return invalidField(`/${name}`, 'too_long', detail);
}

const LINK_SECONDS = 15 * 60;

export const createDownloadLink = defineOperation({
  name: 'createDownloadLink',
  audit: null,
  tag: 'Snapshots',
  scope: 'download',
  summary: 'Create a link to a snapshot’s file that works for 15 minutes without a credential',
  description:
    'Anyone with the link can use it any number of times, so treat it as a secret. It ends early when the credential ' +
    'that created it is revoked or ends, and when the record is deleted. `search`, `field` and `filter` are those of ' +
    'the download. The link contains them, encrypted, so they must be short enough for a URL (some 1,000 characters).',
  http: { method: 'POST', path: '/v1/sources/:id/snapshots/:snapshotId/download-links', status: 201 },
  params: snapshotParams,
  body: { ...kindFields, ...selectionQuery },
  output: Type.Object(
    { url: Type.String({ description: 'The link.' }), expiresAt: time },
    { title: 'DownloadLink' },
  ),
  secrets: ['url'],
  async run(ctx, { snapshotId: reference, format = 'csv', escape = 'none', ...selected }) {
    if (format !== 'csv' && escape !== 'none')
      throw invalidField('/escape', 'invalid_value', 'is for CSV only');
    const record = getRecord(ctx);
    const snapshotId = snapshotIdOf(record, reference);
    const expiresAt = await startDownload(ctx.db, record.id, snapshotId, LINK_SECONDS);
    if (expiresAt === undefined) throw notFound();
    const selection = await sealableSelection(ctx, record, snapshotId, selected);
    const { keyEncryptionKeys, baseUrl } = ctx.config;
    const { credentialId } = ctx.principal;
    const expiresAtMs = expiresAt.getTime();
    const grant = { snapshotId, format, escape, selection, credentialId, expiresAtMs };
    const url = `${baseUrl}/v1/downloads?token=${sealDownload(keyEncryptionKeys, grant)}`;
    return { url, expiresAt: expiresAt.toISOString() };
  },
});

export const followDownloadLink = definePublicOperation({
  name: 'followDownloadLink',
  tag: 'Snapshots',
  summary: 'Download the file of a link',
  description: '404 for a token that was never issued, 410 for a link that has ended.',
  errors: ['not_found', 'gone', 'query_too_expensive'],
  http: { method: 'GET', path: '/v1/downloads' },
  query: { token: Type.String({ minLength: 1, maxLength: 2_048, description: 'The token from the link.' }) },
  output: exportSchema,
  async run(ctx, { token }) {
    const grant = openDownload(ctx.config.keyEncryptionKeys, token);
    if (grant === undefined)
      throw new ApiError('not_found', 'There is no such link. Check that you copied all of it.');
    const snapshot = await findDownload(ctx.db, grant);
    if (snapshot === undefined) throw new ApiError('gone', 'This link has expired. Create another one.');
    const { credentialId } = grant;
    return snapshotFile({ ...ctx, credentialId }, snapshot, snapshot, grant, selectionOf(grant));
  },
});
