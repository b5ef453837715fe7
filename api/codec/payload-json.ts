// Payloads as a codec server gets and gives them: JSON, with base64 for bytes.
import type { Payload } from '@temporalio/common';

export interface PayloadJson {
  metadata?: Record<string, string>;
  data?: string;
}

/** What a codec server gets: https://docs.temporal.io/codec-server. Clients leave out an empty list, as protobuf's JSON does. */
export const PAYLOADS_SCHEMA = {
  type: 'object',
  properties: {
    payloads: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          metadata: { type: 'object', additionalProperties: { type: 'string' } },
          data: { type: 'string' },
        },
      },
    },
  },
} as const;

export const readPayloadJson = ({ metadata = {}, data = '' }: PayloadJson): Payload => ({
  metadata: Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')]),
  ),
  data: Buffer.from(data, 'base64'),
});

export const toPayloadJson = ({ metadata, data }: Payload): PayloadJson => ({
  metadata: Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
  ),
  data: Buffer.from(data ?? []).toString('base64'),
});
