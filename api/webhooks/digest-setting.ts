// The digest of a webhook: what of it is valid, alone and with the webhook's other settings.
import type { Static } from 'typebox';
import { isNoticeFormat } from '../../core/deliveries.ts';
import type { FieldError } from '../../core/errors.ts';
import { DAILY_DIGEST, type Digest, timeZoneNamed } from '../../core/notices/digest-times.ts';
import type { WebhookSettings } from '../../db/webhooks/webhooks.ts';
import { invalidField } from '../contract/errors.ts';
import type { digestField } from '../resources/webhook.ts';

type GivenDigest = Static<typeof digestField>;

/** As it is stored and shown. The given one has no faults. */
export function readDigest(given: GivenDigest): Digest | null {
  if (given === null) return null;
  const { every, ...daily } = given;
  if (every === 'hour') return { every };
  const digest = { every, ...DAILY_DIGEST, ...daily };
  return { ...digest, timeZone: timeZoneNamed(digest.timeZone) ?? digest.timeZone };
}

export function digestFaults(given: GivenDigest | undefined): FieldError[] {
  if (given === undefined || given === null) return [];
  const { every, timeZone } = given;
  const daily = (['at', 'timeZone'] as const).filter((name) => given[name] !== undefined);
  if (every === 'hour') return daily.map((name) => fault(name, 'must be left out with every hour'));
  if (timeZone === undefined || timeZoneNamed(timeZone) !== undefined) return [];
  return [fault('timeZone', 'must be the name of an IANA time zone, such as Europe/Berlin')];
}

const fault = (name: string, detail: string): FieldError => ({
  pointer: `/digest/${name}`,
  code: 'invalid_value',
  detail,
});

/** @throws ApiError validation_failed when a webhook with these settings can have no digest */
export function requireDigestible({
  digest = null,
  format = 'json',
  ordered = false,
}: Partial<WebhookSettings>): void {
  if (digest === null) return;
  if (!isNoticeFormat(format)) throw invalidField('/digest', 'invalid_value', ONLY_NOTICES);
  if (ordered) throw invalidField('/digest', 'invalid_value', NOT_ORDERED);
}

const ONLY_NOTICES = 'must be null unless the format is slack, teams, discord, ntfy or mail';
const NOT_ORDERED = 'must be null with ordered, which sends the events of a record one at a time';
