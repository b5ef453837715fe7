// How many files may be under way at once: each holds a few megabytes for as long as its reader takes.
import { ApiError } from '../core/errors.ts';

const MAX_FILES = 64;
const MAX_FILES_OF_ACCOUNT = 8;
const RETRY_AFTER_SECONDS = 5;

export interface FilePlaces {
  /** Takes a place. @returns gives it back @throws ApiError rate_limited or unavailable when there is none */
  take: (accountId: string) => () => void;
}

export function createFilePlaces(): FilePlaces {
  const underWay = new Map<string, number>();
  let total = 0;
  return {
    take: (accountId) => {
      const ofAccount = underWay.get(accountId) ?? 0;
      if (ofAccount >= MAX_FILES_OF_ACCOUNT) {
        throw new ApiError('rate_limited', `This account has ${ofAccount} downloads under way.`, {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      }
      if (total >= MAX_FILES) {
        throw new ApiError('unavailable', 'Too many downloads are under way. Try again in a moment.', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      }
      underWay.set(accountId, ofAccount + 1);
      total += 1;
      return () => {
        const left = (underWay.get(accountId) ?? 1) - 1;
        if (left === 0) underWay.delete(accountId);
        else underWay.set(accountId, left);
        total -= 1;
      };
    },
  };
}
