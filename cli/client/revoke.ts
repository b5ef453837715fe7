// `client revoke`
import { presentConnectedClient } from '../../api/resources/connected-client.ts';
import { findConnectedClient, revokeConnectedClient } from '../../db/access/connected-clients.ts';
import { auditOperator } from '../operator/audit.ts';
import { noSuchThing } from '../operator/fail.ts';
import { print, type Printing } from '../operator/print.ts';
import { withDatabase } from '../operator/with-database.ts';

/** @throws CommanderError when there is no such connection */
export async function revoke(id: string, printing: Printing): Promise<void> {
  const client = await withDatabase(async (db) => {
    const found = await findConnectedClient(db, id);
    if (found === undefined) return undefined;
    await db.transaction(async (trx) => {
      const { accountId } = found;
      if ((await revokeConnectedClient(trx, accountId, id)) === undefined) return;
      await auditOperator(trx, { action: 'client.disconnect', accountId, target: found });
    });
    return found;
  });
  if (client === undefined) throw noSuchThing(`connected client ${id}`);
  const shown = presentConnectedClient(client);
  print(printing, shown, () => `${shown.name} is disconnected: its tokens no longer work.`);
}
