// How many files may be under way at once: each holds a few megabytes for as long as its reader takes.
import { ApiError } from '../../core/errors.ts';

const MAX_FILES = 64;
const MAX_FILES_OF_ACCOUNT = 8;
/** Of all sessions together: anybody can have as many as they have addresses, and read as slowly as they like. */
const MAX_FILES_OF_SESSIONS = 16;
const SESSIONS = 'sessions';
const RETRY_AFTER_SECONDS = 5;

export interface FilePlaces {
  /** Takes a place. @returns gives it back @throws ApiError rate_limited or unavailable when there is none */
  take: (owner: FileOwner) => () => void;
}

export interface FileOwner {
  accountId: string;
  /** The throwaway account of a session. */
  isAnonymous: boolean;
}

export function createFilePlaces(): FilePlaces {
  const underWay = new Map<string, number>();
  let total = 0;
  const countOf = (subject: string): number => underWay.get(subject) ?? 0;
  const add = (subject: string, count: 1 | -1): void => {
    const sum = countOf(subject) + count;
    if (sum === 0) underWay.delete(subject);
    else underWay.set(subject, sum);
  };
  return {
    take: ({ accountId, isAnonymous }) => {
      if (countOf(accountId) >= MAX_FILES_OF_ACCOUNT) {
        const detail = `This account has ${MAX_FILES_OF_ACCOUNT} downloads under way.`;
        throw new ApiError('rate_limited', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      if (total >= MAX_FILES || (isAnonymous && countOf(SESSIONS) >= MAX_FILES_OF_SESSIONS)) {
        const detail = 'Too many downloads are under way. Try again in a moment.';
        throw new ApiError('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      const subjects = isAnonymous ? [accountId, SESSIONS] : [accountId];
      for (const subject of subjects) add(subject, 1);
      total += 1;
      return () => {
        for (const subject of subjects) add(subject, -1);
        total -= 1;
      };
    },
  };
}
