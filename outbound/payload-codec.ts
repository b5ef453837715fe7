// Seals what Temporal keeps of workflows: inputs and results, signals, updates, heartbeats, summaries and the words of failures.
// Off without TEMPORAL_CODEC_KEYS. Payloads from before the codec stay readable.
import { createHmac, randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import {
  type DataConverter,
  defaultPayloadConverter,
  type Payload,
  type PayloadCodec,
  type ProtoFailure,
} from '@temporalio/common';
import proto from '@temporalio/proto';
import type { Config } from '../core/config.ts';
import { decrypt, encrypt, lengthPrefixed } from '../core/crypto/envelope.ts';

/** The names that Temporal's examples of such codecs use, and by which its UI knows sealed payloads. */
const ENCODING = 'encoding';
const SEALED = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';

const ProtoPayload = proto.temporal.api.common.v1.Payload;
const SALT_BYTES = 16;

/** By id. The first one seals, all of them open. */
type CodecKeys = Config['temporalCodecKeys'];

const NO_KEYS: CodecKeys = new Map();

export type CodecSettings = Pick<Config, 'temporalCodecKeys'>;

/** Options for the SDK's clients and workers. */
export function sealingOptions({ temporalCodecKeys }: CodecSettings): { dataConverter?: DataConverter } {
  if (temporalCodecKeys.size === 0) return {};
  return { dataConverter: { payloadCodecs: [createPayloadCodec(temporalCodecKeys)] } };
}

export function createPayloadCodec(keys: CodecKeys): PayloadCodec {
  return {
    encode: async (payloads) => payloads.map((payload) => seal(keys, payload)),
    decode: async (payloads) => payloads.map((payload) => open(keys, payload)),
  };
}

/** The whole payload is sealed, with its metadata: `salt (16) | iv (12) | tag (16) | ciphertext`. */
function seal(keys: CodecKeys, payload: Payload): Payload {
  const [first] = keys;
  if (first === undefined) throw new Error('TEMPORAL_CODEC_KEYS is not set');
  const [id, key] = first;
  const salt = randomBytes(SALT_BYTES);
  const plain = ProtoPayload.encode(payload).finish();
  return {
    metadata: { [ENCODING]: Buffer.from(SEALED), [KEY_ID]: Buffer.from(id) },
    data: Buffer.concat([salt, encrypt(keyOf(key, salt), plain, aadOf(id))]),
  };
}

/** @throws Error that names the missing key, or says that the payload is damaged */
function open(keys: CodecKeys, payload: Payload): Payload {
  if (textOf(payload, ENCODING) !== SEALED) return payload;
  const id = textOf(payload, KEY_ID);
  const key = keys.get(id);
  if (key === undefined) {
    throw new Error(
      `A payload in Temporal is sealed with the key ${JSON.stringify(id)}: add it to TEMPORAL_CODEC_KEYS.`,
    );
  }
  const sealed = payload.data ?? new Uint8Array();
  const salt = sealed.subarray(0, SALT_BYTES);
  const plain = decrypt(keyOf(key, salt), sealed.subarray(SALT_BYTES), aadOf(id));
  if (plain === undefined) {
    throw new Error(
      `A payload in Temporal does not open with the key ${JSON.stringify(id)} of TEMPORAL_CODEC_KEYS: it is another key, or the payload is damaged.`,
    );
  }
  return ProtoPayload.decode(plain);
}

const textOf = ({ metadata }: Payload, name: string): string =>
  Buffer.from(metadata?.[name] ?? []).toString();

/** A key for each payload. With one key for all, random IVs would be safe for 2^32 payloads only: months of a large system. */
const keyOf = (key: Uint8Array, salt: Uint8Array): Buffer =>
  createHmac('sha256', key)
    .update(lengthPrefixed(['temporal payload key', salt]))
    .digest();

const aadOf = (keyId: string): Buffer => lengthPrefixed(['temporal payload', keyId]);

/** Opens a payload that was read past the SDK's own decoding, such as one of a history. @returns its value */
export async function readPayload(client: Client, payload: Payload): Promise<unknown> {
  let payloads = [payload];
  for (const codec of client.options.loadedDataConverter.payloadCodecs.toReversed()) {
    payloads = await codec.decode(payloads);
  }
  // Says which key is missing when there is no codec at all.
  const [plain] = payloads.map((each) => open(NO_KEYS, each));
  return plain === undefined ? undefined : defaultPayloadConverter.fromPayload(plain);
}

/** The words of a failure that was read past the SDK's own decoding: sealed ones are in its attributes. */
export async function readFailure(client: Client, failure: ProtoFailure): Promise<string> {
  if (!failure.encodedAttributes) return failure.message ?? '';
  // Written by the SDK's failure converter.
  const { message } = (await readPayload(client, failure.encodedAttributes)) as { message?: string };
  return message ?? '';
}
