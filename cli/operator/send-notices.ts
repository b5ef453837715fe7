// Sends mails to users about what the operator did to their account.
import { createMailer } from '../../api/auth/mail/mailer.ts';
import type { Mail } from '../../api/auth/mail/mails.ts';
import type { OperatorSettings } from './settings.ts';

/** @returns why not all of them were sent; undefined when they were */
export async function sendNotices(
  settings: OperatorSettings,
  mails: readonly Mail[],
): Promise<string | undefined> {
  if (mails.length === 0) return undefined;
  if (settings.smtpUrl === '') return 'SMTP_URL is not set';
  const send = createMailer(settings);
  try {
    for (const mail of mails) await send(mail);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
