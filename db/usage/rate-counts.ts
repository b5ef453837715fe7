// Counts of rate limits, which all API processes share.
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Database } from '../driver/knex.ts';

/**
 * `penalty(key, points)` adds to a count in one statement and answers the count of all processes. A count begins at zero again
 * when its window ends. Old counts are deleted after an hour.
 */
export function openRateCounts(db: Database, windowSeconds: number): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: db,
    storeType: 'knex',
    tableName: 'rate_counts',
    tableCreated: true,
    keyPrefix: '',
    points: Number.MAX_SAFE_INTEGER,
    duration: windowSeconds,
  });
}
