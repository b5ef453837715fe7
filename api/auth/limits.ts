// Limits failed sign-ins and mails. They are counted in the database, and are the same whether or not the user exists.
// Failures count by email and address together, and with a much higher limit by email alone, so that a stranger cannot lock
// a user out.
import { hash } from 'node:crypto';
import { ApiError } from '../../core/errors.ts';
import { networksOf } from '../../core/network/caller-address.ts';
import type { Database } from '../../db/driver/knex.ts';
import { forgetCounts, giveBackOne, takeOne } from '../../db/usage/usage-counters.ts';

interface Limit {
  /** From one address, about any subject. A /48 gets SITE_FACTOR times as much. */
  address?: number;
  /** From one address, about one subject. A /48 gets PAIR_SITE_FACTOR times as much. */
  pair?: number;
  /** About one subject, from any address. */
  subject?: number;
  words: string;
}

/** A customer may have a whole /48, so its attempts on one subject must stay far below the subject's limit. */
const PAIR_SITE_FACTOR = 3;

/** For each clock hour. */
const LIMITS = {
  /** Trying a password. */
  'sign-in': {
    address: 100,
    pair: 20,
    subject: 1_000,
    words: 'Too many wrong passwords in this hour. Set a new one by mail to sign in.',
  },
  /**
   * Sending a mail. Its links are valid for at least an hour, so a user who is refused because of other requests has a
   * working link.
   */
  mail: {
    address: 30,
    pair: 5,
    subject: 20,
    words: 'Too many mails were sent in this hour. The links in them still work.',
  },
  /** Opening an invalid link. */
  link: { address: 100, words: 'Too many invalid links in this hour.' },
  /** Confirming the password while signed in. */
  password: { subject: 10, words: 'Too many attempts in this hour.' },
} as const satisfies Record<string, Limit>;

export interface Attempt {
  what: keyof typeof LIMITS;
  /** The caller's address, as core/network/caller-address.ts returns it. */
  address: string;
  /** An email address, or the id of a user. */
  subject?: string;
}

/**
 * Counts an attempt under every limit that applies, or under none if one is full.
 * @param factor multiplies every limit
 * @returns takes the count back
 * @throws ApiError rate_limited
 */
export async function countAttempt(
  db: Database,
  factor: number,
  attempt: Attempt,
): Promise<() => Promise<void>> {
  const taken: string[] = [];
  const release = async (): Promise<void> => {
    for (const counted of taken) await giveBackOne(db, counted, 'hour');
  };
  for (const [counted, limit] of countsOf(attempt)) {
    const { isTaken, resetInSeconds } = await takeOne(db, counted, 'hour', limit * factor);
    if (isTaken) {
      taken.push(counted);
      continue;
    }
    await release();
    throw new ApiError('rate_limited', LIMITS[attempt.what].words, {
      retryAfterSeconds: resetInSeconds ?? 1,
    });
  }
  return release;
}

/**
 * Runs work and counts it only if it fails. It counts before the work and takes the count back after success, so that
 * parallel attempts cannot exceed the limit.
 */
export async function countFailedProof<T>(
  db: Database,
  factor: number,
  attempt: Attempt,
  work: () => Promise<T>,
): Promise<T> {
  const release = await countAttempt(db, factor, attempt);
  try {
    const result = await work();
    await release();
    return result;
  } catch (error) {
    // The password was not checked, so this is no failure.
    if (!(error instanceof ApiError) || error.code === 'rate_limited') await release();
    throw error;
  }
}

/** Counts invalid links after they were looked up. Links have 256 random bits, so a valid one need not be refused. */
export async function countDeadLink<T>(
  db: Database,
  factor: number,
  address: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthenticated') {
      await countAttempt(db, factor, { what: 'link', address });
    }
    throw error;
  }
}

/** After a password reset the user can sign in at once, whatever was tried before. */
export async function forgetFailures(db: Database, email: string): Promise<void> {
  await forgetCounts(db, subjectOf('sign-in', email), 'hour');
}

/** The counters and their limits, narrowest first. */
function countsOf({ what, address, subject }: Attempt): (readonly [counted: string, limit: number])[] {
  const { address: ofAddress, pair, subject: ofSubject }: Limit = LIMITS[what];
  const about = subject === undefined ? undefined : subjectOf(what, subject);
  const networks = networksOf(address);
  const ofPairs = networks.map(
    ({ network, factor }) =>
      [`${about} from ${network}`, pair && pair * Math.min(factor, PAIR_SITE_FACTOR)] as const,
  );
  const ofNetworks = networks.map(
    ({ network, factor }) => [`auth ${what} from ${network}`, ofAddress && ofAddress * factor] as const,
  );
  return [
    ...(about === undefined ? [] : ofPairs),
    ...ofNetworks,
    [`${about}`, about === undefined ? undefined : ofSubject] as const,
  ].flatMap(([counted, limit]) => (limit === undefined ? [] : [[counted, limit] as const]));
}

/** Hashed, so that the counters do not show who signs in. */
const subjectOf = (what: string, subject: string): string =>
  `auth ${what} of ${hash('sha256', subject, 'base64url')}`;
