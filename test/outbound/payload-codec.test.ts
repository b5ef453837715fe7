import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { createPayloadCodec, sealingOptions } from '../../outbound/payload-codec.ts';

const key = (): Uint8Array => randomBytes(32);
const [first, second] = [key(), key()];
const codecOf = (...keys: [string, Uint8Array][]) => createPayloadCodec(new Map(keys));
const codec = codecOf(['c1', first]);

const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
const valueOf = (payload: Payload | undefined): unknown =>
  payload && defaultPayloadConverter.fromPayload(payload);
const sealOne = async (by: typeof codec, value: unknown): Promise<Payload> => {
  const [sealed = {}] = await by.encode([payloadOf(value)]);
  return sealed;
};

describe('the payload codec', () => {
  it.each([
    [{ recordId: 'src_1', words: 'prices, watch.example.com' }],
    ['ü'.repeat(10_000)],
    [null],
    [undefined],
    [new Uint8Array([0, 255])],
  ])('opens what it sealed: %#', async (value) => {
    const [opened] = await codec.decode([await sealOne(codec, value)]);
    expect(valueOf(opened)).toEqual(value);
  });

  it('leaves nothing readable but the id of the key', async () => {
    const sealed = await sealOne(codec, { recordId: 'src_1', host: 'watch.example.com' });
    const metadata = Object.entries(sealed.metadata ?? {}).map(([name, value]) => [
      name,
      Buffer.from(value).toString(),
    ]);
    expect(Object.fromEntries(metadata)).toEqual({ encoding: 'binary/encrypted', 'encryption-key-id': 'c1' });
    for (const part of ['src_1', 'watch', 'recordId', 'json/plain']) {
      expect(Buffer.from(sealed.data ?? []).includes(part)).toBe(false);
    }
  });

  it('seals equal payloads differently', async () => {
    const [one, other] = await codec.encode([payloadOf('same'), payloadOf('same')]);
    expect(one?.data).not.toEqual(other?.data);
  });

  it('leaves payloads from before the codec as they are', async () => {
    const plain = payloadOf({ recordId: 'src_1' });
    expect(await codec.decode([plain])).toEqual([plain]);
  });

  it('seals with the first key and opens with all', async () => {
    const both = codecOf(['c2', second], ['c1', first]);
    const old = await sealOne(codec, 'old');
    const fresh = await sealOne(both, 'new');
    expect((await both.decode([old, fresh])).map(valueOf)).toEqual(['old', 'new']);
    await expect(codec.decode([fresh])).rejects.toThrow(
      'A payload in Temporal is sealed with the key "c2": add it to TEMPORAL_CODEC_KEYS.',
    );
  });

  it('names the key when it is another one of that name', async () => {
    await expect(codecOf(['c1', second]).decode([await sealOne(codec, 'x')])).rejects.toThrow(
      /does not open with the key "c1" of TEMPORAL_CODEC_KEYS/,
    );
  });

  it('opens nothing that was changed in any byte, or moved to another key', async () => {
    const sealed = await sealOne(codec, 'x');
    const data = Buffer.from(sealed.data ?? []);
    for (let at = 0; at < data.length; at += 1) {
      const changed = Buffer.from(data);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expect(codec.decode([{ ...sealed, data: changed }])).rejects.toThrow('does not open');
    }
    for (const cut of [0, 16, data.length - 1]) {
      await expect(codec.decode([{ ...sealed, data: data.subarray(0, cut) }])).rejects.toThrow(
        'does not open',
      );
    }
    const moved = { ...sealed.metadata, 'encryption-key-id': Buffer.from('c9') };
    const sameKey = codecOf(['c9', first]);
    await expect(sameKey.decode([{ ...sealed, metadata: moved }])).rejects.toThrow('does not open');
  });

  it('is off without keys', () => {
    expect(sealingOptions({ temporalCodecKeys: new Map() })).toEqual({});
    expect(
      sealingOptions({ temporalCodecKeys: new Map([['c1', first]]) }).dataConverter?.payloadCodecs,
    ).toHaveLength(1);
  });
});
