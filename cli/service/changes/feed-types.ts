// The types of events in the feed.

export const FEED_TYPES = ['delta', 'check.failed', 'check.recovered', 'check.held', 'record.quiet'] as const;
export type FeedType = (typeof FEED_TYPES)[number];
