// The limits of each tier.

export interface TierLimits {
  /** Smallest time between two checks, in seconds. */
  minIntervalSeconds: number;
  maxRows: number;
  maxBodyBytes: number;
  /** For one fetch, from the request to the end of the body. */
  maxFetchSeconds: number;
  /** Smallest average rate after a sixth of that time, or after a minute if that is less. */
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

/** In seconds. The operator may allow shorter intervals than the tier's. @param minCheckSeconds 0: as the tier says */
export function smallestIntervalSeconds(tier: Tier, minCheckSeconds: number): number {
  const { minIntervalSeconds } = TIERS[tier];
  return minCheckSeconds > 0 ? Math.min(minCheckSeconds, minIntervalSeconds) : minIntervalSeconds;
}

/** Whether a tier unlocks API keys and webhooks for the whole account. */
export const isPaidTier = (tier: Tier): boolean => tier === 'watch' || tier === 'max';
