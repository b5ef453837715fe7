// `account sign-in-link`
import { createLink, linkUrl } from '../../api/auth/links.ts';
import { addUser } from '../../api/auth/new-user.ts';
import type { Database } from '../../db/driver/knex.ts';
import { findAccountOverview } from '../../db/access/account-overviews.ts';
import { findUserOfAccount, type User } from '../../db/access/users.ts';
import { notFound } from '../operator/fail.ts';
import { fields, print, type Printing } from '../operator/print.ts';
import { withDatabase } from '../operator/with-database.ts';

/** @throws CommanderError when there is no such account */
export async function signInLink(accountId: string, printing: Printing): Promise<void> {
  const { user, url } = await withDatabase(async (db, { baseUrl }) => {
    const user = await ensureUser(db, accountId);
    return { user, url: linkUrl(baseUrl, await createLink(db, { kind: 'sign-in', userId: user.id })) };
  });
  print(printing, { user, url }, () =>
    [
      fields({ Account: accountId, User: user.email, Link: url }),
      '',
      'It works once, within an hour. Anyone who opens it can sign in as this user.',
    ].join('\n'),
  );
}

/** An account that was made with a key alone has no user. Its first one gets an address to which no mail goes. */
async function ensureUser(db: Database, accountId: string): Promise<User> {
  const account = await findAccountOverview(db, accountId);
  if (account === undefined) throw notFound(`account ${accountId}`);
  const known = await findUserOfAccount(db, accountId);
  return known ?? addUser(db, { accountId, email: `${accountId}@recordwatch.local`, name: account.name });
}
