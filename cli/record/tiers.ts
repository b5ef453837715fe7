// The tiers that an operator gives: `anonymous` is that of a session, and ends with it.
export const PAID_AND_FREE = ['free', 'watch', 'max'] as const;

export type GivenTier = (typeof PAID_AND_FREE)[number];
