// How often people may fail to sign in and have mails sent: counted in the database, the same whether or not there is such a
// user. A stranger's failures are the stranger's: they count for an email at one address, and far above that for the email.
import { hash } from 'node:crypto';
import { ApiError } from '../../core/errors.ts';
import type { Database } from '../../db/driver/knex.ts';
import { forgetCounts, giveBackOne, takeOne } from '../../db/usage/usage-counters.ts';

interface Limit {
  /** From one address, whomever it is about. */
  address?: number;
  /** From one address, about one subject. */
  pair?: number;
  /** About one subject, from all addresses. */
  subject?: number;
  words: string;
}

/** In an hour of the clock. */
const LIMITS = {
  /** A password is tried. */
  'sign-in': {
    address: 100,
    pair: 20,
    subject: 1_000,
    words: 'Too many passwords did not work in this hour. Set a new one by mail to come in.',
  },
  /** A mail is sent. Links in it work for an hour at least, so who is refused for others' requests has one that works. */
  mail: {
    address: 30,
    pair: 5,
    subject: 20,
    words: 'Enough mails were sent in this hour: the links in them work.',
  },
  /** A link does not work. */
  link: { address: 100, words: 'Too many links did not work in this hour.' },
  /** A signed-in person does not know their password. */
  password: { subject: 10, words: 'That was tried too often in this hour.' },
} as const satisfies Record<string, Limit>;

export interface Attempt {
  what: keyof typeof LIMITS;
  /** Where it comes from, as core/network/caller-address.ts says it. */
  address: string;
  /** Whom it is about: an email, or the id of a user. */
  subject?: string;
}

/**
 * Counts an attempt where each limit has room for it, and nowhere otherwise: who is refused uses up nobody's.
 * @param factor multiplies every limit
 * @returns takes it back
 * @throws ApiError rate_limited
 */
export async function countAttempt(
  db: Database,
  factor: number,
  attempt: Attempt,
): Promise<() => Promise<void>> {
  const taken: string[] = [];
  const giveBack = async (): Promise<void> => {
    for (const counted of taken) await giveBackOne(db, counted, 'hour');
  };
  for (const [counted, limit] of countsOf(attempt)) {
    const { isTaken, resetInSeconds } = await takeOne(db, counted, 'hour', limit * factor);
    if (isTaken) {
      taken.push(counted);
      continue;
    }
    await giveBack();
    throw new ApiError('rate_limited', LIMITS[attempt.what].words, {
      retryAfterSeconds: resetInSeconds ?? 1,
    });
  }
  return giveBack;
}

/**
 * The same for work that tells whether the attempt was a failure: only failures stay counted. Room for it is taken before,
 * so that no number of attempts at the same time is more than the limit.
 */
export async function countFailure<T>(
  db: Database,
  factor: number,
  attempt: Attempt,
  work: () => Promise<T>,
): Promise<T> {
  const giveBack = await countAttempt(db, factor, attempt);
  try {
    const result = await work();
    await giveBack();
    return result;
  } catch (error) {
    // What was not looked at is no failure.
    if (!(error instanceof ApiError) || error.code === 'rate_limited') await giveBack();
    throw error;
  }
}

/** Links have 256 random bits, so one that works is never refused: they are counted once they are found to be dead. */
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

/** Who has a new password by mail comes in with it at once, however many others were tried. */
export async function forgetFailures(db: Database, email: string): Promise<void> {
  await forgetCounts(db, subjectOf('sign-in', email), 'hour');
}

/** What is counted, and up to where; the narrowest first. */
function countsOf({ what, address, subject }: Attempt): (readonly [counted: string, limit: number])[] {
  const limits: Limit = LIMITS[what];
  const about = subject === undefined ? undefined : subjectOf(what, subject);
  return [
    [`${about} from ${address}`, about === undefined ? undefined : limits.pair] as const,
    [`auth ${what} from ${address}`, limits.address] as const,
    [`${about}`, about === undefined ? undefined : limits.subject] as const,
  ].flatMap(([counted, limit]) => (limit === undefined ? [] : [[counted, limit] as const]));
}

/** Hashed, because whoever looks at the counters need not learn who signs in. */
const subjectOf = (what: string, subject: string): string =>
  `auth ${what} of ${hash('sha256', subject, 'base64url')}`;
