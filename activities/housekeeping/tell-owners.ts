// Tells owners by mail of webhooks that the service has disabled, where no other webhook tells them.
import { disabledMail } from '../../core/notices/disabled-mail.ts';
import { takeMail } from '../../db/webhooks/mail-allowance.ts';
import { listUntoldOwners, noteToldOwner, type UntoldOwner } from '../../db/webhooks/untold-owners.ts';
import { MailRefused, type OutgoingMail, sendMail } from '../../outbound/send-mail.ts';
import type { ActivityDeps } from '../deps.ts';

type Deps = Pick<ActivityDeps, 'db' | 'config' | 'log'>;

/** In one run, which has other work; the next one comes within a minute. */
const BATCH = 50;
const TIMEOUT_MS = 5_000;

/**
 * Sends each mail at least once, and always with the same message id, by which mail servers recognise it. A mail that is refused for
 * good is not sent again; any other is tried again later. Without the mail server, all wait for the next run.
 */
export async function tellOwners(deps: Deps, beat: () => void): Promise<void> {
  const { db, config, log } = deps;
  if (config.smtpUrl === '') return;
  for (const owner of await listUntoldOwners(db, BATCH)) {
    const { webhookId, accountId, email: address } = owner;
    if ((await takeMail(db, { accountId, address })) !== null) continue;
    try {
      await sendMail(config, mailTo(config.baseUrl, owner), TIMEOUT_MS);
      await noteToldOwner(db, owner);
    } catch (err) {
      log.error({ err, webhookId }, 'the owner of a disabled webhook could not be told');
      if (!(err instanceof MailRefused)) return;
      if (err.isFinal) await noteToldOwner(db, owner);
    }
    beat();
  }
}

const mailTo = (baseUrl: string, owner: UntoldOwner): OutgoingMail => ({
  ...disabledMail(baseUrl, owner),
  to: owner.email,
  messageId: `<${owner.webhookId}.${owner.disabledAtMs}@${new URL(baseUrl).hostname}>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
});
