// `key list`
import { presentApiKey } from '../../api/resources/api-key.ts';
import { listApiKeys } from '../../db/access/api-keys.ts';
import { columns, print, type Printing } from '../operator/print.ts';
import { withDatabase } from '../operator/with-database.ts';
import { findOwner } from './find-owner.ts';

export interface ListKeysOptions extends Printing {
  record?: string;
  limit: number;
}

export async function list(
  accountId: string,
  { record, limit, ...printing }: ListKeysOptions,
): Promise<void> {
  const found = await withDatabase(async (db) =>
    listApiKeys(db, await findOwner(db, accountId, record), 'desc', { after: null, limit }),
  );
  const apiKeys = found.slice(0, limit).map(presentApiKey);
  const hasMore = found.length > limit;
  print(printing, { count: apiKeys.length, hasMore, apiKeys }, () =>
    columns(
      ['KEY', 'BEGINS', 'ENDS', 'SCOPE', 'STATE', 'LAST USED', 'NAME'],
      apiKeys.map((key) => [
        key.id,
        key.prefix,
        key.last4,
        key.scope,
        stateOf(key),
        key.lastUsedAt,
        key.name,
      ]),
      'No keys.',
    ),
  );
}

function stateOf({ revokedAt, expiresAt }: ReturnType<typeof presentApiKey>): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`;
  if (expiresAt === null) return 'works';
  return Date.parse(expiresAt) > Date.now() ? `works until ${expiresAt}` : `expired ${expiresAt}`;
}
