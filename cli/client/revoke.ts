// `client revoke`
import { presentConnectedClient } from '../../api/resources/connected-client.ts';
import { findConnectedClient, revokeConnectedClient } from '../../db/access/connected-clients.ts';
import { notFound } from '../operator/fail.ts';
import { print, type Printing } from '../operator/print.ts';
import { withDatabase } from '../operator/with-database.ts';

/** @throws CommanderError when there is no such connection */
export async function revoke(id: string, printing: Printing): Promise<void> {
  const client = await withDatabase(async (db) => {
    const found = await findConnectedClient(db, id);
    if (found !== undefined) await revokeConnectedClient(db, found.accountId, id);
    return found;
  });
  if (client === undefined) throw notFound(`connected client ${id}`);
  const shown = presentConnectedClient(client);
  print(printing, shown, () => `${shown.name} is disconnected: its tokens work no more.`);
}
