// Names and slugs that a record gets when its owner gives none.

const MAX_GENERATED_LENGTH = 50;

/** Words that mean something else in the place of a slug. */
const RESERVED: ReadonlySet<string> = new Set(['self', 'latest', 'new']);

export function isReservedSlug(slug: string): boolean {
  return RESERVED.has(slug);
}

/** Host and last part of the path: `example.com prices.csv`. */
export function nameFromUrl(url: URL): string {
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? '';
  return `${url.hostname} ${decode(last)}`
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
    .trim()
    .slice(0, 200)
    .toWellFormed();
}

/** A slug made of a name; never empty and never a reserved word. */
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
