// The request of a delivery as texts: its headers, its body to be read, and what sends it once more from a terminal.
import replay from '../samples/replay.txt?raw';
import type { Attempt, Delivery } from '../webhook-model.ts';

/** Whether the endpoint was reached, so that it may have had the request. */
export const wasSent = ({ statusCode, errorCode }: Attempt): boolean =>
  statusCode !== null || errorCode === 'endpoint_timeout';

/** As it stood in the request: seconds since 1970. */
export const timestampOf = ({ startedAt }: Attempt): number => Math.floor(Date.parse(startedAt) / 1_000);

/** Signatures are not kept, and nobody but the owner of the secret can make them. */
export function headersText({ id }: Pick<Delivery, 'id'>, attempt: Attempt | undefined): string {
  return [
    'Content-Type: application/json',
    `webhook-id: ${id}`,
    `webhook-timestamp: ${attempt === undefined ? '…' : timestampOf(attempt)}`,
    'webhook-signature: v1,…',
  ].join('\n');
}

export const readable = (payload: string): string => JSON.stringify(JSON.parse(payload), null, 2);

/** Commands for a shell. Keys and names in the body may hold anything: it is one quoted word. */
export const replayText = (id: string, payload: string): string =>
  replay
    .trimEnd()
    .replace('{{id}}', id)
    // A function: in a text, $& and its like would stand for something.
    .replace('{{body}}', () => `'${payload.replaceAll("'", String.raw`'\''`)}'`);
