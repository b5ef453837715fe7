// What each tier of a record allows: the one table.

export interface TierLimits {
  /** Smallest time between two checks, in seconds. */
  minIntervalSeconds: number;
  maxRows: number;
  maxBodyBytes: number;
  /** For one fetch, from asking to the end of the body, in seconds. */
  maxFetchSeconds: number;
  /** On average, once a sixth of that time is over (a minute at most). */
  minBytesPerSecond: number;
  /** How long history is kept, in days. */
  retentionDays: number;
  mcpCallsPerDay: number;
  requestsPerMinute: number;
}

const KiB = 1024;
const MiB = 1024 * KiB;

export const TIERS = {
  anonymous: {
    minIntervalSeconds: 3600,
    maxRows: 10_000,
    maxBodyBytes: 10 * MiB,
    maxFetchSeconds: 60,
    minBytesPerSecond: 4 * KiB,
    retentionDays: 1,
    mcpCallsPerDay: 50,
    requestsPerMinute: 60,
  },
  free: {
    minIntervalSeconds: 3600,
    maxRows: 50_000,
    maxBodyBytes: 50 * MiB,
    maxFetchSeconds: 300,
    minBytesPerSecond: 2 * KiB,
    retentionDays: 30,
    mcpCallsPerDay: 200,
    requestsPerMinute: 120,
  },
  watch: {
    minIntervalSeconds: 300,
    maxRows: 1_000_000,
    maxBodyBytes: 500 * MiB,
    maxFetchSeconds: 600,
    minBytesPerSecond: KiB,
    retentionDays: 180,
    mcpCallsPerDay: 2_000,
    requestsPerMinute: 600,
  },
  max: {
    minIntervalSeconds: 60,
    maxRows: 20_000_000,
    maxBodyBytes: 8192 * MiB,
    maxFetchSeconds: 600,
    minBytesPerSecond: KiB,
    retentionDays: 730,
    mcpCallsPerDay: 20_000,
    requestsPerMinute: 3_000,
  },
} as const satisfies Record<string, TierLimits>;

export type Tier = keyof typeof TIERS;

/** Seconds; a shorter interval than the tier's is the operator's to allow (0: none). */
export function smallestIntervalSeconds(tier: Tier, minCheckSeconds: number): number {
  const { minIntervalSeconds } = TIERS[tier];
  return minCheckSeconds > 0 ? Math.min(minCheckSeconds, minIntervalSeconds) : minIntervalSeconds;
}

/** Whether a tier unlocks keys and webhooks for the whole account (interface 5, Availability). */
export const isPaidTier = (tier: Tier): boolean => tier === 'watch' || tier === 'max';
