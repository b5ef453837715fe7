// Rate limits: counted in memory, per process, in windows of a minute, and reported in response headers.
import { hash, randomBytes } from 'node:crypto';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../../core/errors.ts';
import { Limiter } from '../../core/limiter.ts';
import type { Principal } from '../../core/principal.ts';
import { type Tier, TIERS } from '../../core/tiers.ts';

const WINDOW_SECONDS = 60;
/** Mistyped keys in a loop, behind an address that others call from as well: five a second. */
const FAILURES_PER_MINUTE = 300;
/** Of an address with more failures than that: its credentials are looked up so many at a time, which bounds what they cost. */
const SUSPECTS_AT_ONCE = 2;
/** Of calls that need no credential. */
const PUBLIC_REQUESTS_PER_MINUTE = 120;
/** Of requests of the dashboard's sign-in, failures apart: many people may share an address. */
const VISITS_PER_MINUTE = 1_200;
/** Answers without content are free, up to this many times what the tier allows: they cost statements too. */
const FREE_TIMES = 10;
const ADDRESS_GROUPS = 2 ** 16;

/** Where a caller stands after a request. */
export interface Allowance {
  /** What is counted. */
  policy: 'account' | 'session' | 'address';
  limit: number;
  remaining: number;
  resetMs: number;
  isExceeded: boolean;
}

export interface RateLimits {
  /** Counts a request of a known caller. */
  countCaller: (principal: Principal) => Promise<Allowance>;
  /** Takes it back: there was nothing new to answer. */
  giveBack: (principal: Principal) => Promise<Allowance>;
  /** Counts a request that needs no credential. */
  countPublic: (address: string) => Promise<Allowance>;
  /** Counts a request of a browser at the doors of sign-in. */
  countVisit: (address: string) => Promise<Allowance>;
  /**
   * Comes back when a credential from this address may be looked up: at once, unless many did not work.
   * @returns ends the look-up
   */
  beginLookUp: (address: string) => Promise<() => void>;
  /** Counts a credential that does not work. @throws ApiError rate_limited when the address has shown too many */
  countFailure: (address: string) => Promise<void>;
}

/** @param multiplier of every limit: for tests and benchmarks that call more often than anybody may */
export function createRateLimits({ multiplier = 1 }: { multiplier?: number } = {}): RateLimits {
  const open = (perMinute: number): RateLimiterMemory =>
    new RateLimiterMemory({ points: perMinute * multiplier, duration: WINDOW_SECONDS });
  const ofTiers = mapTiers((tier) => open(TIERS[tier].requestsPerMinute));
  const givenBack = mapTiers((tier) => open(TIERS[tier].requestsPerMinute * FREE_TIMES));
  const publicRequests = open(PUBLIC_REQUESTS_PER_MINUTE);
  const visits = open(VISITS_PER_MINUTE);
  const failures = open(FAILURES_PER_MINUTE);
  // The queue has no bound: some of the credentials from such an address may be valid ones of other people.
  const suspects = new Limiter({ perKey: SUSPECTS_AT_ONCE });
  const groupOf = addressGroups();
  return {
    countCaller: async (principal) => {
      const limiter = ofTiers[principal.tier];
      return allowanceOf(policyOf(principal), limiter, await limiter.penalty(subjectOf(principal)));
    },
    giveBack: async (principal) => {
      const subject = subjectOf(principal);
      const limiter = ofTiers[principal.tier];
      const { consumedPoints } = await givenBack[principal.tier].penalty(subject);
      const isFree = consumedPoints <= givenBack[principal.tier].points;
      return allowanceOf(policyOf(principal), limiter, await limiter.reward(subject, isFree ? 1 : 0));
    },
    countPublic: async (address) =>
      allowanceOf('address', publicRequests, await publicRequests.penalty(groupOf(address))),
    countVisit: async (address) => allowanceOf('address', visits, await visits.penalty(groupOf(address))),
    beginLookUp: async (address) => {
      const group = groupOf(address);
      const failed = (await failures.get(group))?.consumedPoints ?? 0;
      return failed < failures.points ? () => undefined : suspects.take(group);
    },
    countFailure: async (address) => {
      const { consumedPoints, msBeforeNext } = await failures.penalty(groupOf(address));
      if (consumedPoints <= failures.points) return;
      throw new ApiError(
        'rate_limited',
        'Too many credentials from this address did not work, this one included.',
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

/** Whose requests are counted together. */
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

/**
 * Addresses are counted in so many groups: whoever has very many of them cannot fill the memory, and because the
 * grouping is drawn anew in each process, nobody can aim at a group that somebody else is in.
 */
function addressGroups(): (address: string) => string {
  const salt = randomBytes(16).toString('hex');
  return (address) => String(hash('sha256', salt + address, 'buffer').readUInt32BE() % ADDRESS_GROUPS);
}

/** @param nowMs since the epoch: X-RateLimit-Reset is a time, as GitHub has it; `t` is a number of seconds */
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

/** @throws ApiError rate_limited when this request was one too many */
export function requireAllowance({ policy, limit, resetMs, isExceeded }: Allowance): void {
  if (!isExceeded) return;
  throw new ApiError('rate_limited', `This ${policy} may send ${limit} requests a minute.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(resetMs / 1_000)),
  });
}
