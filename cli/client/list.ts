// `client list`
import { presentConnectedClient } from '../../api/resources/connected-client.ts';
import { listConnectedClients } from '../../db/access/connected-clients.ts';
import { findOwner } from '../key/find-owner.ts';
import { columns, print, type Printing } from '../operator/print.ts';
import { withDatabase } from '../operator/with-database.ts';

export async function list(
  accountId: string,
  { limit, ...printing }: Printing & { limit: number },
): Promise<void> {
  const found = await withDatabase(async (db) => {
    await findOwner(db, accountId, undefined);
    return listConnectedClients(db, accountId, 'desc', { after: null, limit });
  });
  const connectedClients = found.slice(0, limit).map(presentConnectedClient);
  const hasMore = found.length > limit;
  print(printing, { count: connectedClients.length, hasMore, connectedClients }, () =>
    columns(
      ['CONNECTION', 'SCOPE', 'SINCE', 'LAST USED', 'NAME'],
      connectedClients.map(({ id, scope, createdAt, lastUsedAt, name }) => [
        id,
        scope,
        createdAt,
        lastUsedAt,
        name,
      ]),
      'No clients.',
    ),
  );
}
