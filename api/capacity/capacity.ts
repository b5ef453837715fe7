// Limits what an API process does and holds in memory at once, so that no account takes all of it.
import { ApiError } from '../../core/errors.ts';
import { Limiter, type LimiterOptions, type Release } from '../../core/limiter.ts';
import type { Principal } from '../../core/principal.ts';
import { type Holder, type Owner, SESSIONS, Slots } from './slots.ts';

const MiB = 1024 * 1024;

/** Half of the connections for slow reads (api/main.ts), with a queue that is served within a request's timeout. */
const SLOW_READS = { atOnce: 2, waiting: 6 };
/** The part of the connections that pages of rows may use. */
const ROW_PAGES = { ofPool: 0.6, waiting: 50 };
/** They share a few connections, so many may be under way. */
const SNAPSHOT_PAGES = { total: 32, waiting: 50 };
/** Each reads a whole body. */
const PREVIEWS = { atOnce: 1, waiting: 1 };
/** Each takes 64 MiB. An address alone gets two. */
const PASSWORD_HASHES = { total: 3, waiting: 20 };
/** Each holds a few megabytes until the client has read the file. */
const DOWNLOADS = { total: 64, perAccount: 8, sessions: 16 };
/** Long polls and streams of feeds: each holds a connection, and now and then a page of events. */
const LISTENERS = { total: 4_000, perAccount: 20, sessions: 400 };
/** Streams of MCP: each holds a connection, and its credential is looked up every few seconds. */
const SUBSCRIPTIONS = { total: 1_000, perAccount: 20, sessions: 200 };
/** Memory of responses that clients have not read yet. An account gets sixteen of the largest pages. */
const RESPONSES = { total: 512 * MiB, perAccount: 128 * MiB, sessions: 128 * MiB };
/** Smaller responses are not counted: each connection may hold this much anyway. */
const UNCOUNTED_BYTES = 64 * 1024;

/** When others need its slot, an answer ends that was not read in this time, or a file that is read more slowly than this. */
const SLOW = { afterMs: 10_000, bytesPerSecond: 64 * 1024 };

export interface Capacity {
  /** By `callerShare`. @throws ApiError rate_limited when the queue is full */
  slowReads: Limiter;
  /** On connections of the pool; by `callerShare`. @throws ApiError rate_limited when the queue is full */
  rowPages: Limiter;
  /** On the connections that pages share; by `callerShare`. @throws ApiError rate_limited when the queue is full */
  snapshotPages: Limiter;
  /** By `callerShare`. @throws ApiError rate_limited when the queue is full */
  previews: Limiter;
  /** By the caller's address. @throws ApiError rate_limited when the queue is full */
  passwordHashes: Limiter;
  /** @throws ApiError rate_limited or unavailable when there is no free slot */
  takeDownloadSlot: (owner: Owner, reading: Reading) => Release;
  /** @throws ApiError rate_limited or unavailable when there is no free slot */
  takeListener: (owner: Owner) => Release;
  /** @throws ApiError rate_limited or unavailable when there is no free slot */
  takeSubscription: (owner: Owner) => Release;
  /**
   * @param end ends the response, if it is read slowly and others need its memory
   * @throws ApiError rate_limited or unavailable when there is not enough memory
   */
  takeResponseMemory: (owner: Owner, sizeBytes: number, end: () => void) => Release;
}

/** How a client reads an answer. */
export interface Reading {
  /** What it has read, and how long it was waited for. */
  progress: () => { bytes: number; waitedMs: number };
  /** Ends the answer, if it is read slowly and others need its slot. */
  end: () => void;
}

