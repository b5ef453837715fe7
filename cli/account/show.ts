// `account show`
import { isPaidTier } from '../../core/tiers.ts';
import { findAccountOverview, listRecordLines } from '../../db/access/account-overviews.ts';
import { noSuchThing } from '../operator/fail.ts';
import { columns, fields, print, type Printing } from '../operator/print.ts';
import { withDatabase } from '../operator/with-database.ts';
import { presentAccount } from './list.ts';

const MAX_RECORDS = 100;

/** @throws CommanderError when there is no such account */
export async function show(id: string, printing: Printing): Promise<void> {
  const { account, records } = await withDatabase(async (db) => {
    const overview = await findAccountOverview(db, id);
    if (overview === undefined) throw noSuchThing(`account ${id}`);
    return { account: presentAccount(overview), records: await listRecordLines(db, id, MAX_RECORDS) };
  });
  const isUnlocked = isPaidTier(account.tier);
  print(printing, { ...account, isUnlocked, records }, () =>
    [
      fields({
        Account: account.id,
        Name: account.name,
        'Made at': account.createdAt,
        'Highest tier': account.tier,
        'New keys, webhooks': isUnlocked ? 'unlocked' : 'locked: no record is on watch or max',
        'Keys that work': account.keyCount,
        Records: account.recordCount,
      }),
      '',
      columns(
        ['RECORD', 'SLUG', 'TIER', 'STATUS', 'NAME'],
        records.map((record) => [record.id, record.slug, record.tier, record.status, record.name]),
        'No records.',
      ),
    ].join('\n'),
  );
}
