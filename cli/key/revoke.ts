// `key revoke`
import { presentApiKey } from '../../api/resources/api-key.ts';
import { findApiKey, revokeApiKey } from '../../db/access/api-keys.ts';
import { auditOperator } from '../operator/audit.ts';
import { noSuchThing } from '../operator/fail.ts';
import { print, type Printing } from '../operator/print.ts';
import { withDatabase } from '../operator/with-database.ts';

/** Revoking again changes nothing. @throws CommanderError when there is no such key */
export async function revoke(id: string, printing: Printing): Promise<void> {
  const revoked = await withDatabase(async (db) => {
    const key = await findApiKey(db, id);
    if (key === undefined) return undefined;
    await db.transaction(async (trx) => {
      const { accountId } = key;
      if ((await revokeApiKey(trx, key, id))?.isRevokedNow !== true) return;
      await auditOperator(trx, { action: 'api_key.revoke', accountId, target: key });
    });
    return findApiKey(db, id);
  });
  if (revoked === undefined) throw noSuchThing(`key ${id}`);
  const shown = presentApiKey(revoked);
  print(
    printing,
    shown,
    () => `${shown.name} (${shown.prefix}…${shown.last4}) stopped working at ${shown.revokedAt}.`,
  );
}