export function createCapacity({ databasePoolSize = 10 } = {}): Capacity {
  const downloads = new Slots({ ...DOWNLOADS, words: DOWNLOADS_FULL });
  const listeners = new Slots({ ...LISTENERS, words: LISTENERS_FULL });
  const subscriptions = new Slots({ ...SUBSCRIPTIONS, words: SUBSCRIPTIONS_FULL });
  const responses = new Slots({ ...RESPONSES, words: RESPONSES_FULL });
  const rowPages = Math.max(1, Math.floor(databasePoolSize * ROW_PAGES.ofPool));
  return {
    slowReads: queueing({ perKey: SLOW_READS.atOnce }, SLOW_READS.waiting, 2, 'At most 2 searches, filters, profiles, queries and comparisons of an account run at the same time. Wait for a response before you send the next request.'), // prettier-ignore
    rowPages: queueing({ total: rowPages, perKey: 'fair' }, ROW_PAGES.waiting, 2, TOO_MANY_PAGES),
    snapshotPages: queueing({ total: SNAPSHOT_PAGES.total, perKey: 'fair' }, SNAPSHOT_PAGES.waiting, 2, TOO_MANY_PAGES), // prettier-ignore
    previews: queueing({ perKey: PREVIEWS.atOnce }, PREVIEWS.waiting, 2, 'A preview of this account is running, and another one is waiting. Wait for a response before you send the next request.'), // prettier-ignore
    passwordHashes: queueing({ total: PASSWORD_HASHES.total, perKey: 'fair' }, PASSWORD_HASHES.waiting, 5, 'Too many people are signing in from this address right now. Try again in a few seconds.'), // prettier-ignore
    takeDownloadSlot: (owner, reading) => downloads.take(owner, { holder: holderOf(reading) }),
    takeListener: (owner) => listeners.take(owner),
    takeSubscription: (owner) => subscriptions.take(owner),
    takeResponseMemory: (owner, sizeBytes, end) => {
      if (sizeBytes <= UNCOUNTED_BYTES) return () => undefined;
      const isFirst = responses.inUse(owner.accountId) === 0;
      const limit = isFirst ? { perAccount: Infinity } : {};
      const sinceMs = performance.now();
      const progress = () => ({ bytes: 0, waitedMs: performance.now() - sinceMs });
      return responses.take(owner, { units: sizeBytes, holder: holderOf({ progress, end }), ...limit });
    },
  };
}

const TOO_MANY_PAGES =
  'Many pages of this account are being read. Wait for a response before you send the next request.';

const DOWNLOADS_FULL = {
  account: `This account has ${DOWNLOADS.perAccount} downloads in progress. Start the next one when one of them ends.`,
  process: 'Too many downloads are in progress. Try again in a few seconds.',
};
const LISTENERS_FULL = {
  account: `This account has ${LISTENERS.perAccount} callers that wait for events. Connect again when one of them ends.`,
  process: 'Too many callers wait for events. Try again in a few seconds.',
};
const SUBSCRIPTIONS_FULL = {
  account: `An account may have ${SUBSCRIPTIONS.perAccount} open subscriptions.`,
  process: 'Too many subscriptions are open. Try again in a few seconds.',
};
const RESPONSES_FULL = {
  account: 'Earlier responses have not been read yet. Read them first, or request smaller pages.',
  process: 'Too many responses are in progress. Request a smaller page, or try again in a few seconds.',
};

const holderOf = ({ progress, end }: Reading): Holder => ({
  isSlow: () => {
    const { bytes, waitedMs } = progress();
    return waitedMs > SLOW.afterMs && bytes < (SLOW.bytesPerSecond * waitedMs) / 1_000;
  },
  end,
});

/** All anonymous sessions share what one account gets: anyone can have as many sessions as IP addresses. */
export const callerShare = ({ kind, accountId }: Pick<Principal, 'kind' | 'accountId'>): string =>
  kind === 'ephemeral' ? SESSIONS : accountId;

/** For the owner of what `principal` reads. */
export const ownerOf = ({ accountId, kind }: Pick<Principal, 'kind' | 'accountId'>): Owner => ({
  accountId,
  isAnonymous: kind === 'ephemeral',
});

function queueing(
  limits: Pick<LimiterOptions, 'total' | 'perKey'>,
  waiting: number,
  retryAfterSeconds: number,
  detail: string,
): Limiter {
  const error = (): ApiError => new ApiError('rate_limited', detail, { retryAfterSeconds });
  return new Limiter({ ...limits, queue: { max: waiting, error } });
}
