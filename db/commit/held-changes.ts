// What a held body would change, as its check tells it to the person who decides.
import type { HeldChanges } from './commit-facts.ts';
import type { DeltaCounts } from '../rows/delta-rows.ts';
import { type Knex, rawRows } from '../driver/knex.ts';

/** Of each kind: a key may take 1,024 bytes. */
const MAX_KEYS = 20;

const keysOf = (changeType: keyof DeltaCounts): string =>
  `array(select row_key from differing where change_type = '${changeType}' order by row_key limit ${MAX_KEYS})`;

/** To be asked when the temporary table `differing` is there. */
export async function heldChanges(
  trx: Knex.Transaction,
  counts: DeltaCounts,
  totalCount: number,
): Promise<HeldChanges> {
  const [keys] = await rawRows<Pick<HeldChanges, 'newKeys' | 'changedKeys' | 'deletedKeys'>>(
    trx,
    `select ${keysOf('new')} as "newKeys", ${keysOf('changed')} as "changedKeys", ${keysOf('deleted')} as "deletedKeys"`,
  );
  if (keys === undefined) throw new Error('A query without a table gave no row');
  return {
    newCount: counts.new,
    changedCount: counts.changed,
    deletedCount: counts.deleted,
    totalCount,
    ...keys,
  };
}
