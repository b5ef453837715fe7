// The tiers that an operator can set. `anonymous` belongs to sessions.
export const PAID_AND_FREE = ['free', 'watch', 'max'] as const;

export type GivenTier = (typeof PAID_AND_FREE)[number];
