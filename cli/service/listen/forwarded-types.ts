// The events of the feed that a webhook may get as well.

export const FORWARDED_TYPES = ['delta', 'check.failed', 'check.recovered'] as const;
export type ForwardedType = (typeof FORWARDED_TYPES)[number];
