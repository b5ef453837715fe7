// `account list`
import { type AccountOverview, listAccounts } from '../../db/access/account-overviews.ts';
import { columns, print, type Printing } from '../operator/print.ts';
import { withDatabase } from '../operator/with-database.ts';

export interface ListAccountsOptions extends Printing {
  limit: number;
  after?: string;
}

export async function list({ limit, after, ...printing }: ListAccountsOptions): Promise<void> {
  const found = await withDatabase((db) => listAccounts(db, after ?? null, limit));
  const accounts = found.slice(0, limit).map(presentAccount);
  const hasMore = found.length > limit;
  print(printing, { count: accounts.length, hasMore, accounts }, () =>
    [
      columns(
        ['ACCOUNT', 'MADE AT', 'TIER', 'RECORDS', 'KEYS', 'NAME'],
        accounts.map(({ id, createdAt, tier, recordCount, keyCount, name }) => [
          id,
          createdAt,
          tier,
          recordCount,
          keyCount,
          name,
        ]),
        'No accounts.',
      ),
      ...(hasMore ? [`More follow: --after ${accounts.at(-1)?.id}`] : []),
    ].join('\n'),
  );
}

/** An account as the operator's commands show it. */
export const presentAccount = ({ createdAt, ...account }: AccountOverview) => ({
  ...account,
  createdAt: createdAt.toISOString(),
});
