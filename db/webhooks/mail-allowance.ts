// How many mails an account and an address get in an hour. Further mails wait, so that nobody can make the operator's mail server
// send without end.
import { hash } from 'node:crypto';
import type { Database } from '../driver/knex.ts';
import { accountMailsSubject, BEGIN, giveBackOne, takeOne } from '../usage/usage-counters.ts';

/** Attempts to send, of all webhooks of an account. An address gets as many, of whatever accounts it belonged to. */
export const MAILS_PER_HOUR = 100;

/** Hashed, so that the counters do not show who gets mails. */
const addressSubject = (address: string): string => `mails to ${hash('sha256', address, 'base64url')}`;

/** SQL of the account of a webhook, of a record or not. Refers to `webhooks`. */
export const ACCOUNT_OF_WEBHOOK = `coalesce(webhooks.account_id, (
  select records.account_id from records where records.id = webhooks.record_id))`;

/** SQL of how many mails the account of a webhook has left in this hour. Refers to `webhooks`. */
export const MAILS_LEFT = `(${MAILS_PER_HOUR} - coalesce((
  select used from usage_counters
  where subject = '${accountMailsSubject('')}' || ${ACCOUNT_OF_WEBHOOK} and period = ${BEGIN.hour}), 0))`;

/**
 * Takes one mail, if account and address have one left.
 * @returns null when it is taken, otherwise the milliseconds until there are more
 */
export async function takeMail(
  db: Database,
  { accountId, address }: { accountId: string; address: string },
): Promise<number | null> {
  const ofAccount = await takeOne(db, accountMailsSubject(accountId), 'hour', MAILS_PER_HOUR);
  if (!ofAccount.isTaken) return waitMs(ofAccount.resetInSeconds);
  const ofAddress = await takeOne(db, addressSubject(address), 'hour', MAILS_PER_HOUR);
  if (ofAddress.isTaken) return null;
  await giveBackOne(db, accountMailsSubject(accountId), 'hour');
  return waitMs(ofAddress.resetInSeconds);
}

const waitMs = (seconds: number | null): number => Math.ceil((seconds ?? 0) * 1_000);
