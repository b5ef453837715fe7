// Where a webhook sends to: whether its URL fits its format, and for mails, whether the address is the account's own.
import { addressOf, type BodyFormat, isMailUrl, mailUrl } from '../../core/deliveries.ts';
import { ntfyTopic } from '../../core/notices/ntfy.ts';
import { findUserByEmail } from '../../db/access/users.ts';
import type { Context } from '../contract/context.ts';
import { invalidField } from '../contract/errors.ts';

export interface WebhookTarget {
  url: string;
  format: BodyFormat;
}

/** The format of a webhook that names none. */
export const usualFormat = (url: string): BodyFormat => (isMailUrl(url) ? 'mail' : 'json');

/**
 * Every user has confirmed their address. The same answer for an address that nobody has and for one of another account.
 * @returns the target as it is stored
 * @throws ApiError validation_failed
 */
export async function readTarget(
  { db, config, principal }: Pick<Context, 'db' | 'config' | 'principal'>,
  { url, format }: WebhookTarget,
): Promise<WebhookTarget> {
  if (isMailUrl(url) !== (format === 'mail')) throw format === 'mail' ? fault(MAIL_URL) : fault(ONLY_MAIL);
  if (format === 'ntfy' && ntfyTopic(url) === undefined) throw fault(NTFY_URL);
  if (format !== 'mail') return { url, format };
  if (config.smtpUrl === '') throw fault(NO_SERVER);
  const user = await findUserByEmail(db, addressOf(url));
  if (user?.accountId !== principal.accountId) throw fault(OWN_ADDRESS);
  return { url: mailUrl(user.email), format };
}

/** The bodies of waiting deliveries are in the form of the old target. */
export function requireSameMeans(before: BodyFormat, after: BodyFormat): void {
  if ((before === 'mail') === (after === 'mail')) return;
  throw invalidField(
    '/format',
    'invalid_value',
    'must stay mail, or stay another format: create another webhook instead',
  );
}

const fault = (detail: string) => invalidField('/url', 'invalid_value', detail);

const MAIL_URL = 'must be mailto: and an address, such as mailto:ada@example.com, with the format mail';
const ONLY_MAIL = 'must be a complete http or https URL, or the format must be mail';
const NTFY_URL = 'must end in the topic, such as https://ntfy.sh/my-topic, with the format ntfy';
const NO_SERVER =
  'must be a complete http or https URL: the operator of this service has set up no mail server';
const OWN_ADDRESS = 'must be the address with which a user of this account signs in';
