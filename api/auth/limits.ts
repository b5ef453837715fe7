// How often people may try to sign in and have mails sent: counted in the database, per address and per email, the
// same whether or not there is such a user.
import { hash } from 'node:crypto';
import { ApiError } from '../../core/errors.ts';
import type { Database } from '../../db/knex.ts';
import { takeOne } from '../../db/usage-counters.ts';

/** In an hour of the clock. */
const LIMITS = {
  /** A password is tried. */
  'sign-in': { address: 100, subject: 20 },
  /** A mail is sent. */
  mail: { address: 30, subject: 5 },
  /** A link is used. */
  link: { address: 100, subject: null },
  /** A signed-in person changes their password. */
  password: { address: 100, subject: 10 },
} as const;

export interface Attempt {
  what: keyof typeof LIMITS;
  /** Where it comes from, as core/network/caller-address.ts says it. */
  address: string;
  /** Whom it is about: an email, or the id of a user. */
  subject?: string;
}

/** @param factor multiplies every limit @throws ApiError rate_limited */
export async function countAttempt(
  db: Database,
  factor: number,
  { what, address, subject }: Attempt,
): Promise<void> {
  const limits = LIMITS[what];
  await take(db, `auth ${what} from ${address}`, limits.address * factor);
  if (subject === undefined || limits.subject === null) return;
  // Hashed, because whoever looks at the counters need not learn who signs in.
  await take(db, `auth ${what} of ${hash('sha256', subject, 'base64url')}`, limits.subject * factor);
}

async function take(db: Database, counted: string, limit: number): Promise<void> {
  const { isTaken, resetInSeconds } = await takeOne(db, counted, 'hour', limit);
  if (isTaken) return;
  throw new ApiError('rate_limited', 'That was tried too often in this hour.', {
    retryAfterSeconds: resetInSeconds ?? 1,
  });
}
