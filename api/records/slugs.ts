// Names and slugs: reserved words, defaults, and slugs that are taken.
import { randomInt } from 'node:crypto';
import { ApiError } from '../../core/errors.ts';

const MAX_GENERATED_LENGTH = 50;

/** These have another meaning in place of a slug. */
const RESERVED: ReadonlySet<string> = new Set(['self', 'latest', 'new']);

export function isReservedSlug(slug: string): boolean {
  return RESERVED.has(slug);
}

/** The host and the last part of the path: `example.com prices.csv`. */
export function nameFromUrl(url: URL): string {
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? '';
  return `${url.hostname} ${decode(last)}`
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
    .trim()
    .slice(0, 200)
    .toWellFormed();
}

/** Makes a slug from a name. Never empty and never a reserved word. */
export function slugFromName(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_GENERATED_LENGTH)
    .replaceAll(/^-|-$/g, '');
  if (slug === '') return 'record';
  return isReservedSlug(slug) ? `${slug}-record` : slug;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function isSlugTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'records_slug';
}

export function slugTaken(): ApiError {
  const detail = 'is the slug of another record of this account';
  return new ApiError('conflict', `/slug ${detail}.`, {
    errors: [{ pointer: '/slug', code: 'taken', detail }],
  });
}

const MAX_TRIES = 5;

/**
 * Tries the requested slug only; without one, tries the first choice and then the same with suffixes.
 * @param attempt throws the database's unique violation when the slug is taken
 * @throws ApiError conflict when the requested slug is taken
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
  // The requested slug may have the maximum length.
  return `${slug.slice(0, 58).replace(/-$/, '')}-${suffix}`;
}
