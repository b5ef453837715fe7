// Signatures of deliveries, which the published package and plain HMAC both accept.
import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  generateWebhookSecret,
  signWebhook,
  webhookSigningKey,
} from '../../../core/crypto/webhook-signature.ts';

const ID = 'dlv_0199c1e2f3a47c5d9e8f7a6b5c4d3e2f';

function attempt(secrets: readonly string[], body = '{"event":"delta"}', timeMs = Date.now()) {
  return { body, headers: signWebhook({ id: ID, timeMs, body, secrets }) };
}

describe('signWebhook', () => {
  it('is accepted by the published verification, with a generated secret', () => {
    const secret = generateWebhookSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { body, headers } = attempt([secret]);
    expect(new Webhook(secret).verify(body, headers)).toEqual({ event: 'delta' });
  });

  it('is accepted for a secret of any other text as its UTF-8 bytes', () => {
    for (const secret of ['s3cret', 'pässwörd', '🔑', 'whsek_looks-alike', ' ']) {
      const { body, headers } = attempt([secret]);
      expect(new Webhook(Buffer.from(secret), { format: 'raw' }).verify(body, headers)).toEqual({
        event: 'delta',
      });
    }
  });

  it('equals an HMAC made without the package, for any body', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.uint8Array({ minLength: 24, maxLength: 64 }),
        fc.nat(4e12),
        (body, key, timeMs) => {
          const { headers } = attempt([`whsec_${Buffer.from(key).toString('base64')}`], body, timeMs);
          const seconds = Math.floor(timeMs / 1000);
          const mac = createHmac('sha256', key).update(`${ID}.${seconds}.${body}`).digest('base64');
          expect(headers).toEqual({
            'webhook-id': ID,
            'webhook-timestamp': String(seconds),
            'webhook-signature': `v1,${mac}`,
          });
        },
      ),
    );
  });

  it('matches the example of the standard’s own libraries', () => {
    const headers = signWebhook({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timeMs: 1_614_265_330_000,
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    });
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('is accepted with either secret while rotating, and with no third one', () => {
    const [old, fresh, third] = [generateWebhookSecret(), generateWebhookSecret(), generateWebhookSecret()];
    const { body, headers } = attempt([fresh, old]);
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
    for (const secret of [old, fresh]) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
    expect(() => new Webhook(third).verify(body, headers)).toThrow('No matching signature');
  });

  it('is refused when body, id or time were changed', () => {
    const secret = generateWebhookSecret();
    const { body, headers } = attempt([secret]);
    const verify = (changed: string, other: Record<string, string>) => () =>
      new Webhook(secret).verify(changed, { ...headers, ...other });
    expect(verify(`${body} `, {})).toThrow('No matching signature');
    expect(verify(body, { 'webhook-id': 'dlv_other' })).toThrow('No matching signature');
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(verify(body, { 'webhook-timestamp': later })).toThrow('No matching signature');
  });

  it('requires a secret', () => {
    expect(() => attempt([])).toThrow('at least one secret');
  });
});

describe('webhookSigningKey', () => {
  it('decodes base64 after whsec_, with or without padding', () => {
    const key = randomBytes(25);
    const encoded = key.toString('base64');
    expect(Buffer.from(webhookSigningKey(`whsec_${encoded}`))).toEqual(key);
    expect(Buffer.from(webhookSigningKey(`whsec_${encoded.replace(/=+$/, '')}`))).toEqual(key);
  });

  it.each([
    'whsec_',
    'whsec_not base64!',
    `whsec_${randomBytes(23).toString('base64')}`,
    `whsec_${randomBytes(65).toString('base64')}`,
    `whsec_${'_-'.repeat(20)}`,
  ])('says what is expected instead of %j', (secret) => {
    expect(() => webhookSigningKey(secret)).toThrow('base64 of 24 to 64 bytes');
  });

  it.each(['', 'x'.repeat(513), 'ü'.repeat(257), 'half \ud83d'])('refuses as text: %j', (secret) => {
    expect(() => webhookSigningKey(secret)).toThrow('1 to 512 bytes');
  });
});
