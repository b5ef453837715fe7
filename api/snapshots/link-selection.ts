// Which rows a download link leads to: from the body that asks for it into the link, and back.
import type { DownloadGrant } from '../../core/crypto/download-token.ts';
import type { RowSelection } from '../../db/rows/row-filters.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import type { Context } from '../contract/context.ts';
import { invalidField } from '../contract/errors.ts';
import { openSnapshot } from './open-snapshot.ts';
import { columnsOf, isEverything, readSelection, requireColumns } from '../input/row-selection.ts';

/** Some programs take URLs of at most 2,083 characters; encrypted, this is as much as two thirds of one. */
const MAX_BYTES = 1_100;

type Asked = Parameters<typeof readSelection>[0];

/**
 * As the link carries it: null for all rows.
 * @throws ApiError validation_failed for columns that the snapshot does not have, and for what a URL cannot hold
 */
export async function sealableSelection(
  ctx: Pick<Context, 'db'>,
  record: TrackedRecord,
  snapshotId: string,
  asked: Asked,
): Promise<DownloadGrant['selection']> {
  if (asked.search === undefined && (asked.field ?? []).length > 0) {
    throw invalidField('/field', 'invalid_value', 'says where to search, so it needs search');
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

export function selectionOf({ selection }: Pick<DownloadGrant, 'selection'>): RowSelection {
  if (selection === null) return readSelection({});
  // Links are authentic: this is what was sealed.
  const found: RowSelection = JSON.parse(selection);
  return found;
}

function tooLong(asked: Asked) {
  const [[name] = ['filter']] = Object.entries(asked)
    .map(([member, value]) => [member, JSON.stringify(value).length] as const)
    .toSorted(([, left], [, right]) => right - left);
  const detail = 'is too long for a link: ask for less, or download with a credential';
  return invalidField(`/${name}`, 'too_long', detail);
}
