// The request of a delivery as text: its headers, its readable body, and a command that sends it again from a terminal.
import replay from '../samples/replay.txt?raw';
import type { Attempt, Delivery } from '../webhook-model.ts';

/** Whether the endpoint was reached, so that it may have received the request. */
export const wasSent = ({ statusCode, errorCode }: Attempt): boolean =>
  statusCode !== null || errorCode === 'endpoint_timeout';

/** As in the request: seconds since 1970. */
export const timestampOf = ({ startedAt }: Attempt): number => Math.floor(Date.parse(startedAt) / 1_000);

/** Signatures are not stored, and only the owner of the secret can make them. */
export function headersText({ id }: Pick<Delivery, 'id'>, attempt: Attempt | undefined): string {
  return [
    'Content-Type: application/json',
    `webhook-id: ${id}`,
    `webhook-timestamp: ${attempt === undefined ? '…' : timestampOf(attempt)}`,
    'webhook-signature: v1,…',
  ].join('\n');
}

export const readable = (payload: string): string => JSON.stringify(JSON.parse(payload), null, 2);

/** Shell commands. Keys and names in the body may contain anything, so the body is one quoted word. */
export const replayText = (id: string, payload: string): string =>
  replay
    .trimEnd()
    .replace('{{id}}', id)
    // A function, because $& and the like have a meaning in a replacement text.
    .replace('{{body}}', () => `'${payload.replaceAll("'", String.raw`'\''`)}'`);
