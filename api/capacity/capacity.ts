// Limits what an API process does and holds in memory at once, so that no account takes all of it.
import { ApiError } from '../../core/errors.ts';
import { Limiter, type Release } from '../../core/limiter.ts';
import type { Principal } from '../../core/principal.ts';

const MiB = 1024 * 1024;

/** Half of the connections for slow reads (api/main.ts), with a queue that is served within a request's timeout. */
const SLOW_READS = { atOnce: 2, waiting: 6 };
/** Each reads a whole body. */
const PREVIEWS = { atOnce: 1, waiting: 1 };
/** Each takes 64 MiB. */
const PASSWORD_HASHES = { atOnce: 2, waiting: 20 };
/** Each holds a few megabytes until the client has read the file. */
const DOWNLOADS = { total: 64, perAccount: 8, sessions: 16 };
/** Long polls and streams of feeds: each holds a connection, and now and then a page of events. */
const LISTENERS = { total: 4_000, perAccount: 20, sessions: 400 };
/** Memory of responses that clients have not read yet. An account gets sixteen of the largest pages. */
const RESPONSES = { total: 512 * MiB, perAccount: 128 * MiB, sessions: 128 * MiB };
/** Smaller responses are not counted: each connection may hold this much anyway. */
const UNCOUNTED_BYTES = 64 * 1024;

const SESSIONS = 'sessions';

export interface Owner {
  accountId: string;
  /** True for the temporary account of an anonymous session. */
  isAnonymous: boolean;
}

export interface Capacity {
  /** By `callerShare`. @throws ApiError rate_limited when the queue is full */
  slowReads: Limiter;
  /** By `callerShare`. @throws ApiError rate_limited when the queue is full */
  previews: Limiter;
  /** Under one key for everybody. @throws ApiError rate_limited when the queue is full */
  passwordHashes: Limiter;
  /** @throws ApiError rate_limited or unavailable when there is no free slot */
  takeDownloadSlot: (owner: Owner) => Release;
  /** @throws ApiError rate_limited or unavailable when there is no free place */
  takeListener: (owner: Owner) => Release;
  /** @throws ApiError rate_limited or unavailable when there is not enough memory */
  takeResponseMemory: (owner: Owner, sizeBytes: number) => Release;
}

export function createCapacity(): Capacity {
  const downloads = new Limiter({ total: DOWNLOADS.total });
  const listeners = new Limiter({ total: LISTENERS.total });
  const responses = new Limiter({ total: RESPONSES.total });
  return {
    slowReads: queueing(SLOW_READS, 2, 'At most 2 searches, filters, profiles, queries and comparisons of an account run at the same time. Wait for a response before you send the next request.'), // prettier-ignore
    previews: queueing(PREVIEWS, 2, 'A preview of this account is running, and another one is waiting. Wait for a response before you send the next request.'), // prettier-ignore
    passwordHashes: queueing(PASSWORD_HASHES, 5, 'Too many people are signing in right now. Try again in a few seconds.'), // prettier-ignore
    takeDownloadSlot: (owner) =>
      takeOf(downloads, DOWNLOADS, owner, 1, {
        account: `This account has ${DOWNLOADS.perAccount} downloads in progress. Start the next one when one of them ends.`,
        process: 'Too many downloads are in progress. Try again in a few seconds.',
      }),
    takeListener: (owner) =>
      takeOf(listeners, LISTENERS, owner, 1, {
        account: `This account has ${LISTENERS.perAccount} callers that wait for events. Connect again when one of them ends.`,
        process: 'Too many callers wait for events. Try again in a few seconds.',
      }),
    takeResponseMemory: (owner, sizeBytes) => {
      if (sizeBytes <= UNCOUNTED_BYTES) return () => undefined;
      const isFirst = responses.inUse(owner.accountId) === 0;
      const limits = { ...RESPONSES, perAccount: isFirst ? Infinity : RESPONSES.perAccount };
      return takeOf(responses, limits, owner, sizeBytes, {
        account: 'Earlier responses have not been read yet. Read them first, or request smaller pages.',
        process: 'Too many responses are in progress. Request a smaller page, or try again in a few seconds.',
      });
    },
  };
}

/** All anonymous sessions share what one account gets: anyone can have as many sessions as IP addresses. */
export const callerShare = ({ kind, accountId }: Pick<Principal, 'kind' | 'accountId'>): string =>
  kind === 'ephemeral' ? SESSIONS : accountId;

function queueing(
  { atOnce, waiting }: { atOnce: number; waiting: number },
  retryAfterSeconds: number,
  detail: string,
): Limiter {
  const error = (): ApiError => new ApiError('rate_limited', detail, { retryAfterSeconds });
  return new Limiter({ perKey: atOnce, queue: { max: waiting, error } });
}

const RETRY_AFTER_SECONDS = 5;

function takeOf(
  limiter: Limiter,
  { perAccount, sessions }: { perAccount: number; sessions: number },
  { accountId, isAnonymous }: Owner,
  units: number,
  details: { account: string; process: string },
): Release {
  const limits = [
    { key: accountId, max: perAccount },
    { key: SESSIONS, max: isAnonymous ? sessions : Infinity },
  ];
  const taken = limiter.tryTake(isAnonymous ? limits : limits.slice(0, 1), units);
  if ('release' in taken) return taken.release;
  const [code, detail] =
    taken.full === accountId
      ? (['rate_limited', details.account] as const)
      : (['unavailable', details.process] as const);
  throw new ApiError(code, detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
