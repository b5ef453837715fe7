// `account sign-in-link`
import { createLink, linkUrl } from '../../api/auth/links.ts';
import { addUser } from '../../api/auth/new-user.ts';
import type { Database } from '../../db/driver/knex.ts';
import { findAccountOverview } from '../../db/access/account-overviews.ts';
import { findUserOfAccount, type User } from '../../db/access/users.ts';
import { auditOperator } from '../operator/audit.ts';
import { noSuchThing } from '../operator/fail.ts';
import { fields, print, type Printing } from '../operator/print.ts';
import { withDatabase } from '../operator/with-database.ts';

/** @throws CommanderError when there is no such account */
export async function signInLink(accountId: string, printing: Printing): Promise<void> {
  const { user, url } = await withDatabase(async (db, { baseUrl }) => {
    const made = await db.transaction(async (trx) => {
      const user = await ensureUser(trx, accountId);
      await auditOperator(trx, { action: 'user.create_sign_in_link', accountId, target: user });
      return { user, token: await createLink(trx, { kind: 'sign-in', userId: user.id }) };
    });
    return { user: made.user, url: linkUrl(baseUrl, made.token) };
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
  if (account === undefined) throw noSuchThing(`account ${accountId}`);
  const known = await findUserOfAccount(db, accountId);
  if (known !== undefined) return known;
  const email = `${accountId}@recordwatch.local`;
  const user = await addUser(db, { accountId, email, name: account.name });
  await auditOperator(db, { action: 'user.create', accountId, target: user });
  return user;
}
