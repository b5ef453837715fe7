// How much of answers may be under way at once: who asks for large pages and hardly reads them keeps them in memory.
import { ApiError } from '../../core/errors.ts';
import type { FileOwner } from './file-places.ts';

const MiB = 1024 * 1024;
/** What every connection may have anyway. */
const FREE_BYTES = 64 * 1024;
const MAX_BYTES = 512 * MiB;
/** Sixteen of the largest pages. */
const MAX_BYTES_OF_ACCOUNT = 128 * MiB;
/** Of all sessions together. */
const MAX_BYTES_OF_SESSIONS = 128 * MiB;
const SESSIONS = 'sessions';
const RETRY_AFTER_SECONDS = 5;

export interface AnswerRoom {
  /** Takes room. @returns gives it back @throws ApiError rate_limited or unavailable when there is none */
  take: (owner: FileOwner, sizeBytes: number) => () => void;
}

export function createAnswerRoom(): AnswerRoom {
  const underWay = new Map<string, number>();
  let total = 0;
  const bytesOf = (subject: string): number => underWay.get(subject) ?? 0;
  const add = (subject: string, bytes: number): void => {
    const sum = bytesOf(subject) + bytes;
    if (sum === 0) underWay.delete(subject);
    else underWay.set(subject, sum);
  };
  return {
    take: ({ accountId, isAnonymous }, sizeBytes) => {
      if (sizeBytes <= FREE_BYTES) return () => undefined;
      // The first one always fits.
      if (bytesOf(accountId) > 0 && bytesOf(accountId) + sizeBytes > MAX_BYTES_OF_ACCOUNT) {
        const detail = 'Earlier answers have not been read yet. Read them first, or ask for smaller pages.';
        throw new ApiError('rate_limited', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      const isSessionsFull = isAnonymous && bytesOf(SESSIONS) + sizeBytes > MAX_BYTES_OF_SESSIONS;
      if (total + sizeBytes > MAX_BYTES || isSessionsFull) {
        const detail = 'Too many answers are under way. Ask for a smaller page, or try again in a moment.';
        throw new ApiError('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      const subjects = isAnonymous ? [accountId, SESSIONS] : [accountId];
      for (const subject of subjects) add(subject, sizeBytes);
      total += sizeBytes;
      return () => {
        for (const subject of subjects) add(subject, -sizeBytes);
        total -= sizeBytes;
      };
    },
  };
}
