// The request of a delivery as text: its headers, its readable body, and a command that sends it again from a terminal.
import replay from '../samples/replay.txt?raw';
import { readExact } from '../../../../parts/row-table/exact-json.ts';
import type { Attempt, Delivery } from '../webhook-model.ts';

/** Whether the endpoint was reached, so that it may have received the request. */
export const wasSent = ({ statusCode, errorCode }: Attempt): boolean =>
  statusCode !== null || errorCode === 'endpoint_timeout';

/** As in the request: seconds since 1970. */
export const timestampOf = ({ startedAt }: Attempt): number => Math.floor(Date.parse(startedAt) / 1_000);

/** Signatures are not stored, and only the owner of the secret can make them. */
export function headersText(
  { id, payload = '' }: Pick<Delivery, 'id' | 'payload'>,
  attempt: Attempt | undefined,
): string {
  return [
    `Content-Type: ${contentTypeOf(payload)}`,
    `webhook-id: ${id}`,
    `webhook-timestamp: ${attempt === undefined ? '…' : timestampOf(attempt)}`,
    'webhook-signature: v1,…',
  ].join('\n');
}

/** Only a CloudEvent begins so. */
const contentTypeOf = (payload: string): string =>
  payload.startsWith('{"specversion":') ? 'application/cloudevents+json' : 'application/json';

export const readable = (payload: string): string => JSON.stringify(readExact(payload), null, 2);

/** Shell commands. Keys and names in the body may contain anything, so the body is one quoted word. */
export const replayText = (id: string, payload: string): string =>
  replay
    .trimEnd()
    .replace('{{id}}', id)
    .replace('{{type}}', contentTypeOf(payload))
    // A function, because $& and the like have a meaning in a replacement text.
    .replace('{{body}}', () => `'${payload.replaceAll("'", String.raw`'\''`)}'`);
