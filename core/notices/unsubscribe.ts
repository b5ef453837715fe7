// The link by which the reader of a mail ends the mails of a webhook, without signing in.
import type { CursorCodec } from '../crypto/cursor.ts';
import { ApiError } from '../errors.ts';

export const UNSUBSCRIBE_PATH = '/notices/unsubscribe';

const BINDING = { listing: 'unsubscribe', filters: {} };

/** The same for every mail of a webhook. Like a cursor it cannot be forged, and survives the rotation of keys. */
export const unsubscribeUrl = (cursors: CursorCodec, baseUrl: string, webhookId: string): string =>
  `${baseUrl}${UNSUBSCRIBE_PATH}/${cursors.seal(BINDING, [webhookId])}`;

/** The webhook whose mails a link ends; undefined for a link that is not ours. */
export function webhookOfLink(cursors: CursorCodec, token: string): string | undefined {
  try {
    return String(cursors.open(BINDING, token)[0]);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
