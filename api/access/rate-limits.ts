// Rate limits in windows of one minute, which all API processes count together. Reported in response headers.
import { hash, hkdfSync, randomBytes } from 'node:crypto';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { KeyEncryptionKeys } from '../../core/crypto/envelope.ts';
import { ApiError } from '../../core/errors.ts';
import { Limiter } from '../../core/limiter.ts';
import type { Principal } from '../../core/principal.ts';
import { type Tier, TIERS } from '../../core/tiers.ts';
import type { SharedCounts } from './shared-counts.ts';

export const WINDOW_SECONDS = 60;
/** Allows five a second, for a client that retries a wrong key behind an address that others use too. */
const FAILURES_PER_MINUTE = 300;
/** Concurrent credential look-ups of an address that has exceeded FAILURES_PER_MINUTE, which bounds their cost. */
const SUSPECTS_AT_ONCE = 2;
/** For calls without a credential. */
const PUBLIC_REQUESTS_PER_MINUTE = 120;
/** For requests to the dashboard's sign-in, apart from failures. Many people may share an address. */
const VISITS_PER_MINUTE = 1_200;
/** Responses without content (304) are free up to this multiple of the tier's limit, because they cost statements too. */
const FREE_TIMES = 10;
const ADDRESS_GROUPS = 2 ** 16;

/** The state of a caller's limit after a request. */
export interface Allowance {
  /** What the limit counts by. */
  policy: 'account' | 'session' | 'address';
  limit: number;
  remaining: number;
  resetMs: number;
  isExceeded: boolean;
}

export interface RateLimits {
  /** Counts a request of an authenticated caller. */
  countCaller: (principal: Principal) => Promise<Allowance>;
  /** Undoes the count of a request whose response had nothing new. */
  release: (principal: Principal) => Promise<Allowance>;
  /** Counts a request without a credential. */
  countPublic: (address: string) => Promise<Allowance>;
  /** Counts a browser's request to a sign-in page. */
  countVisit: (address: string) => Promise<Allowance>;
  /**
   * Resolves when a credential from this address may be looked up: immediately, unless many have failed.
   * @returns ends the look-up
   */
  beginLookUp: (address: string) => Promise<() => void>;
  /**
   * Counts a failed credential.
   * @throws ApiError rate_limited when the address has had too many
   */
  countFailure: (address: string) => Promise<void>;
}

export interface RateLimitOptions {
  /** Applies to every limit, for tests and benchmarks with many calls. */
  multiplier?: number;
  /** Without it, this process counts on its own. */
  shared?: SharedCounts;
  /** The same in all processes that share counts, and secret. */
  addressSalt?: string;
}

export function createRateLimits({
  multiplier = 1,
  shared,
  addressSalt = randomBytes(16).toString('hex'),
}: RateLimitOptions = {}): RateLimits {
  const open = (keyPrefix: string, perMinute: number): RateLimiterMemory =>
    new RateLimiterMemory({ keyPrefix, points: perMinute * multiplier, duration: WINDOW_SECONDS });
  const count = async (limiter: RateLimiterMemory, subject: string, points = 1): Promise<RateLimiterRes> => {
    const state = await limiter.penalty(subject, points);
    shared?.note(limiter, subject, points);
    return state;
  };
  const ofTiers = mapTiers((tier) => open(tier, TIERS[tier].requestsPerMinute));
  const givenBack = mapTiers((tier) => open(`${tier} free`, TIERS[tier].requestsPerMinute * FREE_TIMES));
  const publicRequests = open('public', PUBLIC_REQUESTS_PER_MINUTE);
  const visits = open('visits', VISITS_PER_MINUTE);
  const failures = open('failures', FAILURES_PER_MINUTE);
  // Unbounded: some of the credentials from such an address may be valid ones of other people.
  const suspects = new Limiter({ perKey: SUSPECTS_AT_ONCE });
  const groupOf = (address: string) => groupOfAddress(addressSalt, address);
  return {
    countCaller: async (principal) => {
      const limiter = ofTiers[principal.tier];
      return allowanceOf(policyOf(principal), limiter, await count(limiter, subjectOf(principal)));
    },
    release: async (principal) => {
      const subject = subjectOf(principal);
      const limiter = ofTiers[principal.tier];
      const { consumedPoints } = await count(givenBack[principal.tier], subject);
      const isFree = consumedPoints <= givenBack[principal.tier].points;
      return allowanceOf(policyOf(principal), limiter, await count(limiter, subject, isFree ? -1 : 0));
    },
    countPublic: async (address) =>
      allowanceOf('address', publicRequests, await count(publicRequests, groupOf(address))),
    countVisit: async (address) => allowanceOf('address', visits, await count(visits, groupOf(address))),
    beginLookUp: async (address) => {
      const group = groupOf(address);
      const failed = (await failures.get(group))?.consumedPoints ?? 0;
      return failed < failures.points ? () => undefined : suspects.take(group);
    },
    countFailure: async (address) => {
      const { consumedPoints, msBeforeNext } = await count(failures, groupOf(address));
      if (consumedPoints <= failures.points) return;
      throw new ApiError(
        'rate_limited',
        'Too many credentials from this address failed, this one included.',
        {
          retryAfterSeconds: Math.max(1, msBeforeNext / 1_000),
        },
      );
    },
  };
}

function mapTiers<T>(make: (tier: Tier) => T): Record<Tier, T> {
  return { anonymous: make('anonymous'), free: make('free'), watch: make('watch'), max: make('max') };
}

/** The key under which requests are counted together. */
function subjectOf({ kind, accountId, credentialId }: Principal): string {
  return kind === 'ephemeral' ? credentialId : accountId;
}

function policyOf({ kind }: Principal): 'account' | 'session' {
  return kind === 'ephemeral' ? 'session' : 'account';
}

function allowanceOf(
  policy: Allowance['policy'],
  { points: limit }: RateLimiterMemory,
  { consumedPoints, msBeforeNext }: RateLimiterRes,
): Allowance {
  const remaining = Math.max(limit - consumedPoints, 0);
  return { policy, limit, remaining, resetMs: msBeforeNext, isExceeded: consumedPoints > limit };
}

/** The salt of processes with these keys. */
export function addressSaltOf(keks: KeyEncryptionKeys): string {
  const [kek = new Uint8Array()] = keks.values();
  return Buffer.from(hkdfSync('sha256', kek, '', 'rate limits v1, addresses', 32)).toString('base64url');
}

/**
 * Counts addresses in a fixed number of groups, so that a caller with very many addresses cannot fill the memory. The salt is
 * secret, so nobody can choose addresses in another caller's group.
 */
const groupOfAddress = (salt: string, address: string): string =>
  String(hash('sha256', salt + address, 'buffer').readUInt32BE() % ADDRESS_GROUPS);

/** @param nowMs since the epoch. X-RateLimit-Reset is a time, as at GitHub; `t` is a number of seconds. */
export function rateLimitHeaders(allowance: Allowance, nowMs: number): Record<string, string> {
  const { policy, limit, remaining, resetMs } = allowance;
  return {
    'ratelimit-policy': `"${policy}";q=${limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"${policy}";r=${remaining};t=${Math.ceil(resetMs / 1_000)}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil((nowMs + resetMs) / 1_000)),
  };
}

/** @throws ApiError rate_limited when this request exceeded the limit */
export function requireAllowance({ policy, limit, resetMs, isExceeded }: Allowance): void {
  if (!isExceeded) return;
  throw new ApiError('rate_limited', `This ${policy} may send ${limit} requests a minute.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(resetMs / 1_000)),
  });
}
