// The link by which the reader of a mail ends the mails of a webhook, without signing in.
import type { CursorCodec } from '../crypto/cursor.ts';
import { ApiError } from '../errors.ts';

export const UNSUBSCRIBE_PATH = '/notices/unsubscribe';

const BINDING = { listing: 'unsubscribe', filters: {} };

/** What a link ends. */
export interface MailsOfWebhook {
  webhookId: string;
  /** The webhook's `mailto:` URL. A link in an old mail does not end the mails to a later address. */
  url: string;
}

/**
 * The same for every mail of a webhook to an address, until another key seals first. Like a cursor it cannot be forged, and works as
 * long as the key that sealed it is kept (docs/operations.md, "Keys").
 */
export const unsubscribeUrl = (
  cursors: CursorCodec,
  baseUrl: string,
  { webhookId, url }: MailsOfWebhook,
): string => `${baseUrl}${UNSUBSCRIBE_PATH}/${cursors.seal(BINDING, [webhookId, url])}`;

/** The mails that a link ends; undefined for a link that is not ours. */
export function mailsOfLink(cursors: CursorCodec, token: string): MailsOfWebhook | undefined {
  try {
    const [webhookId, url] = cursors.open(BINDING, token);
    return { webhookId: String(webhookId), url: String(url) };
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
