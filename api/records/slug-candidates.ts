// Finding a slug that the account has not taken: the database decides, one candidate after the other.
import { randomInt } from 'node:crypto';
import { isSlugTaken, slugTaken } from './slug-taken.ts';

const MAX_TRIES = 5;

/**
 * Tries the slug that its owner asked for, and that one only; else a first choice, and then the same with suffixes.
 * @param attempt fails as the database does when the slug is taken
 * @throws ApiError conflict when the slug asked for is taken
 */
export async function slugCandidates<T>(
  asked: string | undefined,
  firstChoice: string,
  attempt: (slug: string) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(asked ?? (tries === 1 ? firstChoice : suffixed(firstChoice)));
    } catch (error) {
      if (!isSlugTaken(error) || tries === MAX_TRIES) throw error;
      if (asked !== undefined) throw slugTaken();
    }
  }
}

function suffixed(slug: string): string {
  const suffix = randomInt(36 ** 4)
    .toString(36)
    .padStart(4, '0');
  // A slug that its owner chose may be as long as one can be.
  return `${slug.slice(0, 58).replace(/-$/, '')}-${suffix}`;
}
