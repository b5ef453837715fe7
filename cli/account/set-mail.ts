// `account set-mail`
import { Value } from 'typebox/value';
import { changesBetween } from '../../core/audit.ts';
import { endLinks } from '../../api/auth/links.ts';
import { operatorChangedEmailMail } from '../../api/auth/mail/mails.ts';
import { emailField } from '../../api/auth/requests.ts';
import { type Database, isPostgresError } from '../../db/driver/knex.ts';
import { findAccountOverview } from '../../db/access/account-overviews.ts';
import { endLoginSessions } from '../../db/access/login-sessions.ts';
import { findUserOfAccount, setEmail, type User } from '../../db/access/users.ts';
import { auditOperator } from '../operator/audit.ts';
import { misuse, noSuchThing } from '../operator/fail.ts';
import { fields, print, type Printing } from '../operator/print.ts';
import { sendNotices } from '../operator/send-notices.ts';
import { withDatabase } from '../operator/with-database.ts';

/** @throws CommanderError when there is no such account, it has no user, or the address is another user's */
export async function setMail(accountId: string, given: string, printing: Printing): Promise<void> {
  if (!Value.Check(emailField, given)) throw misuse('The new address must be one such as ada@example.com.');
  const email = given.toLowerCase();
  const { user, settings } = await withDatabase(async (db, found) => ({
    user: await replaceEmail(db, accountId, email),
    settings: found,
  }));
  const unsent = await sendNotices(
    settings,
    user.email === email ? [] : [operatorChangedEmailMail(user.email, email)],
  );
  const notes = unsent === undefined ? [] : [`The old address got no mail: ${unsent}.`];
  const changed = { accountId, userId: user.id, email, previousEmail: user.email, notes };
  print(printing, changed, () =>
    [
      fields({ Account: accountId, User: email, Before: user.email }),
      '',
      'Their sessions and links have ended. The password stays as it is.',
      ...notes,
    ].join('\n'),
  );
}

/** @returns the user as they were */
async function replaceEmail(db: Database, accountId: string, email: string): Promise<User> {
  if ((await findAccountOverview(db, accountId)) === undefined) throw noSuchThing(`account ${accountId}`);
  const user = await findUserOfAccount(db, accountId);
  if (user === undefined) throw noSuchThing(`user of ${accountId}: account sign-in-link makes one`);
  try {
    await db.transaction(async (trx) => {
      await endLinks(trx, user.id);
      await endLoginSessions(trx, user.id);
      await setEmail(trx, user.id, email);
      // Last: a change at the same time, whose end the statements before wait for, has made one more.
      await endLinks(trx, user.id, ['undo-email']);
      const changes = changesBetween(user, { email });
      await auditOperator(trx, { action: 'user.change_email', accountId, target: user, changes });
    });
  } catch (error) {
    if (isPostgresError(error, 'uniqueViolation')) throw misuse('Another user has this address.');
    throw error;
  }
  return user;
}
