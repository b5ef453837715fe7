// Limits pages of rows. PostgreSQL reads all data of a page, however little of it is sent, so each account gets a fair share of
// the connections, and the others stay free for quick statements.
import type { Limiter } from '../../core/limiter.ts';
import type { Principal } from '../../core/principal.ts';
import { callerShare } from './capacity.ts';

interface PageReader {
  principal: Pick<Principal, 'kind' | 'accountId'>;
  /** Ends the wait for a turn. */
  cancelled?: AbortSignal;
}

/** @throws ApiError rate_limited when too many pages of the caller are waiting */
export function readInTurn<T>(
  pages: Limiter,
  { principal, cancelled: signal }: PageReader,
  read: () => Promise<T>,
): Promise<T> {
  return pages.run(callerShare(principal), read, signal === undefined ? {} : { signal });
}
