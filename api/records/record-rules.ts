// Rules for a record's settings that a schema cannot say.
import type { Config } from '../../core/config.ts';
import type { Format } from '../../core/checks.ts';
import { ApiError, type FieldError } from '../../core/errors.ts';
import { checkUrl } from '../../core/network/origin-url.ts';
import { type Reach, reachOf } from '../../core/network/reach.ts';
import { authFaults, type GivenAuth } from '../../core/source-credentials.ts';
import { smallestIntervalSeconds, type Tier, TIERS } from '../../core/tiers.ts';
import { isReservedSlug } from './slugs.ts';

export interface GivenSettings extends GivenAuth {
  url?: string;
  slug?: string;
  format?: Format;
  delimiter?: string;
  rowsPath?: string;
  headerRow?: number;
  keyFields?: readonly string[];
  ignoreFields?: readonly string[];
  checkIntervalMinutes?: number;
}

/** A setting that is null is not given. */
export function withoutNulls<G extends object>(given: G): { [K in keyof G]: Exclude<G[K], null> } {
  // Every null is left out.
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as {
    [K in keyof G]: Exclude<G[K], null>;
  };
}

interface Rules {
  tier: Tier;
  config: Config;
  reach: Reach;
}

const DEFAULT_INTERVAL_SECONDS = 3_600;

/** An hour, unless the tier asks for more. MIN_CHECK_SECONDS only allows less: nobody's origin is hurried unasked. */
export function defaultIntervalSeconds(tier: Tier): number {
  return Math.max(TIERS[tier].minIntervalSeconds, DEFAULT_INTERVAL_SECONDS);
}

/**
 * Holds all given settings against the rules.
 * @returns the URL as it is to be stored, when one was given
 * @throws ApiError validation_failed, or url_not_allowed when the URL is at fault; with every fault
 */
export function checkSettings(given: GivenSettings, rules: Rules): URL | undefined {
  const verdict = given.url === undefined ? undefined : checkUrl(given.url, reachOf(rules.reach, rules.tier));
  const errors = [
    ...intervalFaults(given, rules),
    ...slugFaults(given),
    ...formatFaults(given),
    ...fieldFaults(given),
    ...authFaults(given),
  ];
  if (verdict !== undefined && 'error' in verdict) {
    const { code, detail } = verdict.error;
    throw new ApiError(code, detail, { errors: [{ pointer: '/url', code, detail }, ...errors] });
  }
  const [first] = errors;
  if (first !== undefined)
    throw new ApiError('validation_failed', `${first.pointer} ${first.detail}.`, { errors });
  return verdict?.url;
}

function intervalFaults({ checkIntervalMinutes }: GivenSettings, { tier, config }: Rules): FieldError[] {
  const smallest = smallestIntervalSeconds(tier, config.minCheckSeconds) / 60;
  if (checkIntervalMinutes === undefined || checkIntervalMinutes >= smallest) return [];
  const minutes = Number(smallest.toPrecision(6));
  const detail = `must be at least ${minutes} on the tier ${tier}`;
  return [{ pointer: '/checkIntervalMinutes', code: 'too_small', detail }];
}

function slugFaults({ slug }: GivenSettings): FieldError[] {
  if (slug === undefined || !isReservedSlug(slug)) return [];
  return [{ pointer: '/slug', code: 'invalid_value', detail: 'is a reserved word' }];
}

function formatFaults({ format, delimiter, rowsPath, headerRow }: GivenSettings): FieldError[] {
  const isDelimited = format === undefined || format === 'csv' || (format === 'tsv' && delimiter === '\t');
  const errors: FieldError[] = [];
  if (delimiter !== undefined && !isDelimited) {
    errors.push({
      pointer: '/delimiter',
      code: 'invalid_value',
      detail: `does not go with the format ${format}`,
    });
  }
  if (headerRow !== undefined && (format === 'json' || format === 'jsonl')) {
    const detail = `does not go with the format ${format}`;
    errors.push({ pointer: '/headerRow', code: 'invalid_value', detail });
  }
  if (rowsPath !== undefined && format !== undefined && format !== 'json') {
    errors.push({
      pointer: '/rowsPath',
      code: 'invalid_value',
      detail: `does not go with the format ${format}`,
    });
  }
  return errors;
}

function fieldFaults({ keyFields = [], ignoreFields = [] }: GivenSettings): FieldError[] {
  return ignoreFields.flatMap((field, index) =>
    keyFields.includes(field)
      ? [{ pointer: `/ignoreFields/${index}`, code: 'invalid_value', detail: 'is a key field' }]
      : [],
  );
}
