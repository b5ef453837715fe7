// `keys rotate`. The database itself shows which keys are left, so an interrupted run continues where it stopped.
import { type KeyEncryptionKeys, unwrapDataKey, wrapDataKey } from '../../core/crypto/envelope.ts';
import {
  countDataKeys,
  findClosedDataKeys,
  listDataKeysOfOthers,
  replaceDataKeys,
} from '../../db/accounts/data-keys.ts';
import type { Database, Knex } from '../../db/driver/knex.ts';
import { auditOperator } from '../operator/audit.ts';
import { columns, print, type Printing } from '../operator/print.ts';
import { withDatabase } from '../operator/with-database.ts';

/** In one statement, which locks their accounts for a moment. */
const BATCH = 100;

export interface RotateOptions extends Printing {
  dryRun?: true;
}

/** @throws Error when some keys cannot be opened: all others are sealed under the first key then */
export async function rotate({ dryRun: isDry, ...printing }: RotateOptions): Promise<void> {
  const dryRun = isDry === true;
  const { firstKey, resealed, failed, closed, counts } = await withDatabase(
    async (db, { keyEncryptionKeys }) => {
      const [first] = keyEncryptionKeys.keys();
      if (first === undefined)
        throw new Error('KEY_ENCRYPTION_KEYS is not set: give the value that the API has.');
      const done = dryRun ? { resealed: 0, failed: [] } : await resealAll(db, keyEncryptionKeys, first);
      // Another key of the same id seals some when somebody made the key anew.
      const closed = dryRun ? undefined : await findClosedDataKeys(db, keyEncryptionKeys);
      return { ...done, firstKey: first, closed, counts: await countDataKeys(db) };
    },
  );
  if (failed.length > 0) {
    throw new Error(
      `${failed.length} data keys cannot be opened by KEY_ENCRYPTION_KEYS, such as that of ${failed[0]}. ` +
        `${resealed} others were sealed under ${firstKey}. Add the missing key and repeat the command.`,
    );
  }
  if (closed !== undefined) throw new Error(`${closed} Add the missing keys and repeat the command.`);
  const keys = counts.map(({ keyId, count }) => ({ id: keyId, dataKeys: count }));
  const left = keys.filter(({ id }) => id !== firstKey).reduce((sum, { dataKeys }) => sum + dataKeys, 0);
  print(printing, { firstKey, dryRun, resealed, left, keys }, () =>
    [
      columns(['KEY', 'DATA KEYS'], keys.map(({ id, dataKeys }) => [id, dataKeys]), 'No data keys.'), // prettier-ignore
      '',
      inWords({ firstKey, dryRun, resealed, left }),
    ].join('\n'),
  );
}

interface Outcome {
  firstKey: string;
  dryRun: boolean;
  resealed: number;
  left: number;
}

function inWords({ firstKey, dryRun, resealed, left }: Outcome): string {
  if (dryRun) return `${left} data keys would be sealed under ${firstKey}.`;
  if (left > 0) {
    return `${resealed} data keys were sealed under ${firstKey}. ${left} are new and under an older key: restart every API with the new KEY_ENCRYPTION_KEYS, and repeat the command.`;
  }
  return `${resealed} data keys were sealed under ${firstKey}, which has sealed all of them now. The other keys can be removed from KEY_ENCRYPTION_KEYS.`;
}

async function resealAll(
  db: Database,
  keks: KeyEncryptionKeys,
  first: string,
): Promise<{ resealed: number; failed: string[] }> {
  const failed: string[] = [];
  let resealed = 0;
  for (let after = ''; ;) {
    const page = await listDataKeysOfOthers(db, first, after, BATCH);
    const rewrapped = page.flatMap(({ accountId, wrapped }) => {
      try {
        const dataKey = unwrapDataKey(keks, accountId, wrapped);
        return [{ accountId, wrapped, rewrapped: wrapDataKey(keks, accountId, dataKey) }];
      } catch {
        failed.push(accountId);
        return [];
      }
    });
    resealed += await db.transaction((trx) => replaceAndAudit(trx, rewrapped));
    const last = page.at(-1);
    if (last === undefined) return { resealed, failed };
    after = last.accountId;
  }
}

/** @returns how many keys were replaced */
async function replaceAndAudit(
  trx: Knex.Transaction,
  keys: Parameters<typeof replaceDataKeys>[1],
): Promise<number> {
  const accountIds = await replaceDataKeys(trx, keys);
  for (const accountId of accountIds) {
    await auditOperator(trx, { action: 'account.rotate_key', accountId, target: { id: accountId } });
  }
  return accountIds.length;
}
