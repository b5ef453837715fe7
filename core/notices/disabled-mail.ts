// The mail about a webhook that the service has disabled.
import { mailOf, type NoticeMail } from './mail.ts';
import { LONGEST_LINE, LONGEST_NAME, shortLine } from './notice.ts';

interface DisabledWebhook {
  webhookId: string;
  /** Null for the webhook of an account. */
  recordId: string | null;
  recordName: string | null;
  description: string | null;
  disabledReason: string;
}

const WHY = 'You get this mail because no other webhook of your account tells you of disabled webhooks.';

/** It does not name the webhook’s URL, which may be a secret. */
export function disabledMail(
  baseUrl: string,
  { webhookId, recordId, recordName, description, disabledReason }: DisabledWebhook,
): NoticeMail {
  const name = recordName === null ? 'your account' : shortLine(recordName, LONGEST_NAME);
  const path = recordId === null ? 'webhooks' : `records/${recordId}/webhooks`;
  const lines = [
    ...(description === null || description === '' ? [] : [description]),
    disabledReason,
    'It sends nothing until you enable it again.',
  ].map((line) => shortLine(line, LONGEST_LINE));
  const link = { url: `${baseUrl}/dashboard/${path}/${webhookId}`, words: 'See the webhook' };
  return mailOf({ title: `A webhook of ${name} was disabled`, lines, link }, { why: WHY });
}
